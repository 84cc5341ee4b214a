// Prefetches memory that is needed soon, such as rows picked at random from a table too large for
// any cache.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix {

template <class T>
void prefetch(const T* first, Index n) {
  constexpr Index line = 64 / sizeof(T);
  for (Index k = 0; k < n; k += line) __builtin_prefetch(first + k);
}

}  // namespace probmix
