// Marks the bytes of a text that might end a CSV field: the separator, and all bytes up to the
// quote (34); only the blank and the exclamation mark among these never do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace probmix::kernel {

inline constexpr std::size_t marked_bytes = 64;

// Bit k is set if text[k] is marked, for marked_bytes bytes.
std::uint64_t mark_bytes(const char* text, char separator);

namespace naive {

inline std::uint64_t mark_bytes(const char* text, char separator) {
  std::uint64_t marks = 0;
  for (std::size_t k = 0; k < marked_bytes; ++k) {
    const bool found = static_cast<unsigned char>(text[k]) <= '"' || text[k] == separator;
    marks |= std::uint64_t{found} << k;
  }
  return marks;
}

}  // namespace naive

}  // namespace probmix::kernel
