// Copies short rows faster than a call of memmove does.
#pragma once

#include <cstring>
#include <type_traits>

#include "probmix/base/matrix.hpp"

namespace probmix {

// The rows must not overlap.
template <class T>
void copy_row(const T* from, Index n, T* to) {
  static_assert(std::is_arithmetic_v<T>);
  constexpr Index piece = 32 / sizeof(T);
  Index k = 0;
  for (; k + piece <= n; k += piece) std::memcpy(to + k, from + k, 32);
  for (Index rest = piece / 2; rest > 0; rest /= 2) {
    if ((n - k) & rest) {
      std::memcpy(to + k, from + k, static_cast<std::size_t>(rest) * sizeof(T));
      k += rest;
    }
  }
}

}  // namespace probmix
