// The identities of an exponential family, p = h exp(φ·T − A), for every one of the list.
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
TYPED_TEST_SUITE(FamilyTest, AllExponentialFamilies);

std::vector<double> zeros(int n) { return std::vector<double>(static_cast<std::size_t>(n)); }

template <class F>
std::vector<double> mean_statistic(const Placed<F>& at) {
  auto t = zeros(at.family.parameters());
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

TYPED_TEST(FamilyTest, MeanStatisticIsTheExpectationOfTheStatistic) {
  for (const auto& at : place<TypeParam>(Cases<TypeParam>::points())) {
    SCOPED_TRACE(at.text());
    const auto expected = mean_statistic(at);
    auto t = zeros(at.family.parameters());
    for_each_mass(
        at, [&](const auto& y, double mass) { at.family.add_statistic(mass, y.data(), t.data()); });
    for (std::size_t k = 0; k < t.size(); ++k) {
      EXPECT_NEAR(t[k], expected[k], quadrature * std::max(1.0, std::abs(expected[k]))) << k;
    }
  }
}

// Rounding is relative to the terms in the sum.
TYPED_TEST(FamilyTest, ClosedFormIsTheDefinition) {
  for (const auto& at : all_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    for (const double u : {0.001, 0.2, 0.5, 0.7, 0.999}) {
      const auto y = at.response(u);
      if (!at.family.in_support(y.data())) continue;
      auto t = zeros(at.family.parameters());
      at.family.add_statistic(1, y.data(), t.data());
      double terms = std::abs(at.log_normaliser) + std::abs(at.family.log_base(y.data()));
      for (std::size_t k = 0; k < t.size(); ++k) terms += std::abs(at.phi[k] * t[k]);
      const double definition =
          generic_log_density(at.family, at.phi.data(), at.log_normaliser, y.data());
      EXPECT_NEAR(at.log_density(y.data()), definition, double_rounding * std::max(1.0, terms));
    }
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

}  // namespace
}  // namespace probmix::test
