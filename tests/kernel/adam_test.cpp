// adam_update against the algorithm written out, and against torch.optim.Adam.
#include "probmix/kernel/adam.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/golden.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

// The bias corrections of step t folded into rate and epsilon, as a trainer does.
kernel::AdamCoefficients coefficients(double lr, double beta1, double beta2, double epsilon, int t,
                                      double scale = 1) {
  const double correction1 = 1 - std::pow(beta1, t);
  const double correction2 = std::sqrt(1 - std::pow(beta2, t));
  return {lr * correction2 / correction1, beta1, beta2, epsilon * correction2, scale};
}

// Kingma & Ba, algorithm 1, word for word.
TEST(Adam, IsAlgorithmOne) {
  constexpr Index n = 7;
  constexpr double lr = 0.02, beta1 = 0.8, beta2 = 0.95, epsilon = 1e-3, scale = 0.25;
  Guarded<double> parameter(normals(n, 1)), m(n), v(n);
  std::vector<double> theta = normals(n, 1), m_ref(n), v_ref(n);
  for (int t = 1; t <= 10; ++t) {
    const auto g = normals(n, 10 + static_cast<std::uint64_t>(t));
    kernel::adam_update(coefficients(lr, beta1, beta2, epsilon, t, scale), g.data(), m.data(),
                        v.data(), parameter.data(), n);
    for (std::size_t k = 0; k < n; ++k) {
      const double gk = scale * g[k];
      m_ref[k] = beta1 * m_ref[k] + (1 - beta1) * gk;
      v_ref[k] = beta2 * v_ref[k] + (1 - beta2) * gk * gk;
      const double m_hat = m_ref[k] / (1 - std::pow(beta1, t));
      const double v_hat = v_ref[k] / (1 - std::pow(beta2, t));
      theta[k] -= lr * m_hat / (std::sqrt(v_hat) + epsilon);
    }
    EXPECT_TRUE(all_close(parameter, Guarded<double>(theta), double_rounding, 1)) << "step " << t;
  }
}

TEST(Adam, FloatAgreesWithTheTwin) {
  for (const Index n : sizes) {
    const auto start = normals(n, 2);
    Guarded<double> parameter64(start), m64(n), v64(n);
    on_each_target([&] {
      Guarded<float> parameter(start), m(n), v(n);
      parameter64 = Guarded<double>(start);
      m64 = v64 = Guarded<double>(n);
      for (int t = 1; t <= 3; ++t) {
        const auto g = normals(n, 20 + static_cast<std::uint64_t>(t));
        const auto c = coefficients(0.01, 0.9, 0.999, 1e-8, t, 0.5);
        const Guarded<float> g32(g);
        kernel::adam_update(c, g32.data(), m.data(), v.data(), parameter.data(), n);
        kernel::naive::adam_update(c, g.data(), m64.data(), v64.data(), parameter64.data(), n);
      }
      EXPECT_TRUE(all_close(parameter, parameter64, float_rounding, 1)) << "n = " << n;
      EXPECT_TRUE(all_close(m, m64, float_rounding, 0.1)) << "n = " << n;
      EXPECT_TRUE(all_close(v, v64, float_rounding, 0)) << "n = " << n;
    });
  }
}

// A NaN gradient must show in the parameter.
TEST(Adam, NanStaysNan) {
  on_each_target([] {
    Guarded<float> g(9, 1.0F), m(9), v(9), parameter(9, 1.0F);
    g[8] = std::numeric_limits<float>::quiet_NaN();
    kernel::adam_update(coefficients(0.01, 0.9, 0.999, 1e-8, 1), g.data(), m.data(), v.data(),
                        parameter.data(), 9);
    EXPECT_TRUE(std::isnan(parameter[8]));
    EXPECT_TRUE(std::isfinite(parameter[7]));
  });
}

// A dead unit: its mean gradient ends at 0, not at a subnormal number.
TEST(Adam, MomentsThatNoLongerCountBecomeZero) {
  on_each_target([] {
    Guarded<float> g(9, 1e-3F), m(9), v(9), parameter(9, 1.0F);
    for (int t = 1; t <= 2000; ++t) {
      kernel::adam_update(coefficients(0.01, 0.9, 0.99, 1e-8, t), g.data(), m.data(), v.data(),
                          parameter.data(), 9);
      g = Guarded<float>(9);
      EXPECT_TRUE(m[8] == 0 || std::isnormal(m[8])) << "step " << t;
    }
    EXPECT_EQ(m[8], 0);
    EXPECT_TRUE(std::isnormal(v[8]));
    for (int t = 1; t <= 10000; ++t) {
      kernel::adam_update(coefficients(0.01, 0.9, 0.99, 1e-8, 2000 + t), g.data(), m.data(),
                          v.data(), parameter.data(), 9);
    }
    EXPECT_EQ(v[8], 0);
    EXPECT_GT(parameter[8], 0.9F);
  });
}

// Its square overflows: no step, rather than a huge one.
TEST(Adam, GradientBeyondAllBoundsMovesNothing) {
  on_each_target([] {
    Guarded<float> g(9, 1e30F), m(9), v(9), parameter(9, 1.0F);
    kernel::adam_update(coefficients(0.01, 0.9, 0.999, 1e-8, 1), g.data(), m.data(), v.data(),
                        parameter.data(), 9);
    EXPECT_EQ(parameter[0], 1.0F);
    EXPECT_EQ(parameter[8], 1.0F);
  });
}

template <class Real>
void expect_torch_values(const nlohmann::json& golden, double tolerance) {
  for (const auto& setting : golden.at("cases")) {
    Guarded<Real> parameter(golden.at("start").get<std::vector<double>>());
    Guarded<Real> m(parameter.size()), v(parameter.size());
    int t = 0;
    for (const auto& row : golden.at("gradients")) {
      const Guarded<Real> g(row.get<std::vector<double>>());
      const auto& expected = setting.at("parameters").at(static_cast<std::size_t>(t));
      ++t;
      kernel::adam_update(coefficients(setting.at("lr"), setting.at("beta1"), setting.at("beta2"),
                                       setting.at("epsilon"), t),
                          g.data(), m.data(), v.data(), parameter.data(), g.size());
      EXPECT_TRUE(
          all_close(parameter, Guarded<double>(expected.get<std::vector<double>>()), tolerance, 1))
          << "step " << t;
    }
    EXPECT_EQ(t, 5);
  }
}

TEST(Adam, EqualsTorch) {
  const auto golden = read_golden("adam.json");
  expect_torch_values<double>(golden, double_rounding);
  on_each_target([&] { expect_torch_values<float>(golden, float_rounding); });
}

}  // namespace
}  // namespace probmix::test
