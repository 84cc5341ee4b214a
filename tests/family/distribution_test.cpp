// Every family as a distribution: moments, cdf, quantile and samples agree with its density.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "family/cases.hpp"
#include "family/expectation.hpp"
#include "probmix/base/random.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

template <class F>
class DistributionTest : public ::testing::Test {};
TYPED_TEST_SUITE(DistributionTest, AllFamilies);

template <class F>
std::vector<double> mean_of(const Placed<F>& at) {
  std::vector<double> m(static_cast<std::size_t>(at.family.moments()));
  at.family.mean(at.phi.data(), m.data());
  return m;
}

template <class F>
std::vector<double> variance_of(const Placed<F>& at) {
  std::vector<double> v(static_cast<std::size_t>(at.family.moments()));
  at.family.variance(at.phi.data(), v.data());
  return v;
}

// The vector whose moments a family reports: y, or the one-hot vector of a class.
template <class F>
std::vector<double> moment_vector(const F& family, const std::vector<double>& y) {
  if (family.moments() == family.responses()) return y;
  std::vector<double> one_hot(static_cast<std::size_t>(family.moments()));
  one_hot[static_cast<std::size_t>(y[0])] = 1;
  return one_hot;
}

TYPED_TEST(DistributionTest, MeanAndVarianceAreThoseOfTheDensity) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    const auto mean = mean_of(at);
    const auto variance = variance_of(at);
    std::vector<double> first(mean.size()), second(mean.size());
    for_each_mass(at, [&](const auto& y, double mass) {
      const auto v = moment_vector(at.family, y);
      for (std::size_t k = 0; k < v.size(); ++k) {
        first[k] += mass * v[k];
        second[k] += mass * (v[k] - mean[k]) * (v[k] - mean[k]);
      }
    });
    for (std::size_t k = 0; k < mean.size(); ++k) {
      EXPECT_NEAR(first[k], mean[k], quadrature * std::max(1.0, std::abs(mean[k])));
      EXPECT_NEAR(second[k], variance[k], quadrature * variance[k]);
    }
  }
}

TYPED_TEST(DistributionTest, CdfGrowsFromZeroToOne) {
  for (const auto& at : all_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    for (int column = 0; column < at.family.responses(); ++column) {
      EXPECT_EQ(at.cdf(column, -INFINITY), 0);
      EXPECT_EQ(at.cdf(column, INFINITY), 1);
      const double low = at.quantile(column, 1e-6) - 1;
      const double high = at.quantile(column, 1 - 1e-6) + 1;
      double before = 0;
      for (int i = 0; i <= 200; ++i) {
        const double p = at.cdf(column, low + (high - low) * i / 200);
        EXPECT_GE(p, before - double_rounding);
        EXPECT_LE(p, 1);
        before = p;
      }
    }
  }
}

TYPED_TEST(DistributionTest, QuantileInvertsTheCdf) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    for (int column = 0; column < at.family.responses(); ++column) {
      for (const double u : {1e-40, 1e-15, 1e-4, 0.03, 0.31, 0.5, 0.77, 0.99, 1 - 1e-6}) {
        const double y = at.quantile(column, u);
        if constexpr (TypeParam::discrete) {  // the smallest y with cdf(y) >= u
          EXPECT_GE(at.cdf(column, y), u);
          EXPECT_LT(at.cdf(column, y - 1), u);
          EXPECT_EQ(y, std::floor(y));
        } else {
          EXPECT_NEAR(at.cdf(column, y), u, golden * u);
        }
      }
    }
  }
}

// d cdf / dy = p for one continuous response, cdf(y) − cdf(y − 1) = p on a lattice.
TYPED_TEST(DistributionTest, CdfGrowsByTheDensity) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    if (at.family.responses() > 1) continue;
    SCOPED_TRACE(at.text());
    for (const double u : {0.01, 0.2, 0.5, 0.9, 0.995}) {
      const double y = at.quantile(0, u);
      const double density = std::exp(at.log_density(&y));
      if constexpr (TypeParam::discrete) {
        EXPECT_NEAR(at.cdf(0, y) - at.cdf(0, y - 1), density, golden);
      } else {
        const double h =
            1e-4 * std::min(0.1, u) / density;  // a fraction of the distance to the end
        const double slope = (at.cdf(0, y + h) - at.cdf(0, y - h)) / (2 * h);
        EXPECT_NEAR(slope, density, 1e-6 * density);  // differences of a cdf with 1e-16 noise
      }
    }
  }
}

// Means lie within 5 standard errors, false alarm 6e-7 each; the empirical cdf within 2.5/√n of the
// cdf, false alarm below 2 exp(−2·2.5²) = 7.5e-6 each (Dvoretzky–Kiefer–Wolfowitz, discrete laws
// included). About 60 comparisons in all families together: a bad seed once in 2,000.
TYPED_TEST(DistributionTest, SamplesFollowTheDistribution) {
  constexpr int n = 20000;
  std::uint64_t point = 0;
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    Stream stream(2024, Purpose::test, ++point);
    const auto responses = static_cast<std::size_t>(at.family.responses());
    const auto mean = mean_of(at);
    const auto variance = variance_of(at);
    std::vector<std::vector<double>> columns(responses);
    std::vector<double> sum(mean.size());
    std::vector<double> y(responses);
    double product = 0;  // of the first and the last response, which are independent
    for (int i = 0; i < n; ++i) {
      at.family.sample(at.phi.data(), stream, y.data());
      ASSERT_TRUE(at.family.in_support(y.data()));
      const auto v = moment_vector(at.family, y);
      for (std::size_t k = 0; k < v.size(); ++k) sum[k] += v[k];
      for (std::size_t k = 0; k < responses; ++k) columns[k].push_back(y[k]);
      product += (v.front() - mean.front()) * (v.back() - mean.back());
    }
    for (std::size_t k = 0; k < sum.size(); ++k) {
      EXPECT_NEAR(sum[k] / n, mean[k], 5 * std::sqrt(variance[k] / n));
    }
    if (responses > 1) {
      EXPECT_NEAR(product / n, 0, 5 * std::sqrt(variance.front() * variance.back() / n));
    }
    for (std::size_t k = 0; k < responses; ++k) {
      auto& sample = columns[k];
      std::sort(sample.begin(), sample.end());
      double distance = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double p = at.cdf(static_cast<int>(k), sample[i]);
        const bool last_of_ties = i + 1 == n || sample[i + 1] > sample[i];
        if (last_of_ties) distance = std::max(distance, std::abs(p - (1.0 + double(i)) / n));
        if (!TypeParam::discrete) distance = std::max(distance, std::abs(p - double(i) / n));
      }
      EXPECT_LT(distance * std::sqrt(n), 2.5);
    }
  }
}

}  // namespace
}  // namespace probmix::test
