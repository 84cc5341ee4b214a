// The products of layers, on every instruction set, against the naive twin in double.
#include "probmix/kernel/product.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/kernel/naive.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Kind = kernel::Start<float>::Kind;
constexpr float no_floor = -std::numeric_limits<float>::infinity();

// Operands of an m × k by k × n product: A and B as stored (transposed or not, with `gap` unused
// numbers after each row), C with a gap as well.
template <class Real>
struct Case {
  Index m, n, k;
  bool a_transposed, b_transposed;
  Index gap;
  Guarded<Real> a{normals(rows(a_transposed, m, k) * (cols(a_transposed, m, k) + gap), 1)};
  Guarded<Real> b{normals(rows(b_transposed, k, n) * (cols(b_transposed, k, n) + gap), 2)};
  Guarded<Real> c{normals(m * (n + gap), 3)};
  Guarded<Real> start{normals(n, 4)};

  static Index rows(bool transposed, Index r, Index c) { return transposed ? c : r; }
  static Index cols(bool transposed, Index r, Index c) { return transposed ? r : c; }

  kernel::Product<Real> product(Kind kind, Real floor) {
    kernel::Strided<Real> at_a{a.data(), cols(a_transposed, m, k) + gap};
    kernel::Strided<Real> at_b{b.data(), cols(b_transposed, k, n) + gap};
    return {m,
            n,
            k,
            a_transposed ? at_a.transposed() : at_a,
            b_transposed ? at_b.transposed() : at_b,
            c.data(),
            n + gap,
            {static_cast<typename kernel::Start<Real>::Kind>(kind), start.data()},
            floor};
  }
};

void expect_equals_twin(Index m, Index n, Index k, Index gap) {
  for (const bool a_transposed : {false, true}) {
    for (const bool b_transposed : {false, true}) {
      for (const Kind kind : {Kind::row, Kind::zero, Kind::c}) {
        const float floor = kind == Kind::row ? 0.0F : no_floor;
        Case<double> twin{m, n, k, a_transposed, b_transposed, gap};
        kernel::naive::product(twin.product(kind, floor));
        Case<float> fast{m, n, k, a_transposed, b_transposed, gap};
        kernel::product(fast.product(kind, floor));
        ASSERT_TRUE(fast.c.intact());
        const double terms = 4 * std::sqrt(static_cast<double>(k)) + 4;
        for (Index at = 0; at < fast.c.size(); ++at) {  // gaps included: they stay as they were
          ASSERT_TRUE(close(fast.c[at], twin.c[at], float_rounding, terms))
              << m << " x " << n << " x " << k << " at " << at << ", start "
              << static_cast<int>(kind) << ", transposed " << a_transposed << b_transposed;
        }
      }
    }
  }
}

TEST(Product, AgreesWithTheTwinAroundTheSizesOfTiles) {
  on_each_target([] {
    for (const Index m : {1, 2, 5, 6, 7, 13, 25}) {
      for (const Index n : {1, 4, 7, 8, 9, 16, 17, 31, 65}) {
        for (const Index k : {0, 1, 3, 4, 9}) expect_equals_twin(m, n, k, (m + n + k) % 3);
      }
    }
  });
}

TEST(Product, AgreesWithTheTwinOnTheShapesOfTraining) {
  on_each_target([] {
    expect_equals_twin(111, 128, 6, 0);
    expect_equals_twin(64, 32, 300, 0);  // deeper than one pass
    expect_equals_twin(2, 128, 513, 5);
    expect_equals_twin(64, 2, 256, 0);
    expect_equals_twin(128, 6, 300, 0);  // computed as its transpose
    expect_equals_twin(32, 11, 40, 3);
  });
}

TEST(Product, ARowDoesNotDependOnTheOthers) {
  on_each_target([] {
    for (const Kind kind : {Kind::row, Kind::c}) {
      for (const Index n : {37, 3}) {  // 3: few columns beside rows that fill vectors
        Case<float> all{32, n, 300, false, true, 0};
        kernel::product(all.product(kind, no_floor));
        for (const Index m : {1, 4, 11}) {
          Case<float> some{32, n, 300, false, true, 0};
          kernel::Product<float> p = some.product(kind, no_floor);
          p.a.data += 7 * p.a.row;
          p.c += 7 * p.c_row;
          p.m = m;
          kernel::product(p);
          for (Index at = 7 * n; at < (7 + m) * n; ++at) ASSERT_EQ(some.c[at], all.c[at]) << m;
        }
      }
    }
  });
}

TEST(Product, NanIsNotHiddenByTheFloor) {
  on_each_target([] {
    Case<float> p{13, 19, 5, false, false, 0};
    p.a[7 * 5 + 2] = std::numeric_limits<float>::quiet_NaN();
    kernel::product(p.product(Kind::zero, 0));
    for (Index at = 0; at < p.c.size(); ++at) {
      if (at / 19 == 7) {
        EXPECT_TRUE(std::isnan(p.c[at]));
      } else {
        EXPECT_GE(p.c[at], 0);
      }
    }
  });
}

// Vectors of 4, 8 and 16 numbers need not give the same bits, as they use fused multiply-add
// differently. What is promised: zero padding and data beyond an operand have no effect.
TEST(Product, WhatLiesBeyondTheOperandsHasNoEffect) {
  on_each_target([] {
    Case<float> clean{13, 19, 5, true, true, 3};
    Case<float> dirty = clean;
    for (Index r = 0; r < 5; ++r) {
      for (Index at = 13; at < 16; ++at)
        dirty.a[r * 16 + at] = std::numeric_limits<float>::infinity();
    }
    for (Index r = 0; r < 19; ++r) {
      for (Index at = 5; at < 8; ++at)
        dirty.b[r * 8 + at] = std::numeric_limits<float>::quiet_NaN();
    }
    kernel::product(clean.product(Kind::zero, no_floor));
    kernel::product(dirty.product(Kind::zero, no_floor));
    for (Index at = 0; at < clean.c.size(); ++at) ASSERT_EQ(clean.c[at], dirty.c[at]);
  });
}

}  // namespace
}  // namespace probmix::test
