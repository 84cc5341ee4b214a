// The batched risk against the scalar one: every case that has both paths, ordinary and extreme
// numbers, on every instruction set.
#include "probmix/mix/batched_risk.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernel/kernel_support.hpp"
#include "probmix/mix/scalar_risk.hpp"
#include "support/cases.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

enum class Kind { single, log_linear, linear };

// A call for one family with random numbers everywhere; tests then change some.
template <class Real>
struct Call {
  Call(const Family& family_, Kind kind_, Index pairs_, Index draws_, Index atoms,
       Criterion criterion = Criterion::mean_log)
      : family(family_),
        kind(kind_),
        pairs(pairs_),
        draws(draws_),
        rows(kind == Kind::single ? pairs * draws : pairs + 2),  // two are only partners
        criterion_(criterion),
        out(rows, outputs(family)),
        dout(rows, outputs(family)),
        targets(pairs * draws, atoms, responses(family)) {
    Stream stream(static_cast<std::uint64_t>(pairs), Purpose::test);
    for (Index k = 0; k < rows * out.cols(); ++k) {
      out.data()[k] = static_cast<Real>(2 * stream.normal());
    }
    targets.y = random_data(family, pairs * draws * atoms, 1, 4).y;
    for (Index m = 0; m < pairs * draws; ++m) {
      double left = 1;
      for (Index a = 0; a + 1 < atoms; ++a) {
        targets.weight(m, a) = a % 2 == 1 ? 0 : left * stream.uniform();
        left -= targets.weight(m, a);
      }
      targets.weight(m, atoms - 1) = left;
      constexpr double ends[] = {0, 1e-12, 0.5, 1 - 1e-12, 1};
      lambda.push_back(m % 2 == 0 ? stream.uniform() : ends[stream.below(5)]);
    }
    for (Index b = 0; b < pairs; ++b) {
      partner.push_back(b % 5 == 3 ? b : stream.below(static_cast<std::uint32_t>(rows)));
      weight.push_back(b % 7 == 2 ? 0 : 0.5 + stream.uniform());
    }
  }

  // The loss and, in `dout`, its gradient, by one of the paths.
  double batched() {
    return std::visit(
        [&](const auto& f) -> double {
          if constexpr (requires { batched_risk_memory(f, rows); }) {
            memory.assign(to_size(batched_risk_memory(f, rows)), std::nan(""));
            EXPECT_TRUE(has_batched_risk(f, call()));
            return batched_risk(f, call());
          }
          return std::nan("");
        },
        family);
  }
  double scalar() {
    memory.assign(to_size(scalar_risk_memory(family, rows)), std::nan(""));
    return scalar_risk(family, call());
  }
  RiskCall<Real> call() {
    const Pairs of{pairs,          pairs + 3,    weight.data(), kind != Kind::single,
                   partner.data(), lambda.data()};
    return {kind == Kind::linear ? Pooling::linear : Pooling::log_linear,
            criterion_,
            draws,
            View<const Real>(out.view()),
            of,
            targets,
            wants_gradient ? dout.data() : nullptr,
            memory.data()};
  }

  Family family;
  Kind kind;
  Index pairs, draws, rows;
  Criterion criterion_;
  bool wants_gradient = true;
  Matrix<Real> out, dout;
  Targets targets;
  std::vector<Index> partner;
  std::vector<double> lambda, weight;
  AlignedVector<double> memory;
};

// Both paths agree, relative to `unit`, the size of the terms in the sums.
template <class Real>
void expect_same(Call<Real>& c, double tolerance, double unit = 1) {
  const double expected = c.scalar();
  const Matrix<Real> gradient = c.dout;
  on_each_target([&] {
    std::fill_n(c.dout.data(), c.rows * c.dout.cols(), static_cast<Real>(-1));
    const double loss = c.batched();
    EXPECT_TRUE(close(loss, expected, tolerance, unit));
    for (Index k = 0; k < c.rows * c.dout.cols(); ++k) {
      ASSERT_TRUE(close(static_cast<double>(c.dout.data()[k]),
                        static_cast<double>(gradient.data()[k]), tolerance, unit))
          << "row " << k / c.dout.cols() << ", column " << k % c.dout.cols();
    }
    c.wants_gradient = false;
    EXPECT_EQ(c.batched(), loss);
    c.wants_gradient = true;
  });
}

template <class Use>
void for_all_calls(Use use) {
  for (const auto& [label, family] : family_cases()) {
    const bool gaussian = std::holds_alternative<Gaussian>(family);
    const bool student_t = std::holds_alternative<StudentT>(family) && responses(family) == 1;
    if (!gaussian && !student_t && !std::holds_alternative<Categorical>(family)) continue;
    for (const Kind kind : {Kind::single, Kind::log_linear, Kind::linear}) {
      if (kind == Kind::linear && gaussian && responses(family) > 1) continue;
      if (kind == Kind::log_linear && student_t) continue;
      for (const Index draws : {1, 3}) {
        for (const Index atoms : {1, 4}) {
          SCOPED_TRACE(::testing::Message() << label << ", kind " << static_cast<int>(kind)
                                            << ", K = " << draws << ", atoms = " << atoms);
          use(family, kind, draws, atoms);
        }
      }
    }
  }
}

TEST(BatchedRisk, AgreesWithTheScalarRisk) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    for (const Index pairs : {1, 2, 3, 4, 5, 7, 8, 9, 16, 61}) {
      SCOPED_TRACE(pairs);
      Call<double> wide(family, kind, pairs, draws, atoms);
      expect_same(wide, 1e-13);  // a hundred roundings
      Call<float> narrow(family, kind, pairs, draws, atoms);
      expect_same(narrow, 1e-7);  // the gradient is rounded to float
    }
  });
}

TEST(BatchedRisk, CriteriaAreOneForOneDrawAndAtom) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    if (draws > 1 || atoms > 1) return;
    Call<double> c(family, kind, 9, 1, 1, Criterion::log_mean);
    expect_same(c, 1e-13);
  });
}

// Log-variances of ±30 and residuals of 1000 beside ordinary rows. The scalar path's mean φ_1 / φ_2
// has a rounding error of the order of |µ|, which the precision 1e4 (floor 1e-4) multiplies.
TEST(BatchedRisk, AgreesAtExtremeNumbers) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    const bool gaussian = !std::holds_alternative<Categorical>(family);  // or Student's t
    Call<double> c(family, kind, 61, draws, atoms);
    Stream stream(5, Purpose::test);
    constexpr double extremes[] = {-30, -8, 0, 39, 41, 30};
    for (Index r = 0; r < c.rows; ++r) {
      for (Index k = 0; k < c.out.cols(); ++k) {
        if (gaussian && k < responses(family)) {
          if (r % 3 == 0) c.out(r, k) *= 500;
        } else {
          c.out(r, k) = (gaussian ? 1 : 20) * extremes[stream.below(6)];
        }
      }
    }
    // For a linear pool the scalar path rounds log-densities of 1e10 before it compares them.
    const bool compares = gaussian && kind == Kind::linear;
    expect_same(c, compares ? 1e-5 : 1e-12, gaussian ? 1e6 : 1e3);
    for (Index k = 0; k < c.rows * c.dout.cols(); ++k) {
      EXPECT_TRUE(std::isfinite(c.dout.data()[k]));
    }
  });
}

// A row pooled with itself is the row, for every λ and however extreme.
TEST(BatchedRisk, ARowPooledWithItselfIsTheRow) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    if (kind == Kind::single || draws > 1) return;
    for (const double scale : {1.0, 15.0}) {
      Call<double> fused(family, kind, 16, 1, atoms);
      for (Index k = 0; k < fused.rows * fused.out.cols(); ++k) fused.out.data()[k] *= scale;
      for (Index b = 0; b < 16; ++b) fused.partner[to_size(b)] = b;
      Call<double> plain(family, Kind::single, 16, 1, atoms);
      std::copy_n(fused.out.data(), 16 * fused.out.cols(), plain.out.data());
      plain.targets = fused.targets;
      plain.weight = fused.weight;
      const double unit = scale == 1 ? 1 : 1e5;  // p ρ², p up to 1e4
      on_each_target([&] {
        EXPECT_TRUE(close(fused.batched(), plain.batched(), 1e-13, unit));
        for (Index k = 0; k < 16 * fused.out.cols(); ++k) {
          EXPECT_TRUE(close(fused.dout.data()[k], plain.dout.data()[k], 1e-13, unit)) << k;
        }
      });
    }
  });
}

// Anything not finite shows in the loss or its gradient, as in the scalar path. (A variance of +∞
// need not: log-linear pooling gives such a row no weight.)
TEST(BatchedRisk, NotANumberIsNeverHidden) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    for (const double bad : {std::nan(""), infinity, -infinity}) {
      for (const Index column : {0, outputs(family) - 1}) {
        Call<double> c(family, kind, 9, draws, atoms);
        for (double& l : c.lambda) l = 0.25;
        std::fill(c.weight.begin(), c.weight.end(), 1.0);
        c.out(1, column) = bad;
        const auto shows = [&](double loss) {
          bool finite = std::isfinite(loss);
          for (Index k = 0; k < c.rows * c.dout.cols(); ++k) {
            finite = finite && std::isfinite(c.dout.data()[k]);
          }
          return !finite;
        };
        const bool expected = shows(c.scalar());
        on_each_target([&] {
          const double loss = c.batched();
          EXPECT_EQ(shows(loss), expected) << bad << " in column " << column;
          EXPECT_TRUE(!std::isnan(bad) || std::isnan(loss));
        });
      }
    }
  });
}

// A pair of weight 0 contributes nothing, whatever its rows hold: to the loss or to its partner.
TEST(BatchedRisk, WeightZeroIsSilent) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    Call<double> c(family, kind, 9, draws, atoms);
    std::fill(c.partner.begin(), c.partner.end(), Index{4});  // of all, pair 1 included
    std::fill(c.weight.begin(), c.weight.end(), 1.0);
    c.weight[1] = 0;
    const Index first = kind == Kind::single ? draws : 1;  // rows of pair 1
    const Index last = kind == Kind::single ? 2 * draws : 2;
    for (Index r = first; r < last; ++r) c.out(r, 0) = std::nan("");
    on_each_target([&] {
      EXPECT_TRUE(std::isfinite(c.batched()));
      EXPECT_TRUE(std::isfinite(c.dout(last + 2, 0)));
    });
  });
}

// λ = 1 is the row alone and λ = 0 its partner, to the bit, with one atom for a target.
TEST(BatchedRisk, EndsAreTheMembers) {
  for_all_calls([](const Family& family, Kind kind, Index draws, Index atoms) {
    if (kind == Kind::single || draws > 1 || atoms > 1) return;
    for (const double lambda : {0.0, 1.0}) {
      Call<double> fused(family, kind, 9, 1, 1);
      std::fill(fused.lambda.begin(), fused.lambda.end(), lambda);
      for (Index b = 0; b < 9; ++b) fused.partner[to_size(b)] = (b + 4) % 9;
      Call<double> plain(family, Kind::single, 9, 1, 1);
      plain.targets = fused.targets;
      plain.weight = fused.weight;
      const auto row = [&](Index b) { return lambda == 1 ? b : fused.partner[to_size(b)]; };
      for (Index b = 0; b < 9; ++b) {
        std::copy_n(fused.out.row(row(b)), fused.out.cols(), plain.out.row(b));
      }
      on_each_target([&] {
        EXPECT_EQ(fused.batched(), plain.batched());
        for (Index b = 0; b < 9; ++b) {
          for (Index k = 0; k < fused.out.cols(); ++k) {
            EXPECT_EQ(fused.dout(row(b), k), plain.dout(b, k));
          }
        }
      });
    }
  });
}

TEST(BatchedRisk, OtherCasesTakeTheScalarRoute) {
  Call<double> several(make_family("gaussian", {.responses = 2}), Kind::linear, 3, 1, 1);
  EXPECT_FALSE(has_batched_risk(std::get<Gaussian>(several.family), several.call()));
  Call<double> mean(make_family("gaussian"), Kind::single, 3, 2, 1, Criterion::log_mean);
  EXPECT_FALSE(has_batched_risk(std::get<Gaussian>(mean.family), mean.call()));
  Call<double> atoms(make_family("categorical"), Kind::single, 3, 1, 2, Criterion::log_mean);
  EXPECT_FALSE(has_batched_risk(std::get<Categorical>(atoms.family), atoms.call()));
}

}  // namespace
}  // namespace probmix::test
