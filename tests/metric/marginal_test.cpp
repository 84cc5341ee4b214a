#include "probmix/metric/marginal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "probmix/base/random.hpp"

namespace probmix {
namespace {

Matrix<double> column(const std::vector<double>& values) {
  Matrix<double> y(std::ssize(values), 1);
  std::ranges::copy(values, y.data());
  return y;
}

double nll_of(const Family& family, const Matrix<double>& y) {
  return marginal_nll(family, fit_marginal(family, y.view()), y.view());
}

// Against the maximum likelihood in closed form.
TEST(Marginal, IsTheMaximumLikelihood) {
  const Matrix<double> y = column({0.3, -1.2, 2.5, 0.1, 0.4, -0.7, 1.9});
  double mean = 0, variance = 0;
  for (Index r = 0; r < y.rows(); ++r) mean += y(r, 0) / static_cast<double>(y.rows());
  for (Index r = 0; r < y.rows(); ++r) {
    variance += (y(r, 0) - mean) * (y(r, 0) - mean) / static_cast<double>(y.rows());
  }
  const double best = 0.5 * std::log(2 * std::numbers::pi * std::numbers::e * variance);
  EXPECT_NEAR(nll_of(make_family("gaussian", {}), y), best, 1e-4);

  const Matrix<double> counts = column({0, 3, 1, 4, 2, 2});
  double poisson = 0;
  for (Index r = 0; r < counts.rows(); ++r) {
    poisson -= (counts(r, 0) * std::log(2.0) - 2.0 - std::lgamma(counts(r, 0) + 1)) / 6;
  }
  EXPECT_NEAR(nll_of(make_family("poisson", {}), counts), poisson, 1e-4);
}

TEST(Marginal, OfClassesIsTheirFrequency) {
  const Matrix<double> y = column({0, 1, 1, 2, 1, 1, 0, 1});
  const auto family = make_family("categorical", {.classes = 3});
  const std::vector<double> out = fit_marginal(family, y.view());
  ASSERT_EQ(out.size(), 3U);
  EXPECT_NEAR(out[1] - out[0], std::log(5.5 / 2.5), 1e-12);
  const Matrix<double> two = column({0, 1, 1});
  EXPECT_NEAR(fit_marginal(make_family("bernoulli", {}), two.view())[0], std::log(2.5 / 1.5),
              1e-12);
}

// No other constant outputs are better, to rounding.
TEST(Marginal, OfPositiveNumbersAndFractionsCannotBeImproved) {
  const Matrix<double> y = column({0.2, 0.9, 0.55, 0.31, 0.77, 0.05, 0.4});
  for (const char* const name : {"gamma", "beta"}) {
    const Family family = make_family(name, {});
    const std::vector<double> out = fit_marginal(family, y.view());
    const double best = marginal_nll(family, out, y.view());
    for (std::size_t k = 0; k < out.size(); ++k) {
      for (const double step : {-0.02, 0.02}) {
        std::vector<double> other = out;
        other[k] += step;
        EXPECT_GT(marginal_nll(family, other, y.view()), best - 1e-6) << name << k;
      }
    }
  }
}

}  // namespace
}  // namespace probmix
