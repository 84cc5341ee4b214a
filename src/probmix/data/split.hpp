// Splits of rows into a training and a validation part.
#pragma once

#include <cstdint>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Split {
  std::vector<Index> train;
  std::vector<Index> validation;
};

// Puts a random `fraction` of n rows (rounded; both parts keep at least one row when 0 < fraction
// < 1) into the validation part. Both parts are in ascending order.
Split random_split(Index n, double fraction, std::uint64_t seed);

template <class T>
Matrix<T> take_rows(View<const T> from, const std::vector<Index>& rows) {
  Matrix<T> taken(static_cast<Index>(rows.size()), from.cols);
  for (Index r = 0; r < taken.rows(); ++r) {
    const T* const source = from.row(rows[static_cast<std::size_t>(r)]);
    for (Index c = 0; c < from.cols; ++c) taken(r, c) = source[c];
  }
  return taken;
}

}  // namespace probmix
