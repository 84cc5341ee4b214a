// Special functions against mpmath (tests/golden/make_special_golden.py), with the errors that
// math/special.hpp states, and the gamma draws against the moments of their logarithm.
#include "probmix/math/special.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "probmix/base/random.hpp"
#include "probmix/math/gamma_draw.hpp"
#include "support/golden.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;

// Error relative to max(scale, |value|) over the rows [argument..., value] of a table.
void compare(const std::string& table, const std::function<double(const Numbers&)>& f,
             double max_error, double scale) {
  const auto rows = read_golden("special_golden.json").at(table);
  ASSERT_GT(rows.size(), 5U);
  for (const Numbers row : rows) {
    const double value = row.back();
    EXPECT_NEAR(f(row), value, max_error * std::max(scale, std::abs(value)))
        << table << " at " << row[0] << ' ' << (row.size() > 2 ? row[1] : 0);
  }
}

TEST(Special, ElementaryFunctionsAgreeWithMpmath) {
  compare(
      "softplus", [](const Numbers& x) { return softplus(x[0]); }, double_rounding, 0);
  compare(
      "sigmoid", [](const Numbers& x) { return sigmoid(x[0]); }, double_rounding, 0);
}

TEST(Special, GammaFunctionsKeepTheirStatedError) {
  compare(
      "log_gamma", [](const Numbers& x) { return log_gamma(x[0]); }, log_gamma_max_error, 1);
  compare(
      "digamma", [](const Numbers& x) { return digamma(x[0]); }, digamma_max_error, 1);
  compare(
      "log_beta", [](const Numbers& x) { return log_beta(x[0], x[1]); }, log_beta_max_error, 1);
}

TEST(Special, RisingFactorialsKeepTheirStatedError) {
  const auto value = [](const Numbers& x) { return log_rising(x[0], x[1]); };
  const auto derivative = [](const Numbers& x) { return log_rising_derivative(x[0], x[1]); };
  compare("log_rising", value, log_rising_max_error, 1);
  compare("log_rising_derivative", derivative, log_rising_max_error, 1);
  compare("log_rising_derivative", derivative, golden, 0);  // also relative to small values
  for (const double n : {0.0, 0.5, 1.0, 2.0, 7.0, 255.0, 255.5, 256.0, 1e6}) {
    EXPECT_EQ(log_factorial(n), log_gamma(n + 1)) << n;
  }
}

// Both sides of large_shape; near a = 1e13 an argument is only given to 1e-9 standard deviations.
TEST(Special, DistributionFunctionsAgreeWithMpmath) {
  compare(
      "normal_cdf", [](const Numbers& x) { return normal_cdf(x[0]); }, double_rounding, 0);
  compare(
      "gamma_survival", [](const Numbers& x) { return gamma_survival(x[0], x[1]); }, golden, 0);
  compare(
      "gamma_survival", [](const Numbers& x) { return 1 - gamma_cdf(x[0], x[1]); }, golden, 1e-3);
  compare(
      "beta_cdf", [](const Numbers& x) { return beta_cdf(x[0], x[1], x[2]); }, double_rounding, 0);
  compare(
      "beta_survival", [](const Numbers& x) { return beta_survival(x[0], x[1], x[2]); },
      double_rounding, 0);
  // Concentrations beyond Boost's reach: few events at a small rate are practically Poisson ones.
  EXPECT_NEAR(beta_survival(3, 1e12, 2e-12), gamma_survival(3, 2), golden);
}

TEST(Special, QuantilesInvertDistributionFunctions) {
  for (const double u : {1e-200, 1e-9, 0.02, 0.5, 0.9, 1 - 1e-9}) {
    EXPECT_NEAR(normal_cdf(normal_quantile(u)), u,
                double_rounding * u * 1e3);  // tail: z dz = d log p
    for (const double shape : {0.3, 1.0, 40.0, 99e3, 101e3, 1e7, 1e10}) {
      if (u < 1e-100 && shape < 1) continue;  // underflows
      EXPECT_NEAR(gamma_cdf(shape, gamma_quantile(shape, u)), u, golden * u) << shape;
    }
    for (const double a : {0.5, 3.0, 1e4}) {
      if (u < 1e-100) continue;  // underflows
      EXPECT_NEAR(beta_cdf(a, 5, beta_quantile(a, 5, u)), u, golden * u) << a;
    }
  }
}

TEST(Special, LogSumExpSurvivesLargeTerms) {
  const double large[] = {1000, 1000, -1000};
  EXPECT_DOUBLE_EQ(log_sum_exp(large, 3), 1000 + std::log(2.0));
  const double empty[] = {-INFINITY, -INFINITY};
  EXPECT_EQ(log_sum_exp(empty, 2), -INFINITY);
  const double half[] = {-INFINITY, -3};
  EXPECT_EQ(log_sum_exp(half, 2), -3);
}

TEST(Special, NothingThrowsAndNaNShows) {
  for (const double bad : {double(NAN), 0.0, -1.0, double(INFINITY)}) {
    EXPECT_NO_THROW(log_gamma(bad));
    EXPECT_NO_THROW(digamma(bad));
    EXPECT_NO_THROW(gamma_cdf(bad, 1));
    EXPECT_NO_THROW(gamma_quantile(bad, 0.5));
    EXPECT_NO_THROW(beta_cdf(bad, 1, 0.5));
    EXPECT_NO_THROW(beta_quantile(bad, 1, 0.5));
    EXPECT_NO_THROW(normal_quantile(bad));
  }
  EXPECT_NO_THROW(beta_quantile(3.5, 4.7e17, 0.28));  // beyond Boost's root finder
  EXPECT_TRUE(std::isnan(log_gamma(NAN)));
  EXPECT_TRUE(std::isnan(digamma(NAN)));
  EXPECT_TRUE(std::isnan(log_beta(NAN, 1)));
  EXPECT_TRUE(std::isnan(log_beta(1e9, NAN)));
}

// E log G = ψ(a), Var log G = ψ'(a): 5 standard errors, false alarm 6e-7 for each of the 7 shapes.
// A shape of 1e-32 is the law of λ as a fair coin: all draws are far below the smallest double.
TEST(Special, LogGammaDrawsHaveTheRightMean) {
  constexpr int n = 20000;
  for (const double shape : {1e-32, 1e-3, 0.4, 1.0, 3.3, 200.0, 1e9}) {
    Stream stream(7, Purpose::test);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += log_gamma_draw(shape, stream);
    const double h = 1e-3 * shape;
    const double variance = (digamma(shape + h) - digamma(shape - h)) / (2 * h);
    EXPECT_NEAR(sum / n, digamma(shape), 5 * std::sqrt(variance / n)) << shape;
  }
  Stream stream(7, Purpose::test);
  EXPECT_TRUE(std::isnan(log_gamma_draw(NAN, stream)));
  EXPECT_TRUE(std::isnan(log_gamma_draw(0, stream)));
  EXPECT_TRUE(std::isnan(log_gamma_draw(INFINITY, stream)));
}

// At the boundary both ways of computing agree.
TEST(SpecialFunctions, LargeConcentrationsAreContinuous) {
  for (const double share : {1e-8, 1e-4, 0.2, 0.5, 0.9}) {
    for (const double u : {0.01, 0.3, 0.5, 0.95}) {
      const double below = 0.999999999e9, above = 1.000000001e9;
      const double y = beta_quantile(share * below, (1 - share) * below, u);
      EXPECT_NEAR(beta_cdf(share * above, (1 - share) * above, y), u, 1e-4) << share;
      const double z = beta_quantile(share * above, (1 - share) * above, u);
      EXPECT_NEAR(beta_cdf(share * below, (1 - share) * below, z), u, 1e-4) << share;
    }
  }
}

}  // namespace
}  // namespace probmix::test
