// lerp_forward, axpy and sum_of_squares.
#include "probmix/kernel/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr float lambdas[] = {0.0F, 1e-38F, 1e-3F, 0.25F, 0.3F, 0.5F, 0.7F, 0.75F, 0.999F, 1.0F};

template <class T>
bool same_bits(const Guarded<T>& a, const Guarded<T>& b) {
  return a.intact() && b.intact() && a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(T)) == 0;
}

TEST(Lerp, AgreesWithTheTwin) {
  for (const Index n : sizes) {
    const auto a_values = normals(n, 1);
    const auto b_values = normals(n, 2);
    for (const float lambda : lambdas) {
      Guarded<double> a64(a_values), b64(b_values), out64(n);
      kernel::naive::lerp_forward<double>(lambda, a64.data(), b64.data(), out64.data(), n);
      on_each_target([&] {
        Guarded<float> a(a_values), b(b_values), out(n);
        kernel::lerp_forward(lambda, a.data(), b.data(), out.data(), n);
        EXPECT_TRUE(all_close(out, out64, float_rounding, 1)) << "n = " << n << ", λ = " << lambda;
      });
    }
  }
}

// λ = 1 gives a and λ = 0 gives b to the bit, whatever the other row holds.
template <class Real>
void expect_ends_are_exact() {
  const double huge = std::numeric_limits<Real>::max();
  const std::vector<double> a_values = {-0.0, 0.0, 1, -huge, huge, 1e-40, 3, 0.1, -0.0, 5, 6, 7};
  const std::vector<double> b_values = {1, -0.0, 1e30, huge, -huge, 2, -4, 1.0 / 0.0, 8, 1, 1, 1};
  const Guarded<Real> a(a_values), b(b_values);
  Guarded<Real> out(a.size());
  kernel::lerp_forward(Real{1}, a.data(), b.data(), out.data(), a.size());
  EXPECT_TRUE(same_bits(out, a));
  kernel::lerp_forward(Real{0}, b.data(), a.data(), out.data(), a.size());
  EXPECT_TRUE(same_bits(out, a));
}

TEST(Lerp, EndsAreExact) {
  on_each_target([] { expect_ends_are_exact<float>(); });
  expect_ends_are_exact<double>();
}

// λ with 1 − λ exact, ½ included.
template <class Real>
void expect_swap_changes_nothing() {
  const Guarded<Real> a(normals(1000, 3)), b(normals(1000, 4));
  for (int sixteenths = 0; sixteenths <= 16; ++sixteenths) {
    const Real lambda = static_cast<Real>(sixteenths) / 16;
    Guarded<Real> one(1000), other(1000);
    kernel::lerp_forward(lambda, a.data(), b.data(), one.data(), 1000);
    kernel::lerp_forward(1 - lambda, b.data(), a.data(), other.data(), 1000);
    EXPECT_TRUE(same_bits(one, other)) << "λ = " << lambda;
  }
}

TEST(Lerp, SwapChangesNothing) {
  on_each_target([] { expect_swap_changes_nothing<float>(); });
  expect_swap_changes_nothing<double>();
}

TEST(Lerp, WorksInPlaceAndOfARowWithItself) {
  on_each_target([] {
    for (const float lambda : lambdas) {
      const Guarded<float> a(normals(33, 5)), b(normals(33, 6));
      Guarded<float> expected(33), in_place(normals(33, 5)), self(33);
      kernel::lerp_forward(lambda, a.data(), b.data(), expected.data(), 33);
      kernel::lerp_forward(lambda, in_place.data(), b.data(), in_place.data(), 33);
      EXPECT_TRUE(same_bits(in_place, expected)) << "λ = " << lambda;
      kernel::lerp_forward(lambda, a.data(), a.data(), self.data(), 33);
      EXPECT_TRUE(same_bits(self, a)) << "λ = " << lambda;
    }
  });
}

TEST(Axpy, AgreesWithTheTwin) {
  for (const Index n : sizes) {
    const auto x_values = normals(n, 7);
    const auto y_values = normals(n, 8);
    Guarded<double> x64(x_values), y64(y_values);
    kernel::axpy(-1.25, x64.data(), y64.data(), n);
    on_each_target([&] {
      Guarded<float> x(x_values), y(y_values);
      kernel::axpy(-1.25F, x.data(), y.data(), n);
      EXPECT_TRUE(all_close(y, y64, float_rounding, 1)) << "n = " << n;
    });
  }
}

TEST(SumOfSquares, AgreesWithTheTwin) {
  for (const Index n : sizes) {
    const Guarded<float> x(normals(n, 9));
    const Guarded<double> x64(normals(n, 9));
    const double expected = kernel::sum_of_squares(x64.data(), n);
    on_each_target([&] {
      EXPECT_TRUE(close(kernel::sum_of_squares(x.data(), n), expected, double_rounding, 0))
          << "n = " << n;
    });
  }
}

TEST(SumOfSquares, IsNotFiniteExactlyWhenAnElementIsNot) {
  constexpr Index n = 37;
  const float bad[] = {std::numeric_limits<float>::quiet_NaN(),
                       std::numeric_limits<float>::infinity(),
                       -std::numeric_limits<float>::infinity()};
  on_each_target([&] {
    Guarded<float> x(n, std::numeric_limits<float>::max());
    EXPECT_TRUE(std::isfinite(kernel::sum_of_squares(x.data(), n)));
    for (Index k = 0; k < n; ++k) {
      for (const float value : bad) {
        Guarded<float> spoilt(n, 1.0F);
        spoilt[k] = value;
        EXPECT_FALSE(std::isfinite(kernel::sum_of_squares(spoilt.data(), n))) << k;
      }
    }
  });
}

using Binary = void (*)(const float*, const float*, float*, Index);

void expect_twins(Binary kernel, Binary naive) {
  on_each_target([&] {
    for (const Index n : sizes) {
      const Guarded<float> a(normals(n, 1));
      const Guarded<float> b(normals(n, 2));
      Guarded<float> fast(n), twin(n);
      kernel(a.data(), b.data(), fast.data(), n);
      naive(a.data(), b.data(), twin.data(), n);
      for (Index k = 0; k < n; ++k) ASSERT_EQ(fast[k], twin[k]) << n;
      EXPECT_TRUE(fast.intact());
    }
  });
}

TEST(Add, AgreesWithTheTwin) { expect_twins(kernel::add, kernel::naive::add); }

TEST(Multiply, AgreesWithTheTwin) { expect_twins(kernel::multiply, kernel::naive::multiply); }

}  // namespace
}  // namespace probmix::test
