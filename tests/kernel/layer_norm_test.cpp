// Layer normalisation, on every instruction set, against the naive twin in double.
#include "probmix/kernel/layer_norm.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive_norm.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// Everything that both directions read and write.
template <class Real>
struct Case {
  Index rows, cols;
  Guarded<Real> x{normals(rows * cols, 1)};
  Guarded<Real> residual{normals(rows * cols, 2)};
  Guarded<Real> gain{normals(cols, 3)};
  Guarded<Real> bias{normals(cols, 4)};
  Guarded<Real> normalised = Guarded<Real>(rows * cols);
  Guarded<Real> inverse = Guarded<Real>(rows);
  Guarded<Real> y = Guarded<Real>(rows * cols);
  Guarded<Real> restored = Guarded<Real>(rows * cols);
  Guarded<Real> dy{normals(rows * cols, 5)};
  Guarded<Real> dgain{normals(cols, 6)};
  Guarded<Real> dbias{normals(cols, 7)};

  View<const Real> view(const Guarded<Real>& of) const { return {of.data(), rows, cols}; }

  template <class Forward, class Restore, class Backward>
  void run(bool summed, Forward forward, Restore restore, Backward backward) {
    forward(view(x), summed ? residual.data() : nullptr, gain.data(), bias.data(),
            normalised.data(), inverse.data(), y.data());
    restore(view(normalised), gain.data(), bias.data(), restored.data());
    backward(view(normalised), inverse.data(), gain.data(), View<Real>{dy.data(), rows, cols},
             dgain.data(), dbias.data());
  }
  void run_kernel(bool summed) {
    run(
        summed, [](auto... a) { kernel::layer_norm_forward(a...); },
        [](auto... a) { kernel::layer_norm_restore(a...); },
        [](auto... a) { kernel::layer_norm_backward(a...); });
  }
  void run_twin(bool summed) {
    run(
        summed, [](auto... a) { kernel::naive::layer_norm_forward<Real>(a...); },
        [](auto... a) { kernel::naive::layer_norm_restore<Real>(a...); },
        [](auto... a) { kernel::naive::layer_norm_backward<Real>(a...); });
  }
};

void expect_same(const Case<float>& fast, const Case<double>& twin) {
  // Sums over a row; a short row can lose a digit or two if its deviation is small.
  constexpr double tolerance = 20 * float_rounding;
  EXPECT_TRUE(all_close(fast.normalised, twin.normalised, tolerance, 1));
  EXPECT_TRUE(all_close(fast.inverse, twin.inverse, tolerance, 1));
  EXPECT_TRUE(all_close(fast.y, twin.y, tolerance, 1));
  EXPECT_TRUE(all_close(fast.restored, twin.restored, tolerance, 1));
  EXPECT_TRUE(all_close(fast.dy, twin.dy, tolerance, 10));
  EXPECT_TRUE(all_close(fast.dgain, twin.dgain, tolerance, 1));
  EXPECT_TRUE(all_close(fast.dbias, twin.dbias, tolerance, 1));
}

TEST(LayerNormKernel, AgreesWithTheTwinAtEveryWidth) {
  on_each_target([] {
    for (Index cols = 1; cols <= 40; ++cols) {
      for (const bool summed : {false, true}) {
        SCOPED_TRACE(cols);
        Case<float> fast{5, cols};
        Case<double> twin{5, cols};
        fast.run_kernel(summed);
        twin.run_twin(summed);
        expect_same(fast, twin);
      }
    }
  });
}

TEST(LayerNormKernel, ConstantRowsBecomeTheBias) {
  on_each_target([] {
    for (const Index cols : {1, 7, 8, 33}) {
      Case<float> fast{3, cols};
      std::fill_n(fast.x.data(), 3 * cols, 12.25F);
      fast.run_kernel(false);
      for (Index k = 0; k < 3 * cols; ++k) {
        EXPECT_NEAR(fast.normalised[k], 0, 1e-3);  // a rounded mean, over sqrt(ε)
        EXPECT_TRUE(std::isfinite(fast.dy[k]));
      }
      for (Index c = 0; c < cols; ++c) EXPECT_NEAR(fast.y[c], fast.bias[c], 5e-3);
    }
  });
}

TEST(LayerNormKernel, LargeNumbersKeepTheirShape) {
  on_each_target([] {
    Case<float> fast{2, 19};
    Case<double> twin{2, 19};
    for (Index k = 0; k < 38; ++k) {
      fast.x[k] *= 1e15F;
      twin.x[k] = fast.x[k];
    }
    fast.run_kernel(false);
    twin.run_twin(false);
    EXPECT_TRUE(all_close(fast.y, twin.y, 20 * float_rounding, 1));
  });
}

TEST(LayerNormKernel, NanStaysInItsRow) {
  on_each_target([] {
    for (const Index at : {0, 8, 12}) {
      Case<float> fast{3, 13};
      fast.x[13 + at] = static_cast<float>(nan);
      fast.run_kernel(true);
      for (Index k = 0; k < 39; ++k) {
        EXPECT_EQ(std::isnan(fast.y[k]), k / 13 == 1);
        EXPECT_EQ(std::isnan(fast.dy[k]), k / 13 == 1);
      }
    }
  });
}

TEST(LayerNormKernel, OutputMayBeTheInputOrTheResidual) {
  on_each_target([] {
    Case<float> apart{4, 21};
    apart.run_kernel(true);
    for (const bool onto_x : {true, false}) {
      Case<float> in_place{4, 21};
      Guarded<float>& y = onto_x ? in_place.x : in_place.residual;
      kernel::layer_norm_forward(in_place.view(in_place.x), in_place.residual.data(),
                                 in_place.gain.data(), in_place.bias.data(),
                                 in_place.normalised.data(), in_place.inverse.data(), y.data());
      EXPECT_TRUE(all_close(y, apart.y, exact, 0));
    }
  });
}

}  // namespace
}  // namespace probmix::test
