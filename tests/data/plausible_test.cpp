#include "probmix/data/plausible.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "probmix/base/random.hpp"

namespace probmix {
namespace {

std::vector<double> normals(int count) {
  Stream stream(1, Purpose::test);
  std::vector<double> values;
  for (int k = 0; k < count; ++k) values.push_back(stream.normal());
  return values;
}

TEST(PlausibleRange, LeavesOutWhatIsAbsurd) {
  for (const double absurd : {1e300, -1.7e308, 1e9, -1e7}) {
    std::vector<double> values = normals(500);
    const PlausibleRange before = plausible_range(values);
    values.push_back(absurd);
    const PlausibleRange after = plausible_range(values);
    EXPECT_FALSE(after.contains(absurd));
    EXPECT_EQ(after.low, before.low);
    EXPECT_EQ(after.high, before.high);
  }
}

TEST(PlausibleRange, KeepsWhatIsOnlySkewed) {
  std::vector<double> lognormal, mostly_zero(1000, 0.0), pareto;
  for (const double z : normals(20'000)) {
    lognormal.push_back(std::exp(2 * z));
    pareto.push_back(1 / (0.5 * std::erfc(z / std::sqrt(2.0)) + 1e-4));
  }
  for (int k = 0; k < 20; ++k) mostly_zero.push_back(1000.0 * k);
  for (const auto& values : {lognormal, pareto, mostly_zero}) {
    const auto [low, high] = std::ranges::minmax(values);
    const PlausibleRange range = plausible_range(values);
    EXPECT_EQ(range.low, low);
    EXPECT_EQ(range.high, high);
  }
}

TEST(PlausibleRange, OfFewOrEqualValues) {
  EXPECT_TRUE(plausible_range(std::vector<double>{3}).contains(3));
  EXPECT_TRUE(plausible_range(std::vector<double>{3, 3, 3}).contains(3));
  const PlausibleRange two = plausible_range(std::vector<double>{0, 1e200});
  EXPECT_TRUE(two.contains(0) && two.contains(1e200));
}

// More than one in a hundred is not an error but a population.
TEST(PlausibleRange, KeepsWhatIsFrequent) {
  std::vector<double> values = normals(100);
  values.insert(values.end(), 3, 1e9);
  EXPECT_TRUE(plausible_range(values).contains(1e9));
}

}  // namespace
}  // namespace probmix
