// A 64-bit hash of the data, as hex: identifies a run's input independently of its file name.
#pragma once

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace probmix {

class Fingerprint {
 public:
  // Every bit added so far affects every bit of the hash (the finaliser of SplitMix64).
  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) + 0x9e3779b97f4a7c15;
    hash_ = (hash_ ^ (hash_ >> 30)) * 0xbf58476d1ce4e5b9;
    hash_ = (hash_ ^ (hash_ >> 27)) * 0x94d049bb133111eb;
    hash_ ^= hash_ >> 31;
  }
  void add(std::span<const double> numbers) {
    add(numbers.size());
    for (const double number : numbers) add(std::bit_cast<std::uint64_t>(number));
  }
  void add(std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }

  // Bytes, eight at a time.
  void add_words(std::string_view bytes) {
    add(bytes.size());
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data(), sizeof(word));
      add(word);
    }
    for (const char c : bytes) add(static_cast<std::uint64_t>(static_cast<unsigned char>(c)));
  }

  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace probmix
