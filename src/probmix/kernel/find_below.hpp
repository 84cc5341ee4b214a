// A search in rows of numbers, for local pairs.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// The first k in [first, n) with a[k] + b[k] <= limit, or n if there is none (NaN is not below).
Index find_below(const float* a, const float* b, float limit, Index first, Index n);

}  // namespace probmix::kernel
