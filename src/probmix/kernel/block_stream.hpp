// The numbers of a Stream (base/random.hpp), word for word, many blocks at a time: for a step that
// takes thousands of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "probmix/base/random.hpp"
#include "probmix/kernel/fill_words.hpp"

namespace probmix::kernel {

class BlockStream {
 public:
  BlockStream(std::uint64_t seed, Purpose purpose, std::uint64_t major, std::uint32_t minor = 0)
      : seed_(seed), major_(major), purpose_(static_cast<std::uint32_t>(purpose)), minor_(minor) {}

  std::uint32_t operator()() {
    if (used_ == words_.size()) refill();
    return words_[used_++];
  }
  double uniform() { return uniform_of(*this); }
  std::uint32_t below(std::uint32_t n) { return below_of(*this, n); }

 private:
  void refill() {
    fill_words(seed_, purpose_, major_, minor_, next_block_, words_.data(), std::ssize(words_));
    next_block_ += static_cast<std::uint32_t>(words_.size() / 4);
    used_ = 0;
  }

  std::uint64_t seed_;
  std::uint64_t major_;
  std::uint32_t purpose_;
  std::uint32_t minor_;
  std::uint32_t next_block_ = 0;
  std::array<std::uint32_t, 128> words_;
  std::size_t used_ = 128;
};

}  // namespace probmix::kernel
