// Counter-based random numbers (Philox 4x32-10 of Random123).
//
// A stream is a pure function of (seed, purpose, major, minor), such as (epoch, row). No state is
// shared between streams, so results do not depend on the order in which they are drawn, on the
// number of threads, or on where a run was resumed.
#pragma once

#include <Random123/philox.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace probmix {

// What a stream is for; streams of different purposes are independent. Never renumber.
enum class Purpose : std::uint32_t {
  data = 1,
  split = 2,
  weights = 3,
  batches = 4,
  partner = 5,
  lambda = 6,
  target = 7,
  embedding = 8,
  predict = 9,
  test = 10,
  component = 11,
  runs = 12,
  neighbours = 13,
  dropout = 14,
  sample = 15,
  trials = 16,
};

// Uniform on the open interval (0, 1), with 52 random bits from two words: never 0, never 1.
template <class Words>
double uniform_of(Words& words) {
  const std::uint64_t high = words() >> 6;
  const std::uint64_t low = words() >> 6;
  return (static_cast<double>((high << 26) | low) + 0.5) * 0x1p-52;
}

// Uniform on {0, ..., n - 1} without bias (Lemire's method), 1 <= n < 2^32.
template <class Words>
std::uint32_t below_of(Words& words, std::uint32_t n) {
  std::uint64_t product = static_cast<std::uint64_t>(words()) * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t threshold = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < threshold) {
      product = static_cast<std::uint64_t>(words()) * n;
    }
  }
  return static_cast<std::uint32_t>(product >> 32);
}

class Stream {
 public:
  using result_type = std::uint32_t;

  // `major` < 2^56; each stream has 2^32 blocks of four numbers.
  Stream(std::uint64_t seed, Purpose purpose, std::uint64_t major = 0, std::uint32_t minor = 0)
      : key_{{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}},
        counter_{{0, minor, static_cast<std::uint32_t>(major),
                  static_cast<std::uint32_t>(major >> 32) ^
                      (static_cast<std::uint32_t>(purpose) << 24)}} {}

  static constexpr std::uint32_t min() { return 0; }
  static constexpr std::uint32_t max() { return ~std::uint32_t{0}; }

  std::uint32_t operator()() {
    if (used_ == 4) {
      block_ = r123::Philox4x32()(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[static_cast<std::size_t>(used_++)];
  }

  double uniform() { return uniform_of(*this); }

  // Standard normal by Box–Muller; both numbers of a pair are used.
  double normal() {
    if (spare_ready_) {
      spare_ready_ = false;
      return spare_;
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * std::numbers::pi * uniform();
    spare_ = radius * std::sin(angle);
    spare_ready_ = true;
    return radius * std::cos(angle);
  }

  std::uint32_t below(std::uint32_t n) { return below_of(*this, n); }

 private:
  r123::Philox4x32::key_type key_;
  r123::Philox4x32::ctr_type counter_;
  r123::Philox4x32::ctr_type block_{};
  int used_ = 4;
  double spare_ = 0;
  bool spare_ready_ = false;
};

// The seed of run `index` of a study. Runs of one study, and studies with different seeds, get
// unrelated streams.
inline std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t index) {
  Stream stream(seed, Purpose::runs, index);
  const std::uint64_t high = stream();
  return (high << 32) | stream();
}

// Fisher–Yates shuffle of [first, first + n).
template <class Iterator, class AnyStream>
void shuffle(Iterator first, std::uint32_t n, AnyStream& stream) {
  for (std::uint32_t i = n; i > 1; --i) {
    std::swap(first[i - 1], first[stream.below(i)]);
  }
}

}  // namespace probmix
