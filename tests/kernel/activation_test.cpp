// bias_activation_forward and _backward: values, derivatives, column sums, NaN.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/bias_activation.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Gelu's lower tail is exp(−x²/2) times a slowly varying factor: x² / 2 <= 87 is rounded to float.
double tolerance_of(Activation act) { return act == Activation::gelu ? 1e-5 : float_rounding; }

class ActivationTest : public ::testing::TestWithParam<Activation> {
 protected:
  const Activation act_ = GetParam();
  const double tolerance_ = tolerance_of(act_);
};

std::string name_of(const ::testing::TestParamInfo<Activation>& info) {
  std::string name(activation_names[static_cast<std::size_t>(info.param)]);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, ActivationTest,
                         ::testing::Values(Activation::identity, Activation::relu,
                                           Activation::leaky_relu, Activation::elu,
                                           Activation::tanh, Activation::sigmoid,
                                           Activation::softplus, Activation::silu,
                                           Activation::gelu),
                         name_of);

TEST(ActivationList, EveryActivationIsTested) { EXPECT_EQ(activation_names.size(), 9U); }

// One forward pass of one column without bias.
Guarded<float> forward(Activation act, const std::vector<double>& x) {
  Guarded<float> y(x);
  const std::vector<float> bias(x.size(), 0.0F);
  kernel::bias_activation_forward(act, {y.data(), 1, y.size()}, bias.data(), nullptr);
  return y;
}

// dy of one backward pass with incoming ones; y is the exact output rounded to float.
Guarded<float> backward(Activation act, const std::vector<double>& x) {
  const Guarded<float> pre(x);
  Guarded<float> y(pre.size());
  for (Index k = 0; k < y.size(); ++k) {
    y[k] = static_cast<float>(kernel::naive::activate<double>(act, pre[k]));
  }
  Guarded<float> dy(y.size(), 1.0F);
  std::vector<float> dbias(x.size());
  kernel::bias_activation_backward(act, {y.data(), 1, y.size()}, pre.data(),
                                   {dy.data(), 1, y.size()}, dbias.data());
  return dy;
}

// Absolute error that is ignored: sigmoid and silu are 0 below −88.8, where e^(−x) overflows.
constexpr double negligible = 1e-36;

TEST_P(ActivationTest, ForwardIsAccurateOverTheWholeLine) {
  std::vector<double> x;
  for (double t = -100; t <= 100; t += 0.0037) x.push_back(static_cast<float>(t));
  for (const double t : {0.0, 1e-30, 1e-3, 1.0, 20.0, 90.0, 104.0, 200.0, 1e10, 3e38}) {
    x.push_back(static_cast<float>(t));
    x.push_back(static_cast<float>(-t));
  }
  on_each_target([&] {
    const Guarded<float> y = forward(act_, x);
    for (Index k = 0; k < y.size(); ++k) {
      const double at = x[static_cast<std::size_t>(k)];
      const double expected = kernel::naive::activate(act_, at);
      ASSERT_TRUE(close(y[k], expected, tolerance_, negligible / tolerance_)) << "x = " << at;
    }
  });
}

TEST_P(ActivationTest, BackwardIsAccurateOverTheWholeLine) {
  std::vector<double> x;
  for (double t = -87; t <= 87; t += 0.0031) x.push_back(static_cast<float>(t));
  for (const double t : {0.0, 1e-30, 1e-3, 1.0, 20.0, 90.0, 200.0, 1e10}) {
    x.push_back(static_cast<float>(t));
    x.push_back(static_cast<float>(-t));
  }
  on_each_target([&] {
    const Guarded<float> dy = backward(act_, x);
    for (Index k = 0; k < dy.size(); ++k) {
      const double at = x[static_cast<std::size_t>(k)];
      const auto y = static_cast<float>(kernel::naive::activate(act_, at));
      const double expected = kernel::naive::derivative<double>(act_, y, at);
      // Derivatives are compared as multiples of 1: near its zeros silu's cancels.
      ASSERT_TRUE(close(dy[k], expected, tolerance_, 1)) << "x = " << at;
    }
  });
}

TEST_P(ActivationTest, NanStaysNan) {
  on_each_target([&] {
    const Guarded<float> y = forward(act_, {1, nan, -1, nan, 0, 2, 3, 4, 5, nan});
    for (const Index k : {1, 3, 9}) EXPECT_TRUE(std::isnan(y[k])) << k;
    for (const Index k : {0, 2, 4, 5, 6, 7, 8}) EXPECT_TRUE(std::isfinite(y[k])) << k;
    if (act_ == Activation::identity) return;  // its derivative depends on nothing
    const Guarded<float> dy = backward(act_, {1, nan, -1, nan, 0, 2, 3, 4, 5, nan});
    for (const Index k : {1, 3, 9}) EXPECT_TRUE(std::isnan(dy[k])) << k;
    for (const Index k : {0, 2, 4, 5, 6, 7, 8}) EXPECT_TRUE(std::isfinite(dy[k])) << k;
  });
}

TEST_P(ActivationTest, NanInIncomingGradientStaysNan) {
  on_each_target([&] {
    std::vector<float> x(9, -1.0F);
    std::vector<float> y(9, static_cast<float>(kernel::naive::activate(act_, -1.0)));
    std::vector<float> dy(9, static_cast<float>(nan));
    std::vector<float> dbias(9);
    kernel::bias_activation_backward(act_, {y.data(), 1, 9}, x.data(), {dy.data(), 1, 9},
                                     dbias.data());
    for (const float d : dy) EXPECT_TRUE(std::isnan(d));
    for (const float d : dbias) EXPECT_TRUE(std::isnan(d));
  });
}

TEST_P(ActivationTest, InfinityGivesTheLimitOrNan) {
  const double limit[2] = {kernel::naive::activate(act_, -1e30),
                           kernel::naive::activate(act_, infinity)};
  on_each_target([&] {
    const Guarded<float> y = forward(act_, {-infinity, infinity});
    const bool unbounded = act_ == Activation::identity || act_ == Activation::leaky_relu;  // below
    EXPECT_TRUE(std::isnan(y[0]) || y[0] == (unbounded ? -infinity : limit[0])) << y[0];
    EXPECT_EQ(y[1], limit[1]);
  });
}

// Shapes: rows and columns around the vector widths. This covers partial vectors, folding of narrow
// matrices, and more rows than one block of the column sums.
TEST_P(ActivationTest, MatricesAgreeWithTheTwin) {
  const double bias_scale = 0.5;
  const auto all_of = [&](Index cols) { return kernel::ColumnActivation{act_, cols}; };
  for (const Index rows :
       {Index{0}, Index{1}, Index{2}, Index{5}, Index{16}, Index{37}, Index{300}}) {
    for (const Index cols : sizes) {
      if (rows * cols > 40000) continue;
      SCOPED_TRACE(::testing::Message() << rows << " x " << cols);
      const auto x = normals(rows * cols, 1, 2);
      const auto bias_values = normals(cols, 2, bias_scale);
      const auto dy_values = normals(rows * cols, 3);
      Guarded<double> y64(x), bias64(bias_values), pre64(rows * cols), dy64(dy_values);
      Guarded<double> dbias64(cols, 0.25);
      kernel::naive::bias_activation_forward(all_of(cols), View<double>{y64.data(), rows, cols},
                                             bias64.data(), pre64.data());
      kernel::naive::bias_activation_backward(
          all_of(cols), View<const double>{y64.data(), rows, cols}, pre64.data(),
          View<double>{dy64.data(), rows, cols}, dbias64.data());
      on_each_target([&] {
        Guarded<float> y(x), bias(bias_values), pre(rows * cols), dy(dy_values);
        Guarded<float> dbias(cols, 0.25F);
        kernel::bias_activation_forward(act_, {y.data(), rows, cols}, bias.data(), pre.data());
        // Inputs are rounded (x + bias), so errors are compared as multiples of 1.
        ASSERT_TRUE(all_close(y, y64, tolerance_, 1));
        ASSERT_TRUE(all_close(pre, pre64, float_rounding, 1));
        Guarded<float> without_pre(x);
        kernel::bias_activation_forward(act_, {without_pre.data(), rows, cols}, bias.data(),
                                        nullptr);
        ASSERT_TRUE(all_close(without_pre, y, exact, 1));
        kernel::bias_activation_backward(act_, {y.data(), rows, cols},
                                         kernel::needs_pre(act_) ? pre.data() : nullptr,
                                         {dy.data(), rows, cols}, dbias.data());
        ASSERT_TRUE(all_close(dy, dy64, tolerance_, 1));
        const double terms = std::sqrt(static_cast<double>(rows)) + 1;  // of random sign
        ASSERT_TRUE(all_close(dbias, dbias64, float_rounding, terms));
      });
    }
  }
}

// The first columns are activated, the others are not.
TEST_P(ActivationTest, SomeColumnsAgreeWithTheTwin) {
  for (const Index rows : {Index{1}, Index{5}, Index{131}}) {
    for (const auto& [cols, activated] : {std::pair<Index, Index>{2, 1},
                                          {9, 4},
                                          {24, 12},
                                          {37, 0},
                                          {40, 39},
                                          {64, 32},
                                          {130, 65},
                                          {256, 128}}) {
      SCOPED_TRACE(::testing::Message() << rows << " x " << activated << " of " << cols);
      const kernel::ColumnActivation act{act_, activated};
      const auto x = normals(rows * cols, 1, 2);
      const auto bias_values = normals(cols, 2, 0.5);
      const auto dy_values = normals(rows * cols, 3);
      Guarded<double> y64(x), bias64(bias_values), pre64(rows * cols), dy64(dy_values);
      Guarded<double> dbias64(cols, 0.25);
      kernel::naive::bias_activation_forward(act, View<double>{y64.data(), rows, cols},
                                             bias64.data(), pre64.data());
      kernel::naive::bias_activation_backward(act, View<const double>{y64.data(), rows, cols},
                                              pre64.data(), View<double>{dy64.data(), rows, cols},
                                              dbias64.data());
      on_each_target([&, cols = cols] {
        Guarded<float> y(x), bias(bias_values), pre(rows * cols), dy(dy_values);
        Guarded<float> dbias(cols, 0.25F);
        kernel::bias_activation_forward(act, View<float>{y.data(), rows, cols}, bias.data(),
                                        pre.data());
        ASSERT_TRUE(all_close(y, y64, tolerance_, 1));
        ASSERT_TRUE(all_close(pre, pre64, float_rounding, 1));
        kernel::bias_activation_backward(act, View<const float>{y.data(), rows, cols},
                                         kernel::needs_pre(act_) ? pre.data() : nullptr,
                                         View<float>{dy.data(), rows, cols}, dbias.data());
        ASSERT_TRUE(all_close(dy, dy64, tolerance_, 1));
        const double terms = std::sqrt(static_cast<double>(rows)) + 1;  // of random sign
        ASSERT_TRUE(all_close(dbias, dbias64, float_rounding, terms));
      });
    }
  }
}

TEST_P(ActivationTest, DoubleGradientMatchesFiniteDifferences) {
  constexpr Index rows = 5;
  constexpr Index cols = 7;
  auto x = normals(rows * cols, 4, 2);
  auto bias = normals(cols, 5);
  const auto weights = normals(rows * cols, 6);
  const auto run = [&](std::vector<double>& pre) {
    std::vector<double> y = x;
    kernel::bias_activation_forward(act_, View<double>{y.data(), rows, cols}, bias.data(),
                                    pre.data());
    return y;
  };
  const auto loss = [&] {
    std::vector<double> pre(x.size());
    const auto y = run(pre);
    return std::inner_product(y.begin(), y.end(), weights.begin(), 0.0);
  };
  std::vector<double> pre(x.size());
  const auto y = run(pre);
  std::vector<double> dy = weights;
  std::vector<double> dbias(cols);
  kernel::bias_activation_backward(act_, View<const double>{y.data(), rows, cols}, pre.data(),
                                   View<double>{dy.data(), rows, cols}, dbias.data());
  EXPECT_TRUE(gradient_matches(loss, x, dy, gradient));
  EXPECT_TRUE(gradient_matches(loss, bias, dbias, gradient));
}

}  // namespace
}  // namespace probmix::test
