#include "probmix/metric/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/random.hpp"
#include "probmix/math/special.hpp"
#include "support/golden.hpp"
#include "support/message.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;
using Groups = std::vector<std::vector<Index>>;
constexpr double inf = std::numeric_limits<double>::infinity();

Matrix<double> matrix_of(const std::vector<Numbers>& rows) {
  Matrix<double> values(std::ssize(rows), rows.empty() ? 0 : std::ssize(rows.front()));
  for (Index r = 0; r < values.rows(); ++r) std::ranges::copy(rows[to_size(r)], values.row(r));
  return values;
}

TEST(Ranks, TiesShareTheMeanOfTheirPlaces) {
  EXPECT_EQ(ranks(Numbers{}), Numbers{});
  EXPECT_EQ(ranks(Numbers{7}), Numbers{1});
  EXPECT_EQ(ranks(Numbers{3, 1, 2}), (Numbers{3, 1, 2}));
  EXPECT_EQ(ranks(Numbers{2, 1, 2, 5, 2}), (Numbers{3, 1, 3, 5, 3}));
  EXPECT_EQ(ranks(Numbers{1, 1}), (Numbers{1.5, 1.5}));
  EXPECT_EQ(ranks(Numbers{inf, -inf, 0, inf, -0.0}), (Numbers{4.5, 1, 2.5, 4.5, 2.5}));
  EXPECT_EQ(message_of<Error>([] {
              ranks(Numbers{1, NAN});
            }),
            "value 2 of 2 is NaN, which has no rank");
}

TEST(Friedman, AgreesWithSciPy) {
  int n = 0;
  const auto document = read_golden("statistics_golden.json");
  for (const auto& entry : document.at("friedman")) {
    SCOPED_TRACE(n++);
    const auto scores = matrix_of(entry.at("scores").get<std::vector<Numbers>>());
    const Numbers average = average_ranks(scores.view());
    const Numbers expected = entry.at("ranks").get<Numbers>();
    ASSERT_EQ(average.size(), expected.size());
    for (std::size_t m = 0; m < average.size(); ++m) {
      EXPECT_NEAR(average[m], expected[m], double_rounding);
    }
    const FriedmanTest test = friedman_test(scores.view());
    const auto near = [&](double actual, const char* key) {
      EXPECT_NEAR(actual / entry.at(key).get<double>(), 1, golden) << key;
    };
    near(test.chi_square, "chi_square");
    near(test.chi_square_p, "chi_square_p");
    near(test.f, "f");
    near(test.f_p, "f_p");
  }
  EXPECT_GT(n, 4);
}

TEST(Friedman, NoDifferenceAndNoException) {
  const FriedmanTest alike = friedman_test(matrix_of({{1, 1, 1}, {2, 2, 2}}).view());
  EXPECT_EQ(alike.chi_square, 0);
  EXPECT_EQ(alike.chi_square_p, 1);
  EXPECT_EQ(alike.f, 0);
  EXPECT_EQ(alike.f_p, 1);
  const FriedmanTest clear = friedman_test(matrix_of({{1, 2, 3}, {4, 5, inf}, {0, 1, 2}}).view());
  EXPECT_EQ(clear.chi_square, 6);  // N (k − 1), the largest possible
  EXPECT_NEAR(clear.chi_square_p, std::exp(-3), double_rounding);
  EXPECT_EQ(clear.f, inf);
  EXPECT_EQ(clear.f_p, 0);
}

TEST(Friedman, RefusesTooFew) {
  EXPECT_EQ(message_of<Error>([] {
              friedman_test(matrix_of({{1, 2, 3}}).view());
            }),
            "the Friedman test compares 2 or more methods on 2 or more data sets, not 3 on 1");
  EXPECT_THROW(friedman_test(matrix_of({{1}, {2}}).view()), Error);
  EXPECT_THROW(friedman_test(matrix_of({{1, NAN}, {1, 2}}).view()), Error);
  EXPECT_THROW(average_ranks(matrix_of({}).view()), Error);
  EXPECT_THROW(average_ranks(Matrix<double>(2, 0).view()), Error);
}

// The critical difference is this times √(k (k + 1) / 6N).
double quantile(Index methods, double alpha) {
  const auto k = static_cast<double>(methods);
  return nemenyi_critical_difference(methods, 6, alpha) / std::sqrt(k * (k + 1) / 36);
}

TEST(Nemenyi, AgreesWithSciPy) {
  int n = 0;
  const auto document = read_golden("statistics_golden.json");
  for (const auto& row : document.at("nemenyi")) {
    EXPECT_NEAR(quantile(row[1], row[0]), row[2], golden) << row;
    ++n;
  }
  EXPECT_EQ(n, 2 * 19);
}

// P(range of k normals <= q √2) = k ∫ φ(z) (Φ(z) − Φ(z − q √2))^{k−1} dz, by the trapezoidal rule.
TEST(Nemenyi, QuantilesHaveTheirProbability) {
  for (const double alpha : {0.05, 0.1}) {
    for (const Index k : {2, 5, 11, 20}) {
      const double width = quantile(k, alpha) * std::sqrt(2.0);
      double sum = 0;
      constexpr double step = 1.0 / 64;
      for (double z = -9; z <= 9; z += step) {
        sum += std::exp(-z * z / 2) / std::sqrt(2 * M_PI) *
               std::pow(normal_cdf(z) - normal_cdf(z - width), static_cast<double>(k - 1)) * step;
      }
      EXPECT_NEAR(static_cast<double>(k) * sum, 1 - alpha, golden) << k << ' ' << alpha;
    }
  }
}

// Demšar's example: 4 classifiers on 14 data sets.
TEST(Nemenyi, DemsarsExample) {
  EXPECT_NEAR(nemenyi_critical_difference(4, 14, 0.05), 1.25, 0.005);  // printed digits
  EXPECT_NEAR(nemenyi_critical_difference(4, 14, 0.1), 1.12, 0.005);
}

TEST(Nemenyi, RefusesWhatIsNotInTheTable) {
  EXPECT_THROW(nemenyi_critical_difference(1, 5, 0.05), UsageError);
  EXPECT_THROW(nemenyi_critical_difference(21, 5, 0.05), UsageError);
  EXPECT_THROW(nemenyi_critical_difference(5, 0, 0.05), UsageError);
  EXPECT_EQ(message_of<UsageError>([] { nemenyi_critical_difference(5, 5, 0.01); }),
            "the level must be 0.05 or 0.1, but it is 0.01");
}

TEST(Cliques, AreTheBarsOfTheDiagram) {
  EXPECT_EQ(cliques(Numbers{}, 1), Groups{});
  EXPECT_EQ(cliques(Numbers{1}, 1), Groups{});
  EXPECT_EQ(cliques(Numbers{1, 2, 3}, 0.5), Groups{});
  EXPECT_EQ(cliques(Numbers{1, 2, 3}, 5), (Groups{{0, 1, 2}}));
  EXPECT_EQ(cliques(Numbers{3, 1, 2}, 1.5), (Groups{{1, 2}, {2, 0}}));
  // {1, 2} is a part of {0, 1, 2}; 3 is alone.
  EXPECT_EQ(cliques(Numbers{1, 1.5, 1.75, 4, 6, 6.5}, 1), (Groups{{0, 1, 2}, {4, 5}}));
  // Groups that overlap.
  EXPECT_EQ(cliques(Numbers{1, 2, 2.5, 3.25}, 1.5), (Groups{{0, 1}, {1, 2, 3}}));
  // At the critical difference two methods differ.
  EXPECT_EQ(cliques(Numbers{1, 2}, 1), Groups{});
  EXPECT_EQ(cliques(Numbers{2, 2, 2}, 0.1), (Groups{{0, 1, 2}}));
}

// The definition, over all groups: no two members differ, and nobody else can join.
TEST(Cliques, AreAllMaximalGroups) {
  Stream stream(3, Purpose::test);
  for (int repeat = 0; repeat < 50; ++repeat) {
    constexpr Index k = 7;
    Numbers average(k);
    for (double& rank : average) rank = 1 + 0.25 * stream.below(25);
    const double difference = 0.3 + 0.25 * stream.below(12);
    const auto alike = [&](unsigned group) {
      for (Index i = 0; i < k; ++i) {
        for (Index j = 0; j < i; ++j) {
          if ((group >> i & group >> j & 1U) != 0 &&
              std::abs(average[to_size(i)] - average[to_size(j)]) >= difference) {
            return false;
          }
        }
      }
      return true;
    };
    std::vector<unsigned> expected;
    for (unsigned group = 1; group < 1U << k; ++group) {
      bool maximal = alike(group) && (group & (group - 1)) != 0;
      for (Index i = 0; i < k; ++i) {
        const unsigned larger = group | 1U << i;
        maximal = maximal && (larger == group || !alike(larger));
      }
      if (maximal) expected.push_back(group);
    }
    std::vector<unsigned> found;
    for (const auto& group : cliques(average, difference)) {
      unsigned bits = 0;
      for (const Index i : group) bits |= 1U << i;
      found.push_back(bits);
    }
    std::ranges::sort(found);
    EXPECT_EQ(found, expected) << repeat;
  }
}

}  // namespace
}  // namespace probmix::test
