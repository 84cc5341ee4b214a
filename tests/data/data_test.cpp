// Scaling, splits and synthetic data.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/data/scaling.hpp"
#include "probmix/data/split.hpp"
#include "probmix/data/synthetic.hpp"
#include "support/statistics.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

TEST(Scaler, FindsMeanAndDeviation) {
  Matrix<double> values(4, 1);
  for (Index r = 0; r < 4; ++r) values(r, 0) = static_cast<double>(r) * 10 + 5;  // 5 15 25 35
  const Scaler scaler(values.view());
  EXPECT_DOUBLE_EQ(scaler.mean(0), 20);
  EXPECT_DOUBLE_EQ(scaler.scale(0), std::sqrt(125.0));
}

TEST(Scaler, ConstantColumnsAreHarmless) {
  for (const double constant : {0.0, 7.0, 0.1, 1e300}) {
    Matrix<double> values(3, 1);
    for (Index r = 0; r < 3; ++r) values(r, 0) = constant;
    const Scaler scaler(values.view());
    EXPECT_EQ(scaler.scale(0), 1);
    EXPECT_TRUE(scaler.constant(0));
    EXPECT_NEAR(scaler.mean(0), constant, 1e-15 * constant);
  }
}

// The same bits as the plain definition, where that neither overflows nor underflows; and the same
// digits in any unit.
TEST(Scaler, UnitsDoNotMatter) {
  Stream stream(2, Purpose::test);
  Matrix<double> values(50, 1);
  for (Index r = 0; r < 50; ++r) values(r, 0) = 100 + stream.normal();
  double mean = 0;
  for (Index r = 0; r < 50; ++r) mean += values(r, 0);
  mean /= 50;
  double squares = 0;
  for (Index r = 0; r < 50; ++r) squares += (values(r, 0) - mean) * (values(r, 0) - mean);
  const Scaler plain(values.view());
  EXPECT_EQ(plain.mean(0), mean);
  EXPECT_EQ(plain.scale(0), std::sqrt(squares / 50));
  EXPECT_FALSE(plain.constant(0));
  for (const int power : {1000, 1016, 500, -500, -1000, -1020}) {
    Matrix<double> other(50, 1);
    for (Index r = 0; r < 50; ++r) other(r, 0) = std::scalbn(values(r, 0), power);
    const Scaler scaler(other.view());
    EXPECT_FALSE(scaler.constant(0)) << power;
    EXPECT_EQ(scaler.mean(0), std::scalbn(plain.mean(0), power)) << power;
    EXPECT_EQ(scaler.scale(0), std::scalbn(plain.scale(0), power)) << power;
  }
}

TEST(Scaler, TheSmallestNumbersDoNotDivideByZero) {
  Matrix<double> values(2, 1);
  values(1, 0) = std::numeric_limits<double>::denorm_min();
  const Scaler scaler(values.view());
  EXPECT_EQ(scaler.scale(0), 1);
}

TEST(Scaler, RefusesWhatItCannotScale) {
  Matrix<double> values(2, 1);
  values(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(Scaler(values.view()), Error);
  EXPECT_THROW(Scaler(Matrix<double>(0, 1).view()), Error);
}

TEST(Split, KeepsGroupsTogether) {
  std::vector<std::int64_t> group;
  for (std::int64_t r = 0; r < 100; ++r) group.push_back(r * r % 17);
  for (const double fraction : {0.05, 0.2, 0.5, 0.95}) {
    const Split split = group_split(group, fraction, 1);
    EXPECT_EQ(split.train.size() + split.validation.size(), 100U);
    EXPECT_FALSE(split.train.empty());
    // The groups have 6 to 12 rows.
    EXPECT_NEAR(static_cast<double>(split.validation.size()), std::min(100 * fraction, 90.0), 6);
    for (const Index v : split.validation) {
      for (const Index t : split.train) EXPECT_NE(group[to_size(v)], group[to_size(t)]);
    }
  }
  EXPECT_NE(group_split(group, 0.2, 1).train, group_split(group, 0.2, 2).train);
  EXPECT_EQ(group_split(group, 0.2, 1).train, group_split(group, 0.2, 1).train);
  EXPECT_TRUE(group_split(group, 0, 1).validation.empty());
  EXPECT_THROW(group_split(std::vector<std::int64_t>(5, 3), 0.2, 1), Error);
}

// One group has 900 rows and 50 have 2: the large one is never held out.
TEST(Split, ALargeGroupStaysWhereTheShareIsSmall) {
  std::vector<std::int64_t> group(900, -1);
  for (std::int64_t r = 0; r < 100; ++r) group.push_back(r / 2);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    EXPECT_EQ(group_split(group, 0.05, seed).validation.size(), 50U);
    EXPECT_EQ(group_split(group, 0.2, seed).validation.size(), 100U);
    EXPECT_EQ(group_split(group, 0.85, seed).validation.size(), 900U);
  }
  // One of two equal groups has to be held out, whatever the share.
  const std::vector<std::int64_t> two = {1, 1, 1, 1, 2, 2, 2, 2};
  EXPECT_EQ(group_split(two, 0.1, 1).validation.size(), 4U);
}

TEST(Split, ClassesGiveTheirShare) {
  std::vector<std::int64_t> classes(50, 0);
  for (std::size_t r = 0; r < 10; ++r) classes[5 * r] = 1;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const Split split = class_split(classes, 0.2, seed);
    EXPECT_EQ(split.validation.size(), 10U);
    EXPECT_EQ(split.train.size(), 40U);
    const auto rare = [&](const std::vector<Index>& rows) {
      return std::ranges::count_if(rows, [&](Index r) { return classes[to_size(r)] == 1; });
    };
    EXPECT_EQ(rare(split.validation), 2);
    EXPECT_EQ(rare(split.train), 8);
    EXPECT_TRUE(std::ranges::is_sorted(split.train));
  }
  EXPECT_NE(class_split(classes, 0.2, 1).validation, class_split(classes, 0.2, 2).validation);
}

TEST(Split, TheLatestRowsValidate) {
  const std::vector<double> time = {5, 1, 4, 2, 3, 3, 6, 0, 7, 8};
  EXPECT_EQ(time_split(time, 0.2).validation, (std::vector<Index>{8, 9}));
  EXPECT_EQ(time_split(time, 0.6).validation,
            (std::vector<Index>{0, 2, 4, 5, 6, 8, 9}));  // both 3s
  EXPECT_EQ(time_split(std::vector<double>{1, 1, 1, 2}, 0.5).validation, (std::vector<Index>{3}));
  EXPECT_TRUE(time_split(time, 0).validation.empty());
  EXPECT_THROW(time_split(std::vector<double>(4, 2.0), 0.5), Error);
}

TEST(Split, PartsAreDisjointAndComplete) {
  const Split split = random_split(100, 0.2, 1);
  EXPECT_EQ(split.train.size(), 80u);
  EXPECT_EQ(split.validation.size(), 20u);
  std::vector<Index> all = split.train;
  all.insert(all.end(), split.validation.begin(), split.validation.end());
  std::ranges::sort(all);
  for (Index r = 0; r < 100; ++r) EXPECT_EQ(all[static_cast<std::size_t>(r)], r);
  EXPECT_NE(random_split(100, 0.2, 2).train, split.train);
  EXPECT_EQ(random_split(100, 0.2, 1).train, split.train);
}

TEST(Split, BothPartsKeepARow) {
  EXPECT_EQ(random_split(2, 0.01, 1).validation.size(), 1u);
  EXPECT_EQ(random_split(2, 0.99, 1).train.size(), 1u);
  EXPECT_EQ(random_split(3, 0, 1).validation.size(), 0u);
  EXPECT_THROW(random_split(1, 0.2, 1), Error);
  EXPECT_THROW(random_split(10, 1, 1), UsageError);
  EXPECT_THROW(random_split(10, -0.1, 1), UsageError);
}

// 10,000 rows: 5 standard errors, false failure 6e-7 each.
TEST(ToyRegression, HasTheStatedLaw) {
  Stream stream(1, Purpose::test);
  constexpr Index n = 10'000;
  const Sample sample = toy_regression(n, -4, 4, stream);
  double mean = 0;
  double squares = 0;
  for (Index r = 0; r < n; ++r) {
    EXPECT_GT(sample.x(r, 0), -4);
    EXPECT_LT(sample.x(r, 0), 4);
    const double noise = sample.y(r, 0) - std::pow(sample.x(r, 0), 3);
    mean += noise / n;
    squares += noise * noise / n;
  }
  EXPECT_NEAR(mean, 0, 5 * 3 / 100.0);
  EXPECT_NEAR(squares, 9, 5 * 9 * std::sqrt(2.0) / 100);
}

TEST(ThreeRings, ClassesAreEqual) {
  for (const Index rows : {0, 1, 3, 11}) {
    Stream stream(1, Purpose::test);
    const Sample sample = three_rings(rows, stream);
    ASSERT_EQ(sample.x.rows(), rows);
    ASSERT_EQ(sample.x.cols(), 2);
    ASSERT_EQ(sample.y.rows(), rows);
    for (Index i = 0; i < rows; ++i) EXPECT_EQ(sample.y(i, 0), static_cast<double>(i % 3));
  }
}

// Isotropic noise leaves the angle uniform. |x|²/σ² is noncentral χ² with 2 degrees of freedom:
// |x|² has mean r² + 2σ², variance 4r²σ² + 4σ⁴ and a kurtosis of at most 9. 20,000 points per ring:
// 5 standard errors, false failure 6e-7 each.
TEST(ThreeRings, HaveTheStatedLaw) {
  Stream stream(1, Purpose::test);
  constexpr Index n = 20'000;
  const Sample sample = three_rings(3 * n, stream);
  for (Index k = 0; k < 3; ++k) {
    const double r = static_cast<double>(k) + 0.5;
    const double mean = r * r + 2 * 0.09;
    const double variance = 4 * r * r * 0.09 + 4 * 0.09 * 0.09;
    std::vector<double> angles;
    double sum = 0;
    double squares = 0;
    for (Index i = k; i < 3 * n; i += 3) {
      const double x = sample.x(i, 0);
      const double y = sample.x(i, 1);
      angles.push_back(std::atan2(y, x));
      sum += (x * x + y * y) / n;
      squares += (x * x + y * y - mean) * (x * x + y * y - mean) / n;
    }
    EXPECT_NEAR(sum, mean, 5 * std::sqrt(variance / n)) << k;
    EXPECT_NEAR(squares, variance, 5 * variance * std::sqrt(8.0 / n)) << k;
    const auto uniform = [](double angle) { return 0.5 + angle / (2 * M_PI); };
    EXPECT_LT(ks_distance(angles, uniform), ks_bound(angles.size())) << k;
  }
}

}  // namespace
}  // namespace probmix::test
