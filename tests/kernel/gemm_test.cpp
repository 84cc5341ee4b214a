// gemm: oneDNN's float product against the naive one in double, and its side effects.
#include "probmix/kernel/gemm.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <thread>

#include "kernel/kernel_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using kernel::Op;

// One product, op(A) m × k and op(B) k × n, with `pad` unused elements at the end of every row.
template <class Real>
struct Product {
  Op op_a, op_b;
  Index m, n, k, lda, ldb, ldc;
  Guarded<Real> a, b, c;

  Product(Op op_a_, Op op_b_, Index m_, Index n_, Index k_, Index pad = 0)
      : op_a(op_a_),
        op_b(op_b_),
        m(m_),
        n(n_),
        k(k_),
        lda((op_a_ == Op::none ? k_ : m_) + pad),
        ldb((op_b_ == Op::none ? n_ : k_) + pad),
        ldc(n_ + pad),
        a(normals((op_a_ == Op::none ? m_ : k_) * lda, 1)),
        b(normals((op_b_ == Op::none ? k_ : n_) * ldb, 2)),
        c(normals(m_ * ldc, 3)) {}

  void run(Real alpha, Real beta) {
    kernel::gemm(op_a, op_b, m, n, k, alpha, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
  }
};

constexpr Op ops[] = {Op::none, Op::transpose};

void expect_float_equals_double(Index m, Index n, Index k, Index pad) {
  for (const Op op_a : ops) {
    for (const Op op_b : ops) {
      for (const double alpha : {1.0, -0.5}) {
        for (const double beta : {0.0, 1.0, 0.25}) {
          Product<float> fast(op_a, op_b, m, n, k, pad);
          Product<double> twin(op_a, op_b, m, n, k, pad);
          fast.run(static_cast<float>(alpha), static_cast<float>(beta));
          twin.run(alpha, beta);
          const double terms = std::sqrt(static_cast<double>(k)) + 1;  // of random sign
          ASSERT_TRUE(all_close(fast.c, twin.c, float_rounding, terms))
              << m << " x " << n << " x " << k << ", alpha " << alpha << ", beta " << beta;
        }
      }
    }
  }
}

TEST(Gemm, FloatAgreesWithTheTwin) {
  constexpr Index some[] = {1, 2, 3, 7, 16, 17, 33};
  for (const Index m : some) {
    for (const Index n : some) {
      for (const Index k : some) expect_float_equals_double(m, n, k, (m + n + k) % 3);
    }
  }
}

TEST(Gemm, FloatAgreesWithTheTwinOnTheShapesOfTraining) {
  expect_float_equals_double(222, 128, 6, 0);
  expect_float_equals_double(222, 32, 128, 0);
  expect_float_equals_double(128, 32, 1151, 0);
  expect_float_equals_double(1151, 2, 32, 5);
}

// The twin itself, from the definition.
TEST(Gemm, DoubleIsTheDefinition) {
  for (const Op op_a : ops) {
    for (const Op op_b : ops) {
      Product<double> p(op_a, op_b, 5, 4, 3, 2);
      const Guarded<double> before = p.c;
      p.run(-2, 0.5);
      for (Index r = 0; r < 5; ++r) {
        for (Index j = 0; j < 4; ++j) {
          double sum = 0;
          for (Index l = 0; l < 3; ++l) {
            sum += (op_a == Op::none ? p.a[r * p.lda + l] : p.a[l * p.lda + r]) *
                   (op_b == Op::none ? p.b[l * p.ldb + j] : p.b[j * p.ldb + l]);
          }
          EXPECT_TRUE(
              close(p.c[r * p.ldc + j], -2 * sum + before[r * p.ldc + j] / 2, double_rounding, 1));
        }
        for (Index j = 4; j < p.ldc; ++j) EXPECT_EQ(p.c[r * p.ldc + j], before[r * p.ldc + j]);
      }
    }
  }
}

template <class Real>
void expect_beta_zero_does_not_read() {
  for (const Op op_a : ops) {
    for (const Op op_b : ops) {
      for (const Index m : {1, 5, 48, 100}) {
        for (const Index n : {1, 2, 16, 33}) {
          for (const Index k : {0, 1, 6, 300}) {
            Product<Real> p(op_a, op_b, m, n, k);
            std::fill_n(p.c.data(), p.c.size(), std::numeric_limits<Real>::quiet_NaN());
            p.run(1, 0);
            for (Index at = 0; at < p.c.size(); ++at) {
              ASSERT_TRUE(std::isfinite(p.c[at])) << m << " x " << n << " x " << k;
            }
          }
        }
      }
    }
  }
}

TEST(Gemm, BetaZeroDoesNotReadC) {
  expect_beta_zero_does_not_read<float>();
  expect_beta_zero_does_not_read<double>();
}

TEST(Gemm, NanInAFactorShows) {
  Product<float> p(Op::none, Op::none, 20, 20, 20);
  p.a[3 * 20 + 5] = std::numeric_limits<float>::quiet_NaN();
  p.run(1, 0);
  for (Index j = 0; j < 20; ++j) EXPECT_TRUE(std::isnan(p.c[3 * 20 + j]));
  EXPECT_TRUE(std::isfinite(p.c[4 * 20]));
}

TEST(Gemm, EmptySizes) {
  std::array<float, 4> c = {1, 2, 3, 4};
  kernel::gemm(Op::none, Op::none, 0, 2, 2, 1.0F, nullptr, 2, nullptr, 2, 0.0F, c.data(), 2);
  kernel::gemm(Op::none, Op::none, 2, 0, 2, 1.0F, nullptr, 2, nullptr, 1, 0.0F, c.data(), 1);
  EXPECT_EQ(c, (std::array<float, 4>{1, 2, 3, 4}));
  kernel::gemm(Op::none, Op::none, 2, 2, 0, 1.0F, nullptr, 1, nullptr, 2, 2.0F, c.data(), 2);
  EXPECT_EQ(c, (std::array<float, 4>{2, 4, 6, 8}));
  kernel::gemm(Op::none, Op::none, 2, 2, 0, 1.0F, nullptr, 1, nullptr, 2, 0.0F, c.data(), 2);
  EXPECT_EQ(c, (std::array<float, 4>{0, 0, 0, 0}));
}

TEST(Gemm, RefusesAWrongLeadingDimension) {
  Product<float> p(Op::none, Op::none, 4, 4, 4);
  p.lda = 3;
  EXPECT_THROW(p.run(1, 0), Error);
}

TEST(Gemm, SameBitsFromTwoThreadsAndAnyOpenMpSetting) {
  const auto compute = [](int omp_threads) {
    const int before = omp_get_max_threads();
    omp_set_num_threads(omp_threads);
    Product<float> p(Op::none, Op::transpose, 600, 200, 300);
    p.run(1, 0.5F);
    EXPECT_EQ(omp_get_max_threads(), omp_threads);  // unchanged
    omp_set_num_threads(before);
    return p.c;
  };
  const auto same = [](const Guarded<float>& x, const Guarded<float>& y) {
    return std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.size()) * 4) == 0;
  };
  const Guarded<float> expected = compute(1);
  EXPECT_TRUE(same(compute(4), expected));
  for (int repeat = 0; repeat < 5; ++repeat) {
    std::array<Guarded<float>, 2> results = {Guarded<float>(0), Guarded<float>(0)};
    std::thread one([&] { results[0] = compute(1); });
    std::thread two([&] { results[1] = compute(3); });
    one.join();
    two.join();
    EXPECT_TRUE(same(results[0], expected));
    EXPECT_TRUE(same(results[1], expected));
  }
}

// A product big enough for oneDNN to share starts no OpenMP workers.
TEST(Gemm, StartsNoThreads) {
  const std::filesystem::path tasks = "/proc/self/task";
  if (!std::filesystem::exists(tasks)) GTEST_SKIP() << "needs Linux";
  const auto count = [&] { return std::distance(std::filesystem::directory_iterator(tasks), {}); };
  const auto before = count();
  const int kept = omp_get_max_threads();
  omp_set_num_threads(7);  // more than an earlier test may have left waiting
  Product<float> p(Op::none, Op::none, 800, 800, 100);
  p.run(1, 0);
  omp_set_num_threads(kept);
  EXPECT_EQ(count(), before);
}

}  // namespace
}  // namespace probmix::test
