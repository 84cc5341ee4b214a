// A short text that is another one for other data: what a run is known by besides a file's name.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <span>
#include <string>

namespace probmix {

class Fingerprint {  // FNV-1a over 64-bit words
 public:
  void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3; }
  void add(std::span<const double> numbers) {
    for (const double number : numbers) add(std::bit_cast<std::uint64_t>(number));
  }

  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace probmix
