// What makes a family a family, for every one of the list: identities of p = h exp(φ·T − A).
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "family/cases.hpp"
#include "family/expectation.hpp"
#include "probmix/family/families.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

template <class F>
class FamilyTest : public ::testing::Test {};
TYPED_TEST_SUITE(FamilyTest, AllFamilies);

std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

template <class F>
std::vector<double> mean_statistic(const Placed<F>& at) {
  auto t = zeros(at.family.naturals());
  at.family.mean_statistic(at.phi.data(), t.data());
  return t;
}

// In multiples of φ_k: an absolute step could leave the domain (a precision near zero).
TYPED_TEST(FamilyTest, MeanStatisticIsTheGradientOfTheLogNormaliser) {
  for (const auto& at : all_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    auto gradient = mean_statistic(at);
    auto factor = std::vector<double>(at.phi.size());
    auto phi = at.phi;
    const auto scale = [&](std::size_t k) { return at.phi[k] == 0 ? 1 : at.phi[k]; };
    for (std::size_t k = 0; k < phi.size(); ++k) gradient[k] *= scale(k);
    const auto a = [&] {
      for (std::size_t k = 0; k < phi.size(); ++k) phi[k] = at.phi[k] + scale(k) * factor[k];
      return at.family.log_normaliser(phi.data());
    };
    EXPECT_TRUE(gradient_matches(a, factor, gradient, test::gradient));
  }
}

TYPED_TEST(FamilyTest, DensityIntegratesToOne) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    double total = 0;
    for_each_mass(at, [&](const auto&, double mass) { total += mass; });
    EXPECT_NEAR(total, 1, quadrature);
  }
}

TYPED_TEST(FamilyTest, MeanStatisticIsTheExpectationOfTheStatistic) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    const auto expected = mean_statistic(at);
    auto t = zeros(at.family.naturals());
    for_each_mass(
        at, [&](const auto& y, double mass) { at.family.add_statistic(mass, y.data(), t.data()); });
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(t[k], expected[k], quadrature * std::max(1.0, std::abs(expected[k]))) << k;
    }
  }
}

// Rounding is relative to the terms that the definition sums.
TYPED_TEST(FamilyTest, ClosedFormIsTheDefinition) {
  for (const auto& at : all_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    for (const double u : {0.001, 0.2, 0.5, 0.7, 0.999}) {
      const auto y = at.response(u);
      if (!at.family.in_support(y.data())) continue;
      auto t = zeros(at.family.naturals());
      at.family.add_statistic(1, y.data(), t.data());
      double terms = std::abs(at.log_normaliser) + std::abs(at.family.log_base(y.data()));
      for (std::size_t k = 0; k < t.size(); ++k) terms += std::abs(at.phi[k] * t[k]);
      const double definition =
          generic_log_density(at.family, at.phi.data(), at.log_normaliser, y.data());
      EXPECT_NEAR(at.log_density(y.data()), definition, double_rounding * std::max(1.0, terms));
    }
  }
}

TYPED_TEST(FamilyTest, LinkBackwardIsTheTransposedJacobian) {
  for (auto& at : all_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    auto dphi = zeros(at.family.naturals());
    for (std::size_t k = 0; k < dphi.size(); ++k) {
      dphi[k] = std::cos(1.0 + 2.0 * static_cast<double>(k)) / std::max(1.0, std::abs(at.phi[k]));
    }
    std::vector<double> dout(at.out.size(), NAN);  // overwritten, not accumulated
    at.family.link_backward(at.out.data(), dphi.data(), dout.data());
    auto out = at.out;
    auto phi = at.phi;
    const auto f = [&] {
      at.family.link(out.data(), phi.data());
      return dot(dphi.data(), phi.data(), at.family.naturals());
    };
    for (const double d : dout) EXPECT_TRUE(std::isfinite(d));
    EXPECT_TRUE(gradient_matches(f, out, dout, test::gradient));
  }
}

// The paper's theorem. p_i^λ p_j^{1−λ} differs from the density at λφ_i + (1−λ)φ_j by a factor
// that does not depend on y; that density integrates to one, so it is the pooled one.
TYPED_TEST(FamilyTest, LogLinearPoolingIsAStraightLineInNaturalParameters) {
  const auto members = place<TypeParam>(Cases<TypeParam>::points());
  for (const auto& i : members) {
    for (const auto& j : members) {
      if (i.phi.size() != j.phi.size()) continue;
      SCOPED_TRACE(i.text() + " with " + j.text());
      for (const double lambda : {0.0, 0.3, 0.5, 1.0}) {
        auto phi = i.phi;
        for (std::size_t k = 0; k < phi.size(); ++k) {
          phi[k] = lambda * i.phi[k] + (1 - lambda) * j.phi[k];
        }
        const double a = i.family.log_normaliser(phi.data());
        const double log_z = a - lambda * i.log_normaliser - (1 - lambda) * j.log_normaliser;
        EXPECT_LE(log_z, double_rounding * (1 + std::abs(a))) << "A is convex: pooling loses mass";
        for (const double u : {0.1, 0.5, 0.9}) {
          const auto y = i.response(u);
          const double li = lambda * i.log_density(y.data());
          const double lj = (1 - lambda) * j.log_density(y.data());
          const double pooled = i.family.log_density(phi.data(), a, y.data());
          const double scale = 1 + std::abs(li) + std::abs(lj) + std::abs(a);
          EXPECT_NEAR(li + lj - pooled, log_z, double_rounding * scale) << "lambda " << lambda;
        }
      }
    }
  }
}

TYPED_TEST(FamilyTest, SupportIsChecked) {
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
TYPED_TEST(FamilyTest, WildOutputsGiveFiniteLossesAndNaNShows) {
  for (auto at : place<TypeParam>(Cases<TypeParam>::points())) {
    const auto y = at.response(0.5);
    const auto loss_and_gradient = [&](std::vector<double>& dout) {
      at.family.link(at.out.data(), at.phi.data());
      const double a = at.family.log_normaliser(at.phi.data());
      auto dphi = mean_statistic(at);
      at.family.add_statistic(-1, y.data(), dphi.data());
      at.family.link_backward(at.out.data(), dphi.data(), dout.data());
      return -at.family.log_density(at.phi.data(), a, y.data());
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

TYPED_TEST(FamilyTest, KernelCoordinateIsUnboundedAndInvertible) {
  if constexpr (KernelFamily<TypeParam>) {
    for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
      for (const double u : {0.01, 0.5, 0.99}) {
        const double y = at.quantile(0, u);
        const double v = at.family.kernel_coordinate(y);
        EXPECT_NEAR(at.family.from_kernel_coordinate(v), y, double_rounding * std::max(1.0, y));
      }
      auto y = at.response(0.5);
      for (const double v : {-1e3, -40.0, 0.0, 40.0, 1e3}) {
        y[0] = at.family.from_kernel_coordinate(v);
        if constexpr (TypeParam::discrete) {
          EXPECT_EQ(y[0], v);  // a soft count: not cut at 0, or its mean would move
        } else {
          EXPECT_TRUE(at.family.in_support(y.data())) << v;
        }
        EXPECT_TRUE(std::isfinite(at.family.log_base(y.data()))) << v;
      }
    }
  } else {
    EXPECT_GT(TypeParam().classes(), 0);  // it spreads weights over classes instead
  }
}

}  // namespace
}  // namespace probmix::test
