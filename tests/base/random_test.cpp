#include "probmix/base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <set>
#include <vector>

#include "support/statistics.hpp"

namespace probmix {
namespace {

using Counter = r123::Philox4x32::ctr_type;
using Key = r123::Philox4x32::key_type;

// Random123's own known answers (its file kat_vectors, lines philox4x32 10).
TEST(Philox, KnownAnswers) {
  r123::Philox4x32 philox;
  EXPECT_EQ(philox(Counter{{0, 0, 0, 0}}, Key{{0, 0}}),
            (Counter{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}));
  const std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox(Counter{{ones, ones, ones, ones}}, Key{{ones, ones}}),
            (Counter{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}));
  EXPECT_EQ(philox(Counter{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                   Key{{0xa4093822, 0x299f31d0}}),
            (Counter{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}));
}

// The layout is part of what a seed means: published results depend on it.
TEST(Stream, KeyIsTheSeedAndTheCounterIsPurposeMajorMinorBlock) {
  Stream zero(0, Purpose{0});
  EXPECT_EQ(zero(), 0x6627e8d5U);
  EXPECT_EQ(zero(), 0xe169c58dU);

  const std::uint64_t seed = 0x0123456789abcdef;
  const std::uint64_t major = 0x00fedcba98765432;
  Stream stream(seed, Purpose::lambda, major, 0xdeadbeef);
  for (std::uint32_t block = 0; block < 3; ++block) {
    const Counter expected = r123::Philox4x32()(
        Counter{{block, 0xdeadbeef, 0x98765432, 0x06fedcba}}, Key{{0x89abcdef, 0x01234567}});
    for (const std::uint32_t word : expected.v) EXPECT_EQ(stream(), word);
  }
}

TEST(Stream, SameArgumentsSameNumbers) {
  Stream a(7, Purpose::test, 3, 4);
  Stream b(7, Purpose::test, 3, 4);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(a.normal(), b.normal());
    EXPECT_EQ(a.uniform(), b.uniform());
    EXPECT_EQ(a.below(10), b.below(10));
  }
}

TEST(Stream, AnyDifferentArgumentGivesOtherNumbers) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> starts;
  std::size_t streams = 0;
  for (const std::uint64_t seed : {0ULL, 1ULL, 1ULL << 32, 1ULL << 63}) {
    for (std::uint32_t purpose = 1; purpose <= 10; ++purpose) {
      for (const std::uint64_t major : {0ULL, 1ULL, 1ULL << 32, (1ULL << 56) - 1}) {
        for (const std::uint32_t minor : {0U, 1U, 0xffffffffU}) {
          Stream stream(seed, static_cast<Purpose>(purpose), major, minor);
          const std::uint32_t first = stream();
          starts.insert({first, stream()});
          ++streams;
        }
      }
    }
  }
  EXPECT_EQ(starts.size(), streams);
}

double open_unit(std::uint64_t high, std::uint64_t low) {
  return (static_cast<double>(((high >> 6) << 26) | (low >> 6)) + 0.5) * 0x1p-52;
}

TEST(Uniform, IsOpenAtBothEndsByConstruction) {
  EXPECT_EQ(open_unit(0, 0), 0x1p-53);
  EXPECT_EQ(open_unit(0xffffffff, 0xffffffff), 1 - 0x1p-53);
  // The formula above is the one used:
  Stream stream(1, Purpose::test);
  for (int i = 0; i < 1000; ++i) {
    Stream words = stream;
    const std::uint64_t high = words();
    EXPECT_EQ(stream.uniform(), open_unit(high, words()));
  }
}

TEST(Uniform, IsUniform) {
  Stream stream(2, Purpose::test);
  std::vector<double> draws(100'000);
  for (double& u : draws) u = stream.uniform();
  EXPECT_LT(test::ks_distance(draws, [](double u) { return u; }), test::ks_bound(draws.size()));
}

TEST(Normal, HasMomentsAndLawOfTheStandardNormal) {
  Stream stream(3, Purpose::test);
  std::vector<double> draws(200'000);
  for (double& z : draws) z = stream.normal();
  double sum = 0;
  double squares = 0;
  double neighbours = 0;  // z₁ z₂ of a Box–Muller pair: sine and cosine must not depend
  for (std::size_t i = 0; i < draws.size(); ++i) {
    sum += draws[i];
    squares += draws[i] * draws[i];
    if (i % 2 == 1) neighbours += draws[i] * draws[i - 1];
  }
  const auto n = static_cast<double>(draws.size());
  EXPECT_NEAR(sum / n, 0, test::mean_bound(draws.size(), 1));
  EXPECT_NEAR(squares / n, 1, test::variance_bound(draws.size(), 1));
  // z₁ z₂ = (s² − t²) / 2 with s, t standard normal: a difference of two mean squares.
  EXPECT_NEAR(2 * neighbours / n, 0, test::variance_bound(draws.size() / 2, 1));
  EXPECT_LT(test::ks_distance(draws, [](double z) { return std::erfc(-z / std::sqrt(2)) / 2; }),
            test::ks_bound(draws.size()));
}

TEST(Below, IsUniform) {
  Stream stream(4, Purpose::test);
  EXPECT_EQ(stream.below(1), 0U);
  for (const std::uint32_t n : {2U, 3U, 7U, 100U}) {
    std::vector<long> counts(n);
    for (int i = 0; i < 200'000; ++i) ++counts.at(stream.below(n));
    EXPECT_LT(test::chi_square_ratio(counts, std::vector<double>(n, 1.0 / n)), 1) << n;
  }
}

// n = 3 · 2^30: without rejection every third number would be twice as likely as the two after it,
// as 2^32 words cannot be shared out evenly.
TEST(Below, IsUnbiasedForLargeRanges) {
  Stream stream(5, Purpose::test);
  std::vector<long> counts(3);
  for (int i = 0; i < 200'000; ++i) ++counts[stream.below(3U << 30) % 3];
  EXPECT_LT(test::chi_square_ratio(counts, std::vector<double>(3, 1.0 / 3)), 1);
  const std::uint32_t most = 0xffffffff;
  for (int i = 0; i < 1000; ++i) EXPECT_LT(stream.below(most), most);
}

TEST(Shuffle, IsAPermutation) {
  Stream stream(6, Purpose::test);
  for (const std::uint32_t n : {0U, 1U, 2U, 10U, 1000U}) {
    std::vector<int> values(n);
    std::iota(values.begin(), values.end(), 0);
    std::vector<int> shuffled = values;
    shuffle(shuffled.begin(), n, stream);
    if (n >= 10) {
      EXPECT_NE(shuffled, values);
    }
    std::sort(shuffled.begin(), shuffled.end());
    EXPECT_EQ(shuffled, values);
  }
}

TEST(Shuffle, AllOrdersOfFourAreEquallyLikely) {
  Stream stream(7, Purpose::test);
  std::map<std::array<int, 4>, long> seen;
  for (int i = 0; i < 100'000; ++i) {
    std::array<int, 4> values{0, 1, 2, 3};
    shuffle(values.begin(), 4, stream);
    ++seen[values];
  }
  ASSERT_EQ(seen.size(), 24U);
  std::vector<long> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  EXPECT_LT(test::chi_square_ratio(counts, std::vector<double>(24, 1.0 / 24)), 1);
}

}  // namespace
}  // namespace probmix
