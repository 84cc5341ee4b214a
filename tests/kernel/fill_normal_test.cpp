// fill_normal: the words of Random123, the transformation's accuracy, the law of the numbers.
//
// The statistical tests fix their seed; a correct generator with another seed would fail each of
// them with probability below 1e-6.
#include "probmix/kernel/fill_normal.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr std::uint64_t seed = 0x123456789abcdef0ULL;
constexpr auto purpose = static_cast<std::uint32_t>(Purpose::test);
constexpr std::uint64_t major = 0xabcdef12345678ULL;  // 56 bits

Guarded<float> filled(Index n, std::uint64_t seed_ = seed, std::uint64_t major_ = major) {
  Guarded<float> out(n);
  kernel::fill_normal(seed_, purpose, major_, out.data(), n);
  return out;
}

// The first known answer of Random123 (kat_vectors, philox4x32-10).
TEST(FillNormal, WordsHaveTheKnownAnswer) {
  EXPECT_EQ(kernel::naive::normal_words(0, 0, 0, 0),
            (std::array<std::uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(FillNormal, WordsAreThoseOfTheStream) {
  Stream stream(seed, Purpose::test, major, 0);
  for (std::uint32_t block = 0; block < 100; ++block) {
    for (const std::uint32_t word : kernel::naive::normal_words(seed, purpose, major, block)) {
      EXPECT_EQ(word, stream());
    }
  }
}

// |error| relative to the radius of the pair: an angle or radius off by one bit in the upper half
// of a word, or any wrong word, is far outside.
void expect_pairs_close(const Guarded<float>& fast, const Guarded<double>& twin) {
  ASSERT_TRUE(fast.intact());
  for (Index k = 0; k + 1 < twin.size(); k += 2) {
    const double radius = std::hypot(twin[k], twin[k + 1]);
    ASSERT_TRUE(close(fast[k], twin[k], 0.25 * float_rounding, radius)) << k;
    ASSERT_TRUE(close(fast[k + 1], twin[k + 1], 0.25 * float_rounding, radius)) << k + 1;
  }
}

TEST(FillNormal, FloatAgreesWithDouble) {
  constexpr Index n = 200000;
  Guarded<double> twin(n);
  kernel::fill_normal(seed, purpose, major, twin.data(), n);
  on_each_target([&] { expect_pairs_close(filled(n), twin); });
}

// Blocks found by a search over 3e8 majors, whose first word is nearly the smallest (a large
// radius) or nearly the largest (a radius that 1 − u in float would round to 0).
TEST(FillNormal, ExtremeWordsKeepTheirPrecision) {
  constexpr std::uint64_t low = 157103991;
  constexpr std::uint64_t high = 234685788;
  ASSERT_EQ(kernel::naive::normal_words(7, purpose, low, 0)[0], 13U);
  ASSERT_EQ(kernel::naive::normal_words(7, purpose, high, 0)[0], ~16U);
  for (const std::uint64_t at : {low, high}) {
    Guarded<double> twin(4);
    kernel::fill_normal(7, purpose, at, twin.data(), 4);
    on_each_target([&] { expect_pairs_close(filled(4, 7, at), twin); });
  }
}

TEST(FillNormal, SeedPurposeAndMajorEachMatter) {
  const Guarded<float> base = filled(8);
  Guarded<float> other_purpose(8);
  kernel::fill_normal(seed, purpose + 1, major, other_purpose.data(), 8);
  EXPECT_NE(base[0], other_purpose[0]);
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_NE(base[0], filled(8, seed ^ (1ULL << bit))[0]) << "seed bit " << bit;
  }
  for (int bit = 0; bit < 56; ++bit) {
    EXPECT_NE(base[0], filled(8, seed, major ^ (1ULL << bit))[0]) << "major bit " << bit;
  }
}

// The first n of a longer fill are the same bits, for every n.
TEST(FillNormal, PrefixOfALongerFill) {
  on_each_target([] {
    const Guarded<float> whole = filled(1000);
    for (Index n = 0; n <= 1000; n = n < 140 ? n + 1 : n + 43) {
      const Guarded<float> part = filled(n);
      ASSERT_TRUE(part.intact());
      ASSERT_EQ(std::memcmp(part.data(), whole.data(), static_cast<std::size_t>(n) * 4), 0) << n;
    }
  });
}

constexpr Index sample_size = 1000000;

// Means of x, x², x³, x⁴ and of x_k x_{k+lag}: within 5 standard errors (chance 6e-7 each).
TEST(FillNormal, Moments) {
  const Guarded<float> x = filled(sample_size);
  const double root_n = std::sqrt(static_cast<double>(sample_size));
  const double expected[] = {0, 1, 0, 3};
  const double deviation[] = {1, std::sqrt(2.0), std::sqrt(15.0), std::sqrt(96.0)};
  for (int power = 1; power <= 4; ++power) {
    double sum = 0;
    for (Index k = 0; k < sample_size; ++k) sum += std::pow(static_cast<double>(x[k]), power);
    EXPECT_NEAR(sum / sample_size, expected[power - 1], 5 * deviation[power - 1] / root_n) << power;
  }
  for (Index lag = 1; lag <= 8; ++lag) {
    double sum = 0;
    for (Index k = 0; k + lag < sample_size; ++k) sum += static_cast<double>(x[k]) * x[k + lag];
    EXPECT_NEAR(sum / sample_size, 0, 5 / root_n) << "lag " << lag;
  }
}

// Kolmogorov–Smirnov: P(sqrt(n) D > 2.7) = 2 exp(−2 · 2.7²) = 9e-7.
TEST(FillNormal, KolmogorovSmirnov) {
  Guarded<float> x = filled(sample_size);
  std::sort(x.data(), x.data() + sample_size);
  double distance = 0;
  for (Index k = 0; k < sample_size; ++k) {
    const double cdf = kernel::naive::normal_cdf<double>(x[k]);
    distance = std::max({distance, cdf - static_cast<double>(k) / sample_size,
                         static_cast<double>(k + 1) / sample_size - cdf});
  }
  EXPECT_LT(std::sqrt(static_cast<double>(sample_size)) * distance, 2.7);
}

// Block numbers have 64 bits: the sequence does not repeat after 2^34 numbers.
TEST(FillNormal, GoesOnBeyondThirtyTwoBitsOfBlocks) {
  constexpr Index boundary = Index{1} << 34;
  constexpr Index n = 200;
  on_each_target([] {
    Guarded<float> across(n), start = filled(n);
    kernel::fill_normal(seed, purpose, major, across.data(), n, boundary - 100);
    Guarded<double> twin(n);
    kernel::naive::fill_normal(seed, purpose, major, twin.data(), n, boundary - 100);
    EXPECT_TRUE(all_close(across, twin, float_rounding, 1));
    for (Index k = 0; k < 100; ++k) EXPECT_NE(across[100 + k], start[k]);
  });
}

}  // namespace
}  // namespace probmix::test
