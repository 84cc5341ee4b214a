// fuse_gaussian_forward and _backward: the twin, the paper's formula, its limits, its gradient.
#include "probmix/kernel/fuse_gaussian.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <numeric>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr float lambdas[] = {0.0F, 1e-38F, 1e-6F, 0.2F, 0.5F, 0.9F, 0.9999999F, 1.0F};

// Two rows, a draw and a gradient of n coordinates.
template <class Real>
struct Problem {
  Guarded<Real> mu_i, s_i, mu_j, s_j, eps, dz, z, weight, spread, dmu_i, ds_i, dmu_j, ds_j;

  explicit Problem(Index n, double s_scale = 2)
      : mu_i(normals(n, 1)),
        s_i(normals(n, 2, s_scale)),
        mu_j(normals(n, 3)),
        s_j(normals(n, 4, s_scale)),
        eps(normals(n, 5)),
        dz(normals(n, 6)),
        z(n),
        weight(n),
        spread(n),
        dmu_i(n, Real{0.5}),  // the gradients accumulate
        ds_i(n, Real{0.5}),
        dmu_j(n, Real{0.5}),
        ds_j(n, Real{0.5}) {}

  void forward(Real lambda) {
    kernel::fuse_gaussian_forward(lambda, mu_i.data(), s_i.data(), mu_j.data(), s_j.data(),
                                  eps.data(), z.data(), weight.data(), spread.data(), z.size());
  }
  // After forward.
  void backward(Real lambda, kernel::Gradient gradient = kernel::Gradient::accumulates) {
    kernel::fuse_gaussian_backward(lambda, mu_i.data(), mu_j.data(), weight.data(), spread.data(),
                                   dz.data(), dmu_i.data(), ds_i.data(), dmu_j.data(), ds_j.data(),
                                   z.size(), gradient);
  }
};

TEST(FuseGaussian, AgreesWithTheTwin) {
  for (const Index n : sizes) {
    for (const float lambda : lambdas) {
      SCOPED_TRACE(::testing::Message() << "n = " << n << ", λ = " << lambda);
      Problem<double> twin(n);
      twin.forward(lambda);
      twin.backward(lambda);
      on_each_target([&] {
        Problem<float> fast(n);
        fast.forward(lambda);
        fast.backward(lambda);
        // exp(s / 2) turns the rounding of s into a relative error: |s| <= 8 here.
        const double tolerance = 4 * float_rounding;
        ASSERT_TRUE(all_close(fast.z, twin.z, tolerance, 1));
        ASSERT_TRUE(all_close(fast.dmu_i, twin.dmu_i, tolerance, 1));
        ASSERT_TRUE(all_close(fast.ds_i, twin.ds_i, tolerance, 1));
        ASSERT_TRUE(all_close(fast.dmu_j, twin.dmu_j, tolerance, 1));
        ASSERT_TRUE(all_close(fast.ds_j, twin.ds_j, tolerance, 1));
      });
    }
  }
}

// The definition, written as in the header.
TEST(FuseGaussian, DoubleIsTheFormula) {
  Problem<double> p(100);
  for (const double lambda : {0.1, 0.5, 0.8}) {
    p.forward(lambda);
    for (Index k = 0; k < 100; ++k) {
      const double precision = lambda * std::exp(-p.s_i[k]) + (1 - lambda) * std::exp(-p.s_j[k]);
      const double w = lambda * std::exp(-p.s_i[k]) / precision;
      const double z = w * p.mu_i[k] + (1 - w) * p.mu_j[k] + p.eps[k] / std::sqrt(precision);
      EXPECT_TRUE(close(p.z[k], z, double_rounding, 1)) << k;
    }
  }
}

// λ = 1 is row i alone and λ = 0 row j alone, to the bit, even beside a row of NaN.
template <class Real>
void expect_ends_ignore_the_other_row() {
  constexpr Index n = 33;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  for (const Real other_s : {Real{-80}, Real{0}, Real{80}, nan}) {
    for (const Real lambda : {Real{0}, Real{1}}) {
      Problem<Real> p(n), q(n);
      for (Index k = 0; k < n; ++k) {
        (lambda == 1 ? p.s_j : p.s_i)[k] = other_s;
        (lambda == 1 ? p.mu_j : p.mu_i)[k] = nan;
      }
      p.forward(lambda);
      p.backward(lambda);
      q.forward(lambda);
      q.backward(lambda);
      EXPECT_TRUE(all_close(p.z, q.z, exact, 0));
      const auto& mu = lambda == 1 ? q.mu_i : q.mu_j;
      const auto& s = lambda == 1 ? q.s_i : q.s_j;
      for (Index k = 0; k < n; ++k) {
        const double z = mu[k] + q.eps[k] * std::exp(static_cast<double>(s[k]) / 2);
        EXPECT_TRUE(close(p.z[k], z, float_rounding, 1)) << k;
        EXPECT_EQ((lambda == 1 ? p.dmu_j : p.dmu_i)[k], Real{0.5});
        EXPECT_EQ((lambda == 1 ? p.ds_j : p.ds_i)[k], Real{0.5});
      }
      EXPECT_TRUE(
          all_close(lambda == 1 ? p.ds_i : p.ds_j, lambda == 1 ? q.ds_i : q.ds_j, exact, 0));
    }
  }
}

TEST(FuseGaussian, EndsIgnoreTheOtherRow) {
  on_each_target([] { expect_ends_ignore_the_other_row<float>(); });
  expect_ends_ignore_the_other_row<double>();
}

// |s| up to 80, every λ: finite, and equal to the twin.
TEST(FuseGaussian, ExtremeLogVariancesStayFinite) {
  constexpr std::array<double, 5> extremes = {-80, -40, 0, 40, 80};
  for (const float lambda : lambdas) {
    Problem<double> twin(25);
    Problem<float> fast(25);
    for (std::size_t k = 0; k < 25; ++k) {
      const auto at = static_cast<Index>(k);
      twin.s_i[at] = extremes[k / 5];
      twin.s_j[at] = extremes[k % 5];
      fast.s_i[at] = static_cast<float>(extremes[k / 5]);
      fast.s_j[at] = static_cast<float>(extremes[k % 5]);
    }
    twin.forward(lambda);
    twin.backward(lambda);
    on_each_target([&] {
      Problem<float> p = fast;
      p.forward(lambda);
      p.backward(lambda);
      for (Index k = 0; k < 25; ++k) {
        ASSERT_TRUE(std::isfinite(p.z[k]) && std::isfinite(p.ds_i[k]) && std::isfinite(p.ds_j[k]));
      }
      const double tolerance = 2e-5;  // s / 2 = 40 (+ log λ) rounded to float, then exponentiated
      EXPECT_TRUE(all_close(p.z, twin.z, tolerance, 1)) << "λ = " << lambda;
      EXPECT_TRUE(all_close(p.ds_i, twin.ds_i, tolerance, 1)) << "λ = " << lambda;
      EXPECT_TRUE(all_close(p.ds_j, twin.ds_j, tolerance, 1)) << "λ = " << lambda;
    });
  }
}

TEST(FuseGaussian, NothingNeedsToBeKept) {
  on_each_target([] {
    for (const float lambda : {0.0F, 0.3F, 1.0F}) {
      Problem<float> p(33), q(33);
      p.forward(lambda);
      kernel::fuse_gaussian_forward(lambda, q.mu_i.data(), q.s_i.data(), q.mu_j.data(),
                                    q.s_j.data(), q.eps.data(), q.z.data(), nullptr, nullptr, 33);
      EXPECT_TRUE(all_close(p.z, q.z, exact, 0));
    }
  });
}

// Pooling a density with itself is the identity, and (i, λ) may be swapped with (j, 1 − λ).
TEST(FuseGaussian, SelfAndSwapIdentities) {
  constexpr Index n = 100;
  on_each_target([] {
    for (const float lambda : {0.25F, 0.5F, 0.625F}) {
      Problem<float> p(n), swapped(n), self(n), alone(n);
      std::swap(swapped.mu_i, swapped.mu_j);
      std::swap(swapped.s_i, swapped.s_j);
      p.forward(lambda);
      swapped.forward(1 - lambda);
      EXPECT_TRUE(all_close(p.z, swapped.z, float_rounding, 1)) << "λ = " << lambda;
      self.mu_j = self.mu_i;
      self.s_j = self.s_i;
      self.forward(lambda);
      alone.forward(1.0F);
      EXPECT_TRUE(all_close(self.z, alone.z, 4 * float_rounding, 1)) << "λ = " << lambda;
    }
  });
}

TEST(FuseGaussian, NanStaysNan) {
  constexpr Index n = 19;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  on_each_target([&] {
    for (auto row : {&Problem<float>::mu_i, &Problem<float>::s_i, &Problem<float>::mu_j,
                     &Problem<float>::s_j, &Problem<float>::eps}) {
      for (Index k = 0; k < n; ++k) {
        Problem<float> p(n);
        (p.*row)[k] = nan;
        p.forward(0.3F);
        p.backward(0.3F);
        for (Index l = 0; l < n; ++l) {
          EXPECT_EQ(std::isnan(p.z[l]), l == k);
          EXPECT_EQ(std::isnan(p.ds_i[l]), l == k);
          EXPECT_EQ(std::isnan(p.ds_j[l]), l == k);
        }
      }
    }
  });
}

TEST(FuseGaussian, DoubleGradientMatchesFiniteDifferences) {
  constexpr Index n = 9;
  for (const double lambda : {0.0, 1e-6, 0.3, 0.5, 0.8, 1.0}) {
    SCOPED_TRACE(::testing::Message() << "λ = " << lambda);
    Problem<double> p(n);
    for (auto* d : {&p.dmu_i, &p.ds_i, &p.dmu_j, &p.ds_j}) std::fill_n(d->data(), n, 0.0);
    p.forward(lambda);
    p.backward(lambda);
    const auto loss = [&] {
      p.forward(lambda);
      return std::inner_product(p.z.data(), p.z.data() + n, p.dz.data(), 0.0);
    };
    const auto matches = [&](Guarded<double>& x, const Guarded<double>& dx) {
      return gradient_matches(loss, {x.data(), n}, {dx.data(), n}, gradient);
    };
    EXPECT_TRUE(matches(p.mu_i, p.dmu_i));
    EXPECT_TRUE(matches(p.s_i, p.ds_i));
    EXPECT_TRUE(matches(p.mu_j, p.dmu_j));
    EXPECT_TRUE(matches(p.s_j, p.ds_j));
  }
}

// The previous contents do not matter.
TEST(FuseGaussian, OverwritingIsAccumulatingIntoZeros) {
  for (const Index n : sizes) {
    for (const float lambda : lambdas) {
      on_each_target([&] {
        Problem<float> over(n), zeros(n);
        for (Guarded<float>* const d : {&over.dmu_i, &over.ds_i, &over.dmu_j, &over.ds_j}) {
          std::fill_n(d->data(), n, std::numeric_limits<float>::quiet_NaN());
        }
        for (Guarded<float>* const d : {&zeros.dmu_i, &zeros.ds_i, &zeros.dmu_j, &zeros.ds_j}) {
          std::fill_n(d->data(), n, 0.0F);
        }
        zeros.forward(lambda);
        zeros.backward(lambda);
        over.forward(lambda);
        over.backward(lambda, kernel::Gradient::overwrites);
        EXPECT_TRUE(all_close(over.dmu_i, zeros.dmu_i, 0, 1));
        EXPECT_TRUE(all_close(over.ds_i, zeros.ds_i, 0, 1));
        EXPECT_TRUE(all_close(over.dmu_j, zeros.dmu_j, 0, 1));
        EXPECT_TRUE(all_close(over.ds_j, zeros.ds_j, 0, 1));
      });
    }
  }
}

// i = j: one row, whose gradient receives both parts.
template <class Real>
void self_forward(Real lambda, Problem<Real>& p) {
  kernel::fuse_gaussian_forward(lambda, p.mu_i.data(), p.s_i.data(), p.mu_i.data(), p.s_i.data(),
                                p.eps.data(), p.z.data(), p.weight.data(), p.spread.data(),
                                p.z.size());
}

template <class Real>
void self_gradient(Real lambda, Problem<Real>& p) {
  const Index n = p.z.size();
  self_forward(lambda, p);
  std::fill_n(p.dmu_i.data(), n, Real{0});
  std::fill_n(p.ds_i.data(), n, Real{0});
  kernel::fuse_gaussian_backward(lambda, p.mu_i.data(), p.mu_i.data(), p.weight.data(),
                                 p.spread.data(), p.dz.data(), p.dmu_i.data(), p.ds_i.data(),
                                 p.dmu_i.data(), p.ds_i.data(), n);
}

TEST(FuseGaussian, GradientOfARowFusedWithItself) {
  constexpr Index n = 9;
  for (const double lambda : {0.0, 0.3, 0.5, 1.0}) {
    Problem<double> p(n);
    self_gradient(lambda, p);
    const auto loss = [&] {
      self_forward(lambda, p);
      return std::inner_product(p.z.data(), p.z.data() + n, p.dz.data(), 0.0);
    };
    EXPECT_TRUE(gradient_matches(loss, {p.mu_i.data(), n}, {p.dmu_i.data(), n}, gradient));
    EXPECT_TRUE(gradient_matches(loss, {p.s_i.data(), n}, {p.ds_i.data(), n}, gradient));
    on_each_target([&] {
      Problem<float> fast(n);
      self_gradient(static_cast<float>(lambda), fast);
      EXPECT_TRUE(all_close(fast.dmu_i, p.dmu_i, 4 * float_rounding, 1));
      EXPECT_TRUE(all_close(fast.ds_i, p.ds_i, 4 * float_rounding, 1));
    });
  }
}

}  // namespace
}  // namespace probmix::test
