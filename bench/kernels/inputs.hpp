// Numbers to work on.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/kernel/fill_normal.hpp"

namespace probmix::bench {

inline Matrix<float> normals(Index rows, Index cols) {
  Matrix<float> values(rows, cols);
  kernel::fill_normal(1, static_cast<std::uint32_t>(Purpose::test), 0, values.data(), rows * cols);
  return values;
}

inline AlignedVector<float> normals(Index n) {
  AlignedVector<float> values(to_size(n));
  kernel::fill_normal(1, static_cast<std::uint32_t>(Purpose::test), 0, values.data(), n);
  return values;
}

}  // namespace probmix::bench
