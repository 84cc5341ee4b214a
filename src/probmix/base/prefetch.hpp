// Asks for memory that is wanted soon, from wherever it is: rows that are picked at random out of a
// table that no cache holds.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix {

template <class T>
void prefetch(const T* first, Index n) {
  constexpr Index line = 64 / sizeof(T);
  for (Index k = 0; k < n; k += line) __builtin_prefetch(first + k);
}

}  // namespace probmix
