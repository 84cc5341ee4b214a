// The risk and its gradient: every family × density × criterion × number of draws.
#include "probmix/mix/risk.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "probmix/base/error.hpp"
#include "support/cases.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr Index pairs = 4;
constexpr Index atoms = 2;

enum class Kind { single, log_linear, linear };
constexpr Kind kinds[] = {Kind::single, Kind::log_linear, Kind::linear};

// Random outputs, targets, partners and weights for a family.
struct RiskCase {
  RiskCase(const Family& family_, Kind kind_, Criterion criterion, int draws_)
      : family(family_),
        kind(kind_),
        draws(draws_),
        risk(family, kind == Kind::linear ? Pooling::linear : Pooling::log_linear, criterion,
             draws_),
        scratch(risk, pairs * draws),
        targets(pairs * draws, atoms, responses(family)) {
    Stream stream(3, Purpose::test);
    out = random_matrix(kind == Kind::single ? pairs * draws : pairs, outputs(family), stream);
    const Dataset<double> data = random_data(family, pairs * draws * atoms, 1, 4);
    targets.y = data.y;
    for (Index m = 0; m < pairs * draws; ++m) {
      targets.weight(m, 0) = 0.3;
      targets.weight(m, 1) = 0.7;
      lambda.push_back(stream.uniform());
    }
    for (Index b = 0; b < pairs; ++b) weight.push_back(0.5 + stream.uniform());
  }

  Pairs pairing() const {
    return {pairs, pairs, weight.data(), kind != Kind::single, partner.data(), lambda.data()};
  }

  double value(Matrix<double>* dout = nullptr) {
    return risk(View<const double>(out.view()), pairing(), targets,
                dout == nullptr ? nullptr : dout->data(), scratch);
  }

  Family family;
  Kind kind;
  Index draws;
  Risk risk;
  Risk::Scratch scratch;
  Targets targets;
  Matrix<double> out;
  std::vector<Index> partner{2, 1, 0, 2};  // one its own partner, one partner of two
  std::vector<double> lambda, weight;
};

std::vector<Kind> kinds_of(const Family& family) {
  std::vector<Kind> found(std::begin(kinds), std::end(kinds));
  if (!is_exponential(family)) std::erase(found, Kind::log_linear);
  return found;
}

template <class Check>
void for_all_cases(Check check) {
  for (const auto& [label, family] : family_cases()) {
    for (const Kind kind : kinds_of(family)) {
      for (const Criterion criterion : {Criterion::mean_log, Criterion::log_mean}) {
        for (const int draws : {1, 3}) {
          SCOPED_TRACE(label + ", kind " + std::to_string(static_cast<int>(kind)) + ", criterion " +
                       std::to_string(static_cast<int>(criterion)) +
                       ", K = " + std::to_string(draws));
          RiskCase c(family, kind, criterion, draws);
          check(c, criterion);
        }
      }
    }
  }
}

TEST(Risk, GradientMatchesFiniteDifferences) {
  for_all_cases([](RiskCase& c, Criterion) {
    Matrix<double> dout(c.out.rows(), c.out.cols());
    c.value(&dout);
    const auto n = static_cast<std::size_t>(c.out.rows() * c.out.cols());
    EXPECT_TRUE(gradient_matches([&] { return c.value(); }, {c.out.data(), n}, {dout.data(), n}));
  });
}

// The definition, written out with std::exp: shares no code except the family's density.
TEST(Risk, ValueIsTheDefinition) {
  for_all_cases([](RiskCase& c, Criterion criterion) {
    const double expected = std::visit(
        [&](const auto& f) {
          const auto parameters = [&](Index row) {
            std::vector<double> phi(static_cast<std::size_t>(f.parameters()));
            f.link(c.out.row(row), phi.data());
            return phi;
          };
          const auto log_p = [&](const std::vector<double>& phi, const double* y) {
            if constexpr (ExponentialFamily<std::decay_t<decltype(f)>>) {
              return generic_log_density(f, phi.data(), f.log_normaliser(phi.data()), y);
            }
            return log_density(f, phi.data(), y);
          };
          double total = 0;
          for (Index b = 0; b < pairs; ++b) {
            double mean_log = 0;
            double mean = 0;
            for (Index m = b * c.draws; m < (b + 1) * c.draws; ++m) {
              const double lambda = c.lambda[static_cast<std::size_t>(m)];
              for (Index a = 0; a < atoms; ++a) {
                const double* const y = c.targets.y.row(m * atoms + a);
                double log_value = 0;
                if (c.kind == Kind::single) {
                  log_value = log_p(parameters(m), y);
                } else {
                  auto phi_i = parameters(b);
                  const auto phi_j = parameters(c.partner[static_cast<std::size_t>(b)]);
                  if (c.kind == Kind::linear) {
                    log_value = std::log(lambda * std::exp(log_p(phi_i, y)) +
                                         (1 - lambda) * std::exp(log_p(phi_j, y)));
                  } else {
                    for (std::size_t k = 0; k < phi_i.size(); ++k) {
                      phi_i[k] = lambda * phi_i[k] + (1 - lambda) * phi_j[k];
                    }
                    log_value = log_p(phi_i, y);
                  }
                }
                const double share = c.targets.weight(m, a) / static_cast<double>(c.draws);
                mean_log += share * log_value;
                mean += share * std::exp(log_value);
              }
            }
            total -= c.weight[static_cast<std::size_t>(b)] / pairs *
                     (criterion == Criterion::mean_log ? mean_log : std::log(mean));
          }
          return total;
        },
        c.family);
    EXPECT_NEAR(c.value(), expected, 1e-9 * std::max(1.0, std::abs(expected)));  // exp(log p) twice
  });
}

TEST(Risk, CriteriaAgreeForOneDrawAndOneAtom) {
  for (const auto& [label, family] : family_cases()) {
    SCOPED_TRACE(label);
    for (const Kind kind : kinds_of(family)) {
      RiskCase mean_log(family, kind, Criterion::mean_log, 1);
      RiskCase log_mean(family, kind, Criterion::log_mean, 1);
      for (RiskCase* c : {&mean_log, &log_mean}) {
        for (Index m = 0; m < pairs; ++m) {
          c->targets.weight(m, 0) = 0;
          c->targets.weight(m, 1) = 1;
        }
      }
      EXPECT_NEAR(mean_log.value(), log_mean.value(), double_rounding * 10);
    }
  }
}

// Jensen: the log of a mean is at least the mean of the logs.
TEST(Risk, LogMeanIsNeverLarger) {
  for (const auto& [label, family] : family_cases()) {
    SCOPED_TRACE(label);
    for (const Kind kind : kinds_of(family)) {
      RiskCase mean_log(family, kind, Criterion::mean_log, 3);
      RiskCase log_mean(family, kind, Criterion::log_mean, 3);
      EXPECT_LT(log_mean.value(), mean_log.value());
    }
  }
}

// Pooling commutes with swapping (i, λ) and (j, 1−λ), and λ = 1 is the identity.
TEST(Risk, PoolingIsSymmetricAndEndsAtItsMembers) {
  for (const auto& [label, family] : family_cases()) {
    SCOPED_TRACE(label);
    for (const Kind kind : kinds_of(family)) {
      if (kind == Kind::single) continue;
      RiskCase c(family, kind, Criterion::mean_log, 1);
      c.partner = {1, 0, 3, 2};
      for (double& w : c.weight) w = 1;
      // Same target for both directions of a pair.
      for (Index b : {0, 2}) {
        for (Index a = 0; a < atoms; ++a) {
          std::copy_n(c.targets.y.row(b * atoms + a), responses(family),
                      c.targets.y.row((b + 1) * atoms + a));
        }
      }
      c.lambda = {0.25, 0, 0.5, 0};
      c.weight = {1, 0, 1, 0};
      const double one_way = c.value();
      c.lambda = {0, 0.75, 0, 0.5};
      c.weight = {0, 1, 0, 1};
      EXPECT_NEAR(c.value(), one_way, double_rounding * std::max(1.0, std::abs(one_way)));

      c.weight = {1, 1, 1, 1};
      c.lambda = {1, 1, 1, 1};
      RiskCase plain(family, Kind::single, Criterion::mean_log, 1);
      plain.out = c.out;
      plain.targets = c.targets;
      plain.weight = c.weight;
      Matrix<double> fused_gradient(c.out.rows(), c.out.cols());
      Matrix<double> plain_gradient(c.out.rows(), c.out.cols());
      // To the bit if targets have one atom (Step.IsErmForLambdaOne); with several, the paths of a
      // single Gaussian and of a linear pool sum in different orders.
      const double fused = c.value(&fused_gradient);
      EXPECT_NEAR(fused, plain.value(&plain_gradient),
                  double_rounding * std::max(1.0, std::abs(fused)));
      for (Index k = 0; k < c.out.rows() * c.out.cols(); ++k) {
        const double expected = plain_gradient.data()[k];
        EXPECT_NEAR(fused_gradient.data()[k], expected,
                    double_rounding * std::max(1.0, std::abs(expected)));
      }
    }
  }
}

// Nothing of a pair or an atom of weight 0 is looked at.
TEST(Risk, WeightZeroLeavesOut) {
  for (const auto& [label, family] : family_cases()) {
    if (!std::holds_alternative<Gaussian>(family)) continue;
    for (const Kind kind : kinds_of(family)) {
      for (const Criterion criterion : {Criterion::mean_log, Criterion::log_mean}) {
        SCOPED_TRACE(label);
        RiskCase c(family, kind, criterion, 1);
        c.weight = {0, 1, 1, 1};
        c.targets.weight(1, 1) = 0;
        Matrix<double> before(c.out.rows(), c.out.cols());
        Matrix<double> after(c.out.rows(), c.out.cols());
        const double without = c.value(&before);
        const double nan = std::nan("");
        std::fill_n(c.targets.y.row(0), 2 * c.targets.y.cols(), nan);
        std::fill_n(c.targets.y.row(3), c.targets.y.cols(), nan);
        EXPECT_EQ(c.value(&after), without);
        for (Index k = 0; k < c.out.rows() * c.out.cols(); ++k) {
          EXPECT_EQ(after.data()[k], before.data()[k]);
        }
      }
    }
  }
}

// A batch in tiles: the losses add up, and each tile has its rows of the gradient.
TEST(Risk, TilesAddUp) {
  for_all_cases([](RiskCase& c, Criterion) {
    if (c.kind != Kind::single) return;
    Matrix<double> whole(c.out.rows(), c.out.cols());
    Matrix<double> tiled(c.out.rows(), c.out.cols());
    const double loss = c.value(&whole);
    double sum = 0;
    for (const auto& [first, count] : {std::pair<Index, Index>{0, 3}, {3, 1}}) {
      const Index row = first * c.draws;
      const Index rows = count * c.draws;
      const TargetsView targets = TargetsView(c.targets).part(row, rows);
      const Pairs tile{.count = count, .total = pairs, .weight = c.weight.data() + first};
      sum += c.risk(View<const double>{c.out.row(row), rows, c.out.cols()}, tile, targets,
                    tiled.row(row), c.scratch);
    }
    EXPECT_NEAR(sum, loss, double_rounding * std::max(1.0, std::abs(loss)));
    for (Index k = 0; k < whole.rows() * whole.cols(); ++k) {
      EXPECT_EQ(tiled.data()[k], whole.data()[k]) << k;
    }
  });
}

TEST(Risk, RefusesMoreRowsThanItsScratchHolds) {
  RiskCase c(make_family("gaussian"), Kind::single, Criterion::mean_log, 1);
  c.out = Matrix<double>(pairs + 1, 2);
  EXPECT_THROW(c.value(), Error);
}

TEST(Risk, NotANumberIsNeverHidden) {
  for (const auto& [label, family] : family_cases()) {
    for (const Kind kind : kinds_of(family)) {
      for (const Criterion criterion : {Criterion::mean_log, Criterion::log_mean}) {
        for (const Index row : {0, 2}) {  // row 2 is also the partner of row 0
          for (Index column = 0; column < outputs(family); ++column) {
            RiskCase c(family, kind, criterion, 1);
            c.out(row, column) = std::nan("");
            EXPECT_TRUE(std::isnan(c.value())) << label << ", column " << column;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace probmix::test
