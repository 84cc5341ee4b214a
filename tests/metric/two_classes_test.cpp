#include "probmix/metric/two_classes.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "probmix/base/random.hpp"

namespace probmix::test {
namespace {

TEST(TwoClasses, AgreesWithAllPairs) {
  Stream stream(1, Purpose::test);
  TwoClasses counts;
  std::vector<std::pair<double, bool>> rows;
  for (int r = 0; r < 2000; ++r) {
    const bool is_second = stream.uniform() < 0.2;
    const double p = 1 / (1 + std::exp(-2 * stream.normal() - (is_second ? 1 : -1)));
    counts.add(p, is_second);
    rows.emplace_back(p, is_second);
  }
  double pairs = 0, right = 0, precision = 0, seconds = 0;
  for (const auto& [p, is_second] : rows) {
    if (!is_second) continue;
    double above = 0, second_above = 0;
    for (const auto& [q, other] : rows) {
      if (!other) {
        ++pairs;
        right += p > q ? 1 : 0;
      }
      above += q >= p ? 1 : 0;
      second_above += q >= p && other ? 1 : 0;
    }
    ++seconds;
    precision += second_above / above;
  }
  EXPECT_NEAR(counts.auc(), right / pairs, 1e-3);
  EXPECT_NEAR(counts.average_precision(), precision / seconds, 2e-3);
  EXPECT_EQ(counts.rows(true), static_cast<Index>(seconds));
}

TEST(TwoClasses, CertainAndEqualProbabilities) {
  TwoClasses perfect, blind, one;
  for (const bool is_second : {false, true, true}) {
    perfect.add(is_second ? 1 : 0, is_second);
    blind.add(0.3, is_second);
    one.add(0.3, true);
  }
  EXPECT_EQ(perfect.auc(), 1);
  EXPECT_EQ(perfect.average_precision(), 1);
  EXPECT_EQ(blind.auc(), 0.5);
  EXPECT_NEAR(blind.average_precision(), 2.0 / 3, 1e-12);
  EXPECT_TRUE(std::isnan(one.auc()) && std::isnan(one.average_precision()));
}

}  // namespace
}  // namespace probmix::test
