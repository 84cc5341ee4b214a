// Which bytes of a text might end a field of CSV: the separator, and all up to the quote (34),
// among which only the blank and the exclamation mark never do.
#pragma once

#include <cstddef>
#include <cstdint>

namespace probmix::kernel {

inline constexpr std::size_t marked_bytes = 64;

// Bit k is that of text[k], for marked_bytes bytes.
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
