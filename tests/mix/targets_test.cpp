// Fused targets against the paper's formulas.
#include "probmix/mix/targets.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "probmix/base/error.hpp"
#include "support/cases.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

struct Fused {
  Fused(const Family& family, std::string_view method, const MixOptions& options, double lambda,
        const std::vector<double>& y_i, const std::vector<double>& y_j, std::uint64_t seed = 0)
      : fusion(family, find_method(method), options),
        targets(1, fusion.atoms(), fusion.responses()) {
    Stream stream(seed, Purpose::target);
    const double uniform = stream.uniform();
    std::vector<float> normal(to_size(fusion.responses()));
    for (float& e : normal) e = static_cast<float>(stream.normal());
    std::vector<double> y = y_i;
    y.insert(y.end(), y_j.begin(), y_j.end());
    const Index rows[] = {0, 1};
    const Index partner = 1;
    // Unused fields are left empty.
    fusion({1, 1, {y.data(), 2, fusion.responses()}, rows, &partner, &lambda},
           {fusion.needs_uniform() ? &uniform : nullptr,
            fusion.needs_normal() ? normal.data() : nullptr},
           targets);
  }

  // E[g(ỹ)] over the atoms.
  template <class G>
  double expect(G g, Index response = 0) const {
    double sum = 0;
    for (Index a = 0; a < targets.atoms(); ++a) {
      sum += targets.weight(0, a) * g(targets.y(a, response));
    }
    return sum;
  }
  double probability(double k) const {
    return expect([k](double y) { return y == k ? 1.0 : 0.0; });
  }

  TargetFusion fusion;
  Targets targets;
};

const Family gaussian = make_family("gaussian");
const Family classes = make_family("categorical", {.classes = 4});
constexpr auto identity = [](double y) { return y; };
constexpr auto square = [](double y) { return y * y; };

TEST(Targets, LogLinearFusionOfNumbersIsTheStraightLine) {
  const Fused f(gaussian, "probmix", {}, 0.25, {4}, {8});
  EXPECT_EQ(f.targets.atoms(), 1);
  EXPECT_DOUBLE_EQ(f.targets.y(0, 0), 7);
}

TEST(Targets, ExactExpectationHasTheMomentsOfTheFusedKernel) {
  MixOptions options{.beta = 0.09, .expectation = Expectation::exact};
  const Fused line(gaussian, "probmix", options, 0.25, {4}, {8});
  EXPECT_NEAR(line.expect(identity), 7, double_rounding);
  EXPECT_NEAR(line.expect(square), 49 + 0.09, 1e-11);  // the nodes have 16 digits

  options.pooling = Pooling::linear;
  const Fused mixture(gaussian, "m-probmix", options, 0.25, {4}, {8});
  EXPECT_NEAR(mixture.expect(identity), 7, double_rounding * 10);
  EXPECT_NEAR(mixture.expect(square), 0.25 * 16 + 0.75 * 64 + 0.09, 1e-11);  // as above
  EXPECT_NEAR(mixture.expect([](double) { return 1.0; }), 1, double_rounding);
}

// Mean and variance of 20,000 draws: 5 standard errors, false failure about 1e-6.
TEST(Targets, DrawsHaveTheMomentsOfTheFusedKernel) {
  for (const Pooling pooling : {Pooling::log_linear, Pooling::linear}) {
    const MixOptions options{.beta = 0.09, .pooling = pooling};
    double sum = 0;
    double squares = 0;
    constexpr int n = 20'000;
    for (int k = 0; k < n; ++k) {
      const Fused f(gaussian, "probmix", options, 0.25, {4}, {8}, static_cast<std::uint64_t>(k));
      ASSERT_EQ(f.targets.atoms(), 1);
      sum += f.targets.y(0, 0);
      squares += f.targets.y(0, 0) * f.targets.y(0, 0);
    }
    const double variance = pooling == Pooling::linear ? 0.25 * 0.75 * 16 + 0.09 : 0.09;
    const double mean = sum / n;
    EXPECT_NEAR(mean, 7, 5 * std::sqrt(variance / n));
    EXPECT_NEAR(squares / n - mean * mean, variance, 5 * variance * std::sqrt(2.0 / n));
  }
}

TEST(Targets, ResponsesAreFusedInTheCoordinateOfTheirSupport) {
  const Fused gamma(make_family("gamma"), "probmix", {}, 0.5, {1}, {9});
  EXPECT_NEAR(gamma.targets.y(0, 0), 3, double_rounding);  // geometric mean
  const Fused beta(make_family("beta"), "probmix", {}, 0.5, {0.2}, {0.8});
  EXPECT_NEAR(beta.targets.y(0, 0), 0.5, double_rounding);
  const Fused count(make_family("poisson"), "probmix", {}, 0.5, {0}, {3});
  EXPECT_NEAR(count.targets.y(0, 0), 1.5, double_rounding);
}

// An atom at 0 stays one under noise; log-linearly the larger weight decides, and mixup averages.
TEST(Targets, AnAtomIsNotPerturbed) {
  for (const char* const name : {"zero-inflated-gamma", "zero-inflated-lognormal"}) {
    const Family family = make_family(name);
    const auto fused = [&](const char* method, Pooling pooling, double lambda, double y_i,
                           double y_j) {
      const MixOptions options{.beta = 0.04, .pooling = pooling};
      return Fused(family, method, options, lambda, {y_i}, {y_j}, 5).targets.y(0, 0);
    };
    for (const double lambda : {0.0, 0.3, 1.0}) {
      for (const Pooling pooling : {Pooling::log_linear, Pooling::linear}) {
        EXPECT_EQ(fused("m-probmix", pooling, lambda, 0, 0), 0) << name;
      }
    }
    EXPECT_EQ(fused("m-probmix", Pooling::log_linear, 0.7, 0, 9), 0) << name;
    const double kept = fused("m-probmix", Pooling::log_linear, 0.3, 0, 9);
    EXPECT_NE(kept, 9) << name;  // perturbed
    EXPECT_NEAR(std::log(kept), std::log(9), 1) << name << ": 5 standard deviations";
    EXPECT_NEAR(fused("mix", Pooling::linear, 0.25, 0, 8), 6, double_rounding) << name;
  }
}

TEST(Targets, ClassesWithBetaZeroAreTheSoftLabelsOfAssumption2) {
  const Fused f(classes, "probmix", {}, 0.3, {1}, {3});
  EXPECT_NEAR(f.probability(1), 0.3, double_rounding);
  EXPECT_NEAR(f.probability(3), 0.7, double_rounding);
  EXPECT_EQ(f.probability(0), 0);
}

TEST(Targets, LogLinearFusionOfClassesIsTheNormalisedProductOfPowers) {
  const double beta = 0.01;
  const Fused f(classes, "probmix", {.beta = beta}, 0.3, {1}, {3});
  const auto power = [&](bool i, bool j) {
    return std::pow(i ? 1 + beta : beta, 0.3) * std::pow(j ? 1 + beta : beta, 0.7);
  };
  const double total = power(true, false) + power(false, true) + 2 * power(false, false);
  EXPECT_NEAR(f.probability(1), power(true, false) / total, double_rounding);
  EXPECT_NEAR(f.probability(3), power(false, true) / total, double_rounding);
  EXPECT_NEAR(f.probability(0), power(false, false) / total, double_rounding);
}

TEST(Targets, LogLinearFusionOfClassesTendsToTheMajorityLabel) {
  const MixOptions exactly{.target_pooling = Pooling::log_linear};
  const MixOptions nearly{.beta = 1e-32, .target_pooling = Pooling::log_linear};
  for (const double lambda : {0.0, 0.2, 0.5, 0.9, 1.0}) {
    const Fused limit(classes, "probmix", exactly, lambda, {1}, {3});
    const Fused close(classes, "probmix", nearly, lambda, {1}, {3});
    for (const double k : {0, 1, 2, 3}) {
      EXPECT_NEAR(limit.probability(k), close.probability(k), 1e-6);  // (1e-32)^0.2
    }
    const double i = lambda > 0.5 ? 1 : lambda < 0.5 ? 0 : 0.5;
    EXPECT_EQ(limit.probability(1), i);
    EXPECT_EQ(limit.probability(3), 1 - i);
    const Fused same(classes, "probmix", exactly, lambda, {2}, {2});
    EXPECT_EQ(same.probability(2), 1);
  }
}

// Frequencies of 20,000 drawn classes: 5 standard errors, false failure about 1e-6.
TEST(Targets, SampledClassesHaveTheExactProbabilities) {
  const MixOptions exact{.beta = 0.2};
  const MixOptions sampled{.beta = 0.2, .expectation = Expectation::sampled};
  const Fused truth(classes, "probmix", exact, 0.3, {1}, {3});
  constexpr int n = 20'000;
  std::vector<double> counts(4);
  for (int k = 0; k < n; ++k) {
    const Fused f(classes, "probmix", sampled, 0.3, {1}, {3}, static_cast<std::uint64_t>(k));
    ++counts[static_cast<std::size_t>(f.targets.y(0, 0))];
  }
  for (const int k : {0, 1, 2, 3}) {
    const double p = truth.probability(k);
    EXPECT_NEAR(counts[static_cast<std::size_t>(k)] / n, p, 5 * std::sqrt(p * (1 - p) / n));
  }
}

TEST(Targets, MixupIgnoresBetaAndPooling) {
  const MixOptions options{.beta = 0.5, .pooling = Pooling::linear};
  const Fused number(gaussian, "mix", options, 0.25, {4}, {8});
  EXPECT_EQ(number.targets.atoms(), 1);
  EXPECT_DOUBLE_EQ(number.targets.y(0, 0), 7);
  const Fused label(classes, "m-mix", options, 0.25, {0}, {2});
  EXPECT_NEAR(label.probability(0), 0.25, double_rounding);
}

TEST(Targets, MixupInterpolatesTheResponsesOfEveryFamily) {
  for (const auto& [name, y_i, y_j] : {std::tuple{"gamma", 1.0, 100.0},
                                       {"beta", 0.1, 0.7},
                                       {"poisson", 0.0, 5.0},
                                       {"gaussian", -1.0, 3.0}}) {
    const Fused f(make_family(name), "mix", {}, 0.25, {y_i}, {y_j});
    EXPECT_NEAR(f.targets.y(0, 0), 0.25 * y_i + 0.75 * y_j, double_rounding * 100) << name;
  }
}

// The gradient of a Poisson depends only on the mean of the target: the kernel must not move it.
TEST(Targets, KernelKeepsTheMeanOfCounts) {
  const MixOptions options{.beta = 0.1, .expectation = Expectation::exact};
  const Fused f(make_family("poisson"), "probmix", options, 1, {0}, {3});
  EXPECT_NEAR(f.expect(identity), 0, double_rounding);
}

TEST(Targets, TheEndsAreTheResponsesThemselves) {
  for (const auto& [label, family] : family_cases()) {
    const Dataset<double> data = random_data(family, 2, 1, 9);
    for (const Pooling pooling : poolings(family)) {
      for (const double lambda : {0.0, 1.0}) {
        const std::vector<double> y_i(data.y.row(0), data.y.row(0) + responses(family));
        const std::vector<double> y_j(data.y.row(1), data.y.row(1) + responses(family));
        const Fused f(family, "probmix", {.pooling = pooling}, lambda, y_i, y_j);
        for (Index r = 0; r < responses(family); ++r) {
          const auto& y = lambda == 1 ? y_i : y_j;
          EXPECT_EQ(f.expect(identity, r), y[static_cast<std::size_t>(r)]) << label;
        }
      }
    }
  }
}

// Many pairs and draws at once give the same targets as one by one, in the order b K + k.
TEST(Targets, ABatchIsItsPairs) {
  constexpr Index pairs = 5;
  constexpr Index draws = 3;
  const Index rows[] = {4, 0, 5, 2, 1};  // of the data
  const Index partner[] = {1, 1, 0, 4, 2};
  for (const auto& [label, family] : family_cases()) {
    const Dataset<double> data = random_data(family, 6, 1, 9);
    Stream stream(3, Purpose::test);
    std::vector<double> lambda, uniform;
    std::vector<float> normal;
    for (Index m = 0; m < pairs * draws; ++m) {
      lambda.push_back(m % 4 == 0 ? 0.25 : stream.uniform());
      uniform.push_back(stream.uniform());
      for (Index r = 0; r < responses(family); ++r) {
        normal.push_back(static_cast<float>(stream.normal()));
      }
    }
    for (const Expectation expectation : {Expectation::sampled, Expectation::exact}) {
      const bool has_exact = is_exponential(family) && has_separate_responses(family);
      if (expectation == Expectation::exact && !has_exact) continue;
      for (const Pooling pooling : poolings(family)) {
        const MixOptions options{.beta = 0.1, .pooling = pooling, .expectation = expectation};
        const TargetFusion fusion(family, find_method("m-probmix"), options);
        Targets batch(pairs * draws, fusion.atoms(), fusion.responses());
        fusion({pairs, draws, data.y.view(), rows, partner, lambda.data()},
               {uniform.data(), normal.data()}, batch);
        for (Index m = 0; m < pairs * draws; ++m) {
          const Index b = m / draws;
          const Index pair[] = {rows[b], rows[partner[b]]};
          const Index second = 1;
          Targets one(1, fusion.atoms(), fusion.responses());
          fusion({1, 1, data.y.view(), pair, &second, &lambda[to_size(m)]},
                 {&uniform[to_size(m)], &normal[to_size(m * fusion.responses())]}, one);
          const TargetsView part = TargetsView(batch).part(m, 1);
          for (Index k = 0; k < part.weight.size(); ++k) {
            EXPECT_EQ(part.weight.data[k], one.weight.data()[k]) << label;
          }
          for (Index k = 0; k < part.y.size(); ++k) {
            EXPECT_EQ(part.y.data[k], one.y.data()[k]) << label;
          }
        }
      }
    }
  }
}

TEST(Targets, ExactExpectationIsRefusedWhereItIsNotExact) {
  for (const int d : {1, 2}) {
    const Family family = make_family("gaussian", {.responses = d});
    const auto fusion = [&](std::string_view method, const MixOptions& options) {
      return TargetFusion(family, find_method(method), options);
    };
    MixOptions options{.beta = 0.1, .expectation = Expectation::exact};
    EXPECT_NO_THROW(fusion("probmix", options));
    options.pooling = Pooling::linear;
    EXPECT_THROW(fusion("probmix", options), UsageError);
    EXPECT_NO_THROW(fusion("m-probmix", options));
    options.criterion = Criterion::log_mean;
    EXPECT_THROW(fusion("m-probmix", options), UsageError);
    options.beta = 0;
    EXPECT_NO_THROW(fusion("m-probmix", options));
  }
}

// The nodes move all responses alike: products of responses would see noise that is correlated.
TEST(Targets, ExactExpectationIsRefusedForDependentResponses) {
  const MixOptions exact{.beta = 0.1, .expectation = Expectation::exact};
  const auto fusion = [&](int d, const MixOptions& options) {
    return TargetFusion(make_family("gaussian-full", {.responses = d}), find_method("probmix"),
                        options);
  };
  EXPECT_NO_THROW(fusion(1, exact));
  EXPECT_THROW(fusion(2, exact), UsageError);
  EXPECT_NO_THROW(fusion(2, {.expectation = Expectation::exact}));
}

// The expected loss of a Gaussian for a target N(m, β) is the loss at m plus β / (2σ²).
TEST(Targets, ExactExpectationIntegratesTheLoss) {
  const Gaussian f{.d = 1, .homoscedastic = false, .positive = {Positive::Kind::exp, 3e-3}};
  const double out[] = {0.3, -6};
  double phi[2];
  f.link(out, phi);
  const auto loss = [&](double y) { return -f.log_density(phi, f.log_normaliser(phi), &y); };
  double variance = 0;
  f.variance(phi, &variance);
  const MixOptions options{.beta = 0.1, .expectation = Expectation::exact};
  const Fused target(gaussian, "probmix", options, 0.25, {0.5}, {0.1});
  EXPECT_NEAR(target.expect(loss), loss(0.2) + 0.1 / (2 * variance), golden);
}

}  // namespace
}  // namespace probmix::test
