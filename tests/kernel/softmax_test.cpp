// The softmax of rows, on every instruction set, against the naive twin in double.
#include "probmix/kernel/softmax.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive_norm.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr Index rows = 5;

// p and dp after both directions.
template <class Real>
struct Outcome {
  Guarded<Real> p, dp;
};

Outcome<float> run_kernel(const std::vector<double>& x, Index cols, double scale) {
  Outcome<float> out{Guarded<float>(x), Guarded<float>(normals(rows * cols, 2))};
  const View<float> p{out.p.data(), rows, cols};
  kernel::softmax_forward(static_cast<float>(scale), p);
  kernel::softmax_backward(static_cast<float>(scale), p, View<float>{out.dp.data(), rows, cols});
  return out;
}

Outcome<double> run_twin(const std::vector<double>& x, Index cols, double scale) {
  Outcome<double> out{Guarded<double>(x), Guarded<double>(normals(rows * cols, 2))};
  const View<double> p{out.p.data(), rows, cols};
  kernel::naive::softmax_forward(scale, p);
  kernel::naive::softmax_backward<double>(scale, p, {out.dp.data(), rows, cols});
  return out;
}

void expect_same(const std::vector<double>& x, Index cols, double scale) {
  const Outcome<float> fast = run_kernel(x, cols, scale);
  const Outcome<double> twin = run_twin(x, cols, scale);
  EXPECT_TRUE(all_close(fast.p, twin.p, float_rounding, 1e-30)) << cols;
  EXPECT_TRUE(all_close(fast.dp, twin.dp, 5 * float_rounding, 1)) << cols;
}

TEST(Softmax, AgreesWithTheTwinAtEveryLength) {
  on_each_target([] {
    for (Index cols = 1; cols <= 50; ++cols) {
      expect_same(normals(rows * cols, 1), cols, 1);
      expect_same(normals(rows * cols, 3), cols, 0.25);
      // All negative: data beyond a row must not be taken for its maximum.
      std::vector<double> below = normals(rows * cols, 4);
      for (double& value : below) value = static_cast<float>(value - 400);
      expect_same(below, cols, 1);
    }
  });
}

TEST(Softmax, NeitherOverflowsNorDividesByZero) {
  on_each_target([] {
    constexpr Index cols = 11;
    std::vector<double> x(rows * cols);
    for (std::size_t k = 0; k < x.size(); ++k) x[k] = k % 3 == 0 ? 1e30F : -1e30F;
    expect_same(x, cols, 0.125);
    std::fill(x.begin(), x.end(), -1e30F);
    expect_same(x, cols, 0.125);
    std::fill(x.begin(), x.end(), std::numeric_limits<float>::max());
    x[4] = std::numeric_limits<float>::lowest();
    expect_same(x, cols, 1);
  });
}

TEST(Softmax, NanAndInfinityMakeTheirRowNan) {
  on_each_target([] {
    constexpr Index cols = 13;
    for (const double odd :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
      for (const std::size_t at : {0U, 8U, 12U}) {
        std::vector<double> x = normals(rows * cols, 1);
        x[2 * cols + at] = odd;
        const Outcome<float> fast = run_kernel(x, cols, 0.5);
        for (Index k = 0; k < rows * cols; ++k) {
          EXPECT_EQ(std::isnan(fast.p[k]), k / cols == 2);
          EXPECT_EQ(std::isnan(fast.dp[k]), k / cols == 2);
        }
      }
    }
  });
}

}  // namespace
}  // namespace probmix::test
