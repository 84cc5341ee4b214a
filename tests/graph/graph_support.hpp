// Tables for the tests of neighbours.
#pragma once

#include <functional>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix::test {

inline Matrix<float> table(Index rows, Index cols,
                           const std::function<double(Index, Index)>& value) {
  Matrix<float> x(rows, cols);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < cols; ++c) x(r, c) = static_cast<float>(value(r, c));
  }
  return x;
}

inline Matrix<float> normal_table(Index rows, Index cols, Stream& stream) {
  return table(rows, cols, [&](Index, Index) { return stream.normal(); });
}

// Normal around one of `count` centres, which are `apart` times as far from each other.
inline Matrix<float> clusters(Index rows, Index cols, std::uint32_t count, double apart,
                              Stream& stream) {
  const Matrix<float> centres = normal_table(count, cols, stream);
  Matrix<float> x(rows, cols);
  for (Index r = 0; r < rows; ++r) {
    const auto centre = static_cast<Index>(stream.below(count));
    for (Index c = 0; c < cols; ++c) {
      x(r, c) =
          static_cast<float>(apart * static_cast<double>(centres(centre, c)) + stream.normal());
    }
  }
  return x;
}

}  // namespace probmix::test
