#include "probmix/metric/wilcoxon.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/random.hpp"
#include "probmix/metric/ranks.hpp"
#include "support/golden.hpp"
#include "support/message.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;

TEST(Wilcoxon, AgreesWithSciPy) {
  const auto document = read_golden("statistics_golden.json");
  int exact_ones = 0;
  for (const auto& entry : document.at("wilcoxon")) {
    SCOPED_TRACE(sorted_json_text(entry));
    const WilcoxonTest test =
        wilcoxon_test(entry.at("a").get<Numbers>(), entry.at("b").get<Numbers>());
    EXPECT_EQ(test.n, entry.at("n"));
    EXPECT_EQ(test.exact, entry.at("exact"));
    EXPECT_EQ(test.statistic, entry.at("statistic"));
    EXPECT_NEAR(test.p / entry.at("p").get<double>(), 1, golden);
    exact_ones += test.exact ? 1 : 0;
  }
  EXPECT_GT(exact_ones, 3);
  EXPECT_LT(exact_ones, std::ssize(document.at("wilcoxon")) - 1);
}

// The definition: how many of all 2^n choices of signs are as far from the middle.
TEST(Wilcoxon, ExactPCountsTheSigns) {
  Stream stream(1, Purpose::test);
  for (const bool ties : {false, true}) {
    for (std::size_t n = 1; n <= 10; ++n) {
      Numbers a(n);
      for (double& value : a) {
        value = stream.normal();
        if (ties) value = value < 0 ? std::floor(2 * value) : std::ceil(2 * value);
      }
      const WilcoxonTest test = wilcoxon_test(a, Numbers(n));
      for (double& value : a) value = std::abs(value);
      const Numbers ranked = ranks(a);
      int as_far = 0;
      for (unsigned signs = 0; signs < 1U << n; ++signs) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i) sum += (signs >> i & 1U) != 0 ? ranked[i] : 0;
        const double all = static_cast<double>(n * (n + 1)) / 2;
        if (std::min(sum, all - sum) <= test.statistic) ++as_far;
      }
      EXPECT_TRUE(test.exact);
      EXPECT_DOUBLE_EQ(test.p, std::min(1.0, std::ldexp(as_far, -static_cast<int>(n))));
    }
  }
}

// Wins of one size beside splits without a difference: the normal approximation would say 0.025.
TEST(Wilcoxon, FiveWinsOfOneSizeAreNotSignificant) {
  const WilcoxonTest test = wilcoxon_test(Numbers{1, 1, 1, 1, 1, 2, 2, 2, 2, 2}, Numbers(10, 1.0));
  EXPECT_EQ(test.n, 5);
  EXPECT_EQ(test.p, 0.0625);
}

TEST(Wilcoxon, AnInfiniteScoreIsFartherThanAnyOther) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  const Numbers zero(5);
  const WilcoxonTest finite = wilcoxon_test(Numbers{-1, -2, -3, 4, 0}, zero);
  const WilcoxonTest infinite = wilcoxon_test(Numbers{-1, -2, -3, inf, 0}, zero);
  EXPECT_EQ(infinite.statistic, finite.statistic);
  EXPECT_EQ(infinite.p, finite.p);
  EXPECT_EQ(wilcoxon_test(Numbers{inf, 1}, Numbers{inf, 0}).n, 1);
  EXPECT_EQ(wilcoxon_test(Numbers{inf, inf, -1}, Numbers(3)).statistic, 1);
}

TEST(Wilcoxon, IsTheSameFromBothSides) {
  const Numbers a{0.1, 0.5, 0.2, 0.9, 0.4};
  const Numbers b{0.3, 0.1, 0.25, 0.2, 0.4};
  const WilcoxonTest one = wilcoxon_test(a, b);
  const WilcoxonTest other = wilcoxon_test(b, a);
  EXPECT_EQ(one.n, 4);
  EXPECT_EQ(one.statistic, other.statistic);
  EXPECT_EQ(one.p, other.p);
}

TEST(Wilcoxon, WithoutADifferenceNothingIsSignificant) {
  for (const Numbers& values : {Numbers{}, Numbers{1}, Numbers{1, 2, 3}}) {
    const WilcoxonTest test = wilcoxon_test(values, values);
    EXPECT_EQ(test.n, 0);
    EXPECT_EQ(test.p, 1);
    EXPECT_EQ(test.statistic, 0);
  }
}

TEST(Wilcoxon, RefusesWhatCannotBeCompared) {
  const auto message = [](const Numbers& a, const Numbers& b) {
    return message_of<Error>([&] { wilcoxon_test(a, b); });
  };
  EXPECT_EQ(message({1, 2}, {1}), "a paired test needs equally many scores of both, not 2 and 1");
  const std::string remedy = "; a paired test needs numbers";
  EXPECT_EQ(message({1, 2}, {1, NAN}), "the scores of pair 2 are 2 and nan" + remedy);
  EXPECT_EQ(message({NAN, 2}, {1, 2}), "the scores of pair 1 are nan and 1" + remedy);
}

TEST(Holm, AgreesWithItsDefinition) {
  int n = 0;
  const auto document = read_golden("statistics_golden.json");
  for (const auto& entry : document.at("holm")) {
    SCOPED_TRACE(sorted_json_text(entry));
    const Numbers adjusted = holm(entry.at("p").get<Numbers>());
    const Numbers expected = entry.at("adjusted").get<Numbers>();
    ASSERT_EQ(adjusted.size(), expected.size());
    for (std::size_t i = 0; i < adjusted.size(); ++i) {
      EXPECT_NEAR(adjusted[i], expected[i], double_rounding) << i;
    }
    ++n;
  }
  EXPECT_GT(n, 3);
  EXPECT_TRUE(holm({}).empty());
}

TEST(Holm, RefusesWhatIsNoProbability) {
  for (const double value : {-0.1, 1.1, static_cast<double>(NAN)}) {
    EXPECT_EQ(message_of<Error>([&] {
                holm(Numbers{0.5, value});
              }),
              fmt::format("{} is not a p-value", value));
  }
}

}  // namespace
}  // namespace probmix::test
