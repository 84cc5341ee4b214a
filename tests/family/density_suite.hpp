// Properties of every density, whoever supplies it: moments, cdf, quantile, samples, gradient and
// CRPS agree with its log-density. Instantiate DensityTest with the type, whose Cases give the
// points to test.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "family/cases.hpp"
#include "family/expectation.hpp"
#include "probmix/base/random.hpp"
#include "probmix/metric/crps.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {

template <class F>
class DensityTest : public ::testing::Test {};
TYPED_TEST_SUITE_P(DensityTest);

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

TYPED_TEST_P(DensityTest, MeanAndVarianceAreThoseOfTheDensity) {
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

TYPED_TEST_P(DensityTest, CdfGrowsFromZeroToOne) {
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

TYPED_TEST_P(DensityTest, QuantileInvertsTheCdf) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    for (int column = 0; column < at.family.responses(); ++column) {
      for (const double u : {1e-40, 1e-15, 1e-4, 0.03, 0.31, 0.5, 0.77, 0.99, 1 - 1e-6}) {
        const double y = at.quantile(column, u);
        if (at.family.discrete) {  // the smallest y with cdf(y) >= u
          EXPECT_GE(at.cdf(column, y), u);
          EXPECT_LT(at.cdf(column, y - 1), u);
          EXPECT_EQ(y, std::floor(y));
        } else if (has_atom<TypeParam> && y == 0) {
          EXPECT_GE(at.cdf(column, y), u);
        } else {
          EXPECT_NEAR(at.cdf(column, y), u, golden * u);
        }
      }
    }
  }
}

// d cdf / dy = p for one continuous response, away from a kink in the middle; cdf(y) − cdf(y − 1) =
// p on a lattice.
TYPED_TEST_P(DensityTest, CdfGrowsByTheDensity) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    if (at.family.responses() > 1) continue;
    SCOPED_TRACE(at.text());
    for (const double u : {0.01, 0.2, 0.45, 0.9, 0.995}) {
      const double y = at.quantile(0, u);
      const double density = std::exp(at.log_density(&y));
      const bool is_atom = has_atom<TypeParam> && y == 0;
      if (at.family.discrete || is_atom) {
        EXPECT_NEAR(at.cdf(0, y) - at.cdf(0, y - 1), density, golden);
      } else {
        const double h =
            1e-4 * std::min({0.1, u, 1 - u}) / density;  // a fraction of the distance to the end
        const double slope = (at.cdf(0, y + h) - at.cdf(0, y - h)) / (2 * h);
        EXPECT_NEAR(slope, density, 1e-6 * density);  // differences of a cdf with 1e-16 noise
      }
    }
  }
}

// Means lie within 5 standard errors, false alarm 6e-7 each; the empirical cdf within 2.5/√n of the
// cdf, false alarm below 2 exp(−2·2.5²) = 7.5e-6 each (Dvoretzky–Kiefer–Wolfowitz, discrete laws
// included). About 60 comparisons in all families together: a bad seed once in 2,000.
TYPED_TEST_P(DensityTest, SamplesFollowTheDistribution) {
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
    double product = 0;  // of the first and last response
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
    if (responses > 1) {  // uncorrelated, unless the family says otherwise
      double covariance = 0;
      if constexpr (requires { at.family.covariance(at.phi.data(), 0, 1); }) {
        covariance = at.family.covariance(at.phi.data(), 0, at.family.responses() - 1);
      }
      const double spread = variance.front() * variance.back() + covariance * covariance;
      EXPECT_NEAR(product / n, covariance, 5 * std::sqrt(spread / n));
    }
    for (std::size_t k = 0; k < responses; ++k) {
      auto& sample = columns[k];
      std::sort(sample.begin(), sample.end());
      double distance = 0;
      for (std::size_t i = 0; i < n; ++i) {
        const double p = at.cdf(static_cast<int>(k), sample[i]);
        const bool last_of_ties = i + 1 == n || sample[i + 1] > sample[i];
        if (last_of_ties) distance = std::max(distance, std::abs(p - (1.0 + double(i)) / n));
        const bool is_jump = at.family.discrete || (has_atom<TypeParam> && sample[i] == 0);
        if (!is_jump) distance = std::max(distance, std::abs(p - double(i) / n));
      }
      EXPECT_LT(distance * std::sqrt(n), 2.5);
    }
  }
}

TYPED_TEST_P(DensityTest, DensityIntegratesToOne) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    double total = 0;
    for_each_mass(at, [&](const auto&, double mass) { total += mass; });
    EXPECT_NEAR(total, 1, quadrature);
  }
}

TYPED_TEST_P(DensityTest, LinkBackwardIsTheTransposedJacobian) {
  for (auto& at : all_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    std::vector<double> dphi(at.phi.size());
    for (std::size_t k = 0; k < dphi.size(); ++k) {
      dphi[k] = std::cos(1.0 + 2.0 * static_cast<double>(k)) / std::max(1.0, std::abs(at.phi[k]));
    }
    std::vector<double> dout(at.out.size(), NAN);  // overwritten, not accumulated
    at.family.link_backward(at.out.data(), dphi.data(), dout.data());
    auto out = at.out;
    auto phi = at.phi;
    const auto f = [&] {
      at.family.link(out.data(), phi.data());
      return dot(dphi.data(), phi.data(), at.family.parameters());
    };
    for (const double d : dout) EXPECT_TRUE(std::isfinite(d));
    EXPECT_TRUE(gradient_matches(f, out, dout, test::gradient));
  }
}

TYPED_TEST_P(DensityTest, SupportIsChecked) {
  const auto at = place<TypeParam>(Cases<TypeParam>::points()).front();
  EXPECT_FALSE(at.family.support_text().empty());
  auto y = at.response(0.5);
  for (const double value : Cases<TypeParam>::valid()) {
    y.back() = value;
    EXPECT_TRUE(at.family.in_support(y.data())) << value;
  }
  for (const double value : Cases<TypeParam>::invalid()) {
    y.back() = value;
    EXPECT_FALSE(at.family.in_support(y.data())) << value;
  }
}

// However far the network strays, loss and gradient stay finite; only NaN gives NaN.
TYPED_TEST_P(DensityTest, WildOutputsGiveFiniteLossesAndNaNShows) {
  for (auto at : place<TypeParam>(Cases<TypeParam>::points())) {
    const auto y = at.response(0.5);
    const auto loss_and_gradient = [&](std::vector<double>& dout) {
      at.family.link(at.out.data(), at.phi.data());
      std::vector<double> dphi(at.phi.size());
      add_gradient(at.family, -1, at.phi.data(), y.data(), dphi.data());
      at.family.link_backward(at.out.data(), dphi.data(), dout.data());
      return -at.log_density(y.data());
    };
    for (std::size_t k = 0; k < at.out.size(); ++k) {
      const double kept = at.out[k];
      for (const double wild : {-1e6, -800.0, -60.0, 60.0, 800.0, 1e6}) {
        at.out[k] = wild;
        SCOPED_TRACE(at.text());
        std::vector<double> dout(at.out.size());
        EXPECT_TRUE(std::isfinite(loss_and_gradient(dout)));
        for (const double d : dout) EXPECT_TRUE(std::isfinite(d)) << d;
      }
      at.out[k] = NAN;
      std::vector<double> dout(at.out.size());
      EXPECT_TRUE(std::isnan(loss_and_gradient(dout)));
      EXPECT_TRUE(std::isnan(dout[k]));
      at.out[k] = kept;
    }
  }
}

// Nothing hangs or is undefined, either.
TYPED_TEST_P(DensityTest, WildOutputsHaveQuantilesAndSamples) {
  Stream stream(7, Purpose::test);
  for (auto at : place<TypeParam>(Cases<TypeParam>::points())) {
    for (std::size_t k = 0; k < at.out.size(); ++k) {
      const double kept = at.out[k];
      for (const double wild : {-1e30, -1e6, -60.0, 60.0, 1e6, 1e30}) {
        at.out[k] = wild;
        SCOPED_TRACE(at.text());
        at.family.link(at.out.data(), at.phi.data());
        auto y = at.response(0.5);
        for (const double u : {1e-6, 0.3, 0.999}) EXPECT_FALSE(std::isnan(at.quantile(0, u))) << u;
        at.family.sample(at.phi.data(), stream, y.data());
        EXPECT_FALSE(std::isnan(y[0]));
      }
      at.out[k] = kept;
    }
  }
}

// Classes have none: targets spread weights over them.
TYPED_TEST_P(DensityTest, KernelCoordinateIsUnboundedAndInvertible) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    if (at.family.classes() > 0) continue;
    for (const double u : {0.01, 0.5, 0.99}) {
      const double y = at.quantile(0, u);
      const double v = kernel_coordinate(at.family, y);
      EXPECT_NEAR(from_kernel_coordinate(at.family, v), y, double_rounding * std::max(1.0, y));
    }
    auto y = at.response(0.5);
    for (const double v : {-1e3, -40.0, 0.0, 40.0, 1e3}) {
      y[0] = from_kernel_coordinate(at.family, v);
      if (at.family.discrete) {
        EXPECT_EQ(y[0], v);  // a soft count: not cut at 0, or its mean would move
      } else {
        EXPECT_TRUE(at.family.in_support(y.data())) << v;
      }
      if constexpr (ExponentialFamily<TypeParam>) {
        EXPECT_TRUE(std::isfinite(at.family.log_base(y.data()))) << v;
      }
    }
  }
}

// With respect to the outputs, whose scale suits the steps; at quantiles, away from a kink in the
// middle, and at soft counts.
TYPED_TEST_P(DensityTest, GradientIsThatOfTheLogDensity) {
  for (auto at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    std::vector<std::vector<double>> responses;
    for (const double u : {0.02, 0.3, 0.8, 0.99}) responses.push_back(at.response(u));
    const bool is_count = at.family.discrete && at.family.classes() == 0;
    for (const double y : {-0.3, 0.4, 20.6}) {
      if (is_count) responses.push_back({y});
    }
    for (const auto& y : responses) {
      std::vector<double> dphi(at.phi.size()), dout(at.out.size());
      add_gradient(at.family, 0.75, at.phi.data(), y.data(), dphi.data());
      add_gradient(at.family, 1.25, at.phi.data(), y.data(), dphi.data());  // accumulates
      at.family.link_backward(at.out.data(), dphi.data(), dout.data());
      const auto f = [&] {
        at.family.link(at.out.data(), at.phi.data());
        return 2 * at.log_density(y.data());
      };
      EXPECT_TRUE(gradient_matches(f, at.out, dout, test::gradient)) << "y = " << y[0];
      f();  // φ of the unperturbed outputs
    }
  }
}

// For one member and a mixture of two, if the family has closed forms.
TYPED_TEST_P(DensityTest, ClosedCrpsIsTheIntegral) {
  const auto points = place<TypeParam>(Cases<TypeParam>::points());
  for (const auto& at : points) {
    if (at.family.classes() > 0 || at.family.discrete) continue;
    SCOPED_TRACE(at.text());
    Matrix<double> members(2, static_cast<Index>(at.out.size()));
    for (std::size_t k = 0; k < at.out.size(); ++k) {
      members(0, static_cast<Index>(k)) = at.out[k];
      members(1, static_cast<Index>(k)) = at.out[k] + 0.25;
    }
    for (const Index count : {1, 2}) {
      const Mixture mixture(at.family, View<const double>{members.data(), count, members.cols()});
      for (int column = 0; column < at.family.responses(); ++column) {
        const CrpsRange range{mixture.quantile(column, CrpsRange::tail),
                              mixture.quantile(column, 1 - CrpsRange::tail)};
        const double spread = std::sqrt(mixture.variance()[static_cast<std::size_t>(column)]);
        for (const double u : {0.001, 0.3, 0.5, 0.9}) {
          const double y = mixture.quantile(column, u);
          const auto closed = closed_crps(mixture.family(), mixture.parameters(), {}, column, y);
          if (!closed) continue;
          const double integral =
              crps_by_quadrature([&](double t) { return mixture.cdf(column, t); }, range,
                                 mixture.quantile(column, crps_cut(mixture, column)), y);
          EXPECT_NEAR(*closed, integral, 1e-7 * spread);  // for the tails that are cut off
          EXPECT_EQ(crps(mixture, column, y), *closed);
        }
      }
    }
  }
}

REGISTER_TYPED_TEST_SUITE_P(DensityTest, MeanAndVarianceAreThoseOfTheDensity, CdfGrowsFromZeroToOne,
                            QuantileInvertsTheCdf, CdfGrowsByTheDensity,
                            SamplesFollowTheDistribution, DensityIntegratesToOne,
                            LinkBackwardIsTheTransposedJacobian, SupportIsChecked,
                            WildOutputsGiveFiniteLossesAndNaNShows,
                            WildOutputsHaveQuantilesAndSamples,
                            KernelCoordinateIsUnboundedAndInvertible, GradientIsThatOfTheLogDensity,
                            ClosedCrpsIsTheIntegral);

}  // namespace probmix::test
