// The Gaussian with a full covariance beside the one with independent responses.
#include "probmix/family/gaussian_full.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "family/cases.hpp"
#include "probmix/base/error.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;

double relative(double value) { return double_rounding * std::max(1.0, std::abs(value)); }

void expect_near(const Numbers& a, const Numbers& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], relative(b[k])) << k;
}

template <class F>
Numbers gradient_of(const Placed<F>& at, const Numbers& y) {
  Numbers dphi(at.phi.size()), dout(at.out.size());
  add_gradient(at.family, 1, at.phi.data(), y.data(), dphi.data());
  at.family.link_backward(at.out.data(), dphi.data(), dout.data());
  return dout;
}

// Everything that both families have, at outputs of a Gaussian; those of dependence are 0.
void expect_same_density(const Point& point) {
  const Placed<Gaussian> apart(point);
  Point with_zeros = point;
  const int d = point.options.responses;
  with_zeros.out.resize(to_size(2 * d + d * (d - 1) / 2));
  const Placed<GaussianFull> full(with_zeros);
  SCOPED_TRACE(full.text());
  EXPECT_NEAR(full.log_normaliser, apart.log_normaliser, relative(apart.log_normaliser));
  for (const double u : {1e-9, 0.3, 0.8}) {
    const Numbers y = apart.response(u);
    expect_near(full.response(u), y);
    EXPECT_NEAR(full.log_density(y.data()), apart.log_density(y.data()),
                relative(apart.log_density(y.data())));
    Numbers gradient = gradient_of(full, y);
    gradient.resize(apart.out.size());
    expect_near(gradient, gradient_of(apart, y));
    for (int k = 0; k < d; ++k) {
      const double y_k = y[static_cast<std::size_t>(k)];
      EXPECT_NEAR(full.cdf(k, y_k), u, relative(u));
      EXPECT_NEAR(log_marginal(full.family, full.phi.data(), k, y_k),
                  log_marginal(apart.family, apart.phi.data(), k, y_k), relative(1));
      EXPECT_NEAR(full.family.mean_distance(full.phi.data(), k, y_k),
                  apart.family.mean_distance(apart.phi.data(), k, y_k), relative(y_k));
    }
  }
  Stream one(7, Purpose::test, 1), other(7, Purpose::test, 1);
  Numbers drawn(static_cast<std::size_t>(d)), also(drawn.size());
  full.family.sample(full.phi.data(), one, drawn.data());
  apart.family.sample(apart.phi.data(), other, also.data());
  expect_near(drawn, also);
}

TEST(GaussianFull, IsTheGaussianForOneResponse) {
  for (const Numbers& out : {Numbers{0, 0}, {-1.7, 2.3}, {40, -6}, {3, -30}, {-1e3, 16}}) {
    expect_same_density({{}, out});
  }
  expect_same_density({with_softplus(3e-3), {0.4, -1.5}});
}

TEST(GaussianFull, IsTheGaussianWithoutDependence) {
  expect_same_density({with_responses(2), {0.3, -2, -1, 1.4}});
  expect_same_density({with_responses(4), {0.3, -2, 5, 1, -1, 1.4, 0, -9}});
}

// y_1 given y_2: the variance is σ_1², and the mean of y_1/σ_1 moves by c = o for each y_2/σ_2.
TEST(GaussianFull, OutputsDescribeAResponseGivenTheLaterOnes) {
  const double o = 0.8, limit = 32;
  const double c = o / std::sqrt(1 + o * o / (limit * limit));
  const Placed<GaussianFull> at({with_responses(2), {0.5, -1, 0.6, -0.2, o}});
  const double square_1 = at.family.positive.value(0.6), square_2 = at.family.positive.value(-0.2);
  double variance[2];
  at.family.variance(at.phi.data(), variance);
  EXPECT_NEAR(variance[1], square_2, relative(square_2));
  const double covariance = at.family.covariance(at.phi.data(), 0, 1);
  EXPECT_NEAR(covariance / variance[1], c * std::sqrt(square_1 / square_2), relative(1));
  EXPECT_NEAR(variance[0] - covariance * covariance / variance[1], square_1, relative(square_1));
  EXPECT_EQ(covariance, at.family.covariance(at.phi.data(), 1, 0));
}

// However the network strays: rounding eats pivots of the precision, but the loss stays finite.
TEST(GaussianFull, IsFiniteWithEveryDependenceAtItsLimit) {
  const int d = GaussianFull::most_responses;
  Point point{with_responses(d), Numbers(static_cast<std::size_t>(2 * d + d * (d - 1) / 2))};
  for (const double wild : {-1e9, 1e9}) {
    for (std::size_t k = to_size(2 * d); k < point.out.size(); ++k) {
      point.out[k] = k % 2 == 0 ? wild : -wild;
    }
    const Placed<GaussianFull> at(point);
    const Numbers y(static_cast<std::size_t>(d), 0.5);
    EXPECT_TRUE(std::isfinite(at.log_normaliser));
    EXPECT_TRUE(std::isfinite(at.log_density(y.data())));
    for (const double slope : gradient_of(at, y)) EXPECT_TRUE(std::isfinite(slope));
  }
}

TEST(GaussianFull, HasALimitOfResponses) {
  EXPECT_EQ(GaussianFull::make(with_responses(16)).outputs(), 16 + 16 * 17 / 2);
  EXPECT_EQ(GaussianFull::make(with_responses(3, true)).free_outputs(), 6);
  for (const int d : {0, 17}) EXPECT_THROW(GaussianFull::make(with_responses(d)), UsageError);
}

}  // namespace
}  // namespace probmix::test
