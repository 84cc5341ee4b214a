// The one step: gradients of all parameters for every family × pooling × method × criterion.
#include "probmix/train/step.hpp"

#include <gtest/gtest.h>

#include "probmix/nn/architecture.hpp"
#include "support/allocations.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"
#include "train/step_support.hpp"

namespace probmix::test {
namespace {

class EveryMethod : public ::testing::TestWithParam<std::string_view> {};

TEST_P(EveryMethod, HasRightGradients) {
  for (const auto& [label, family] : family_cases()) {
    for (const Pooling pooling : poolings(family)) {
      for (const Criterion criterion : {Criterion::mean_log, Criterion::log_mean}) {
        for (const int draws : {1, 2}) {
          SCOPED_TRACE(label + (pooling == Pooling::linear ? ", linear" : ", log-linear") +
                       (criterion == Criterion::log_mean ? ", log-mean" : ", mean-log") +
                       ", K = " + std::to_string(draws));
          StepCase c(family, GetParam(),
                     {.alpha = 1,
                      .beta = 0.05,
                      .pooling = pooling,
                      .criterion = criterion,
                      .draws = draws,
                      .lambda_per = LambdaPer::pair,
                      .neighbours = 3});
          c.loss(2, true);
          const AlignedVector<double> gradient = c.gradient;
          EXPECT_TRUE(gradient_matches([&] { return c.loss(2); }, c.parameters, gradient));
        }
      }
    }
  }
}

// Mini-batches whose partners lie outside the batch.
TEST_P(EveryMethod, HasRightGradientsOnAMiniBatch) {
  StepCase c(make_family("gaussian"), GetParam(),
             {.alpha = 1, .pairing = Pairing::replacement, .neighbours = 3},
             {.hidden = {6, 5}, .activation = Activation::gelu}, 20);
  c.batch = {3, 17, 8, 11};
  c.loss(1, true);
  const AlignedVector<double> gradient = c.gradient;
  EXPECT_TRUE(gradient_matches([&] { return c.loss(1); }, c.parameters, gradient));
}

INSTANTIATE_TEST_SUITE_P(All, EveryMethod, ::testing::ValuesIn(method_names), [](const auto& p) {
  std::string name(p.param);
  std::ranges::replace(name, '-', '_');
  return name;
});

// λ = 1 is ERM, bit for bit, for all methods that share its network.
TEST(Step, IsErmForLambdaOne) {
  for (const Method& method : methods) {
    if (method.embedding != Embedding::point) continue;
    for (const auto& [label, family] : family_cases()) {
      SCOPED_TRACE(std::string(method.name) + ", " + label);
      for (const Pooling pooling : poolings(family)) {
        const MixOptions options{.pooling = pooling};
        StepCase mixed(family, method.name, options);
        StepCase plain(family, "erm", {});
        Draw<double> draw = (*mixed.drawer)(0, mixed.batch);
        std::ranges::fill(draw.lambda, 1.0);
        std::ranges::fill(draw.site_lambda, 1.0);
        const TargetFusion fusion(family, method, options);
        const std::vector<double> uniform(draw.lambda.size(), 0.5);
        fusion({draw.pairs, 1, mixed.data.y.view(), draw.rows.data(), draw.partner.data(),
                draw.lambda.data()},
               {uniform.data(), nullptr}, draw.targets);
        const double loss =
            (*mixed.step)(mixed.parameters.data(), mixed.data.x, draw, mixed.gradient.data());
        const double expected = plain.loss(0, true);
        if (method.site == Site::response && pooling == Pooling::linear && responses(family) > 1) {
          // The one case that takes another path than its ERM (mix/batched_risk.hpp).
          EXPECT_NEAR(loss, expected, double_rounding * std::max(1.0, std::abs(expected)));
          for (std::size_t k = 0; k < plain.gradient.size(); ++k) {
            EXPECT_NEAR(mixed.gradient[k], plain.gradient[k], double_rounding);
          }
          continue;
        }
        EXPECT_EQ(loss, expected);
        EXPECT_EQ(mixed.gradient, plain.gradient);
      }
    }
  }
}

// Neither drawing nor stepping allocates, once built. (In float and on threads: step_shares_test.)
TEST(Step, AllocatesNothing) {
  for (const Method& method : methods) {
    StepCase c(make_family("gaussian"), method.name, {.draws = 2, .neighbours = 3});
    c.loss(0, true);
    const long before = allocations();
    for (std::uint64_t step = 1; step < 10; ++step) c.loss(step, true);
    EXPECT_EQ(allocations(), before) << method.name;
  }
}

TEST(Step, LossAloneIsTheLossWithGradient) {
  StepCase c(make_family("gaussian"), "m-probmix", {});
  EXPECT_EQ(c.loss(3), c.loss(3, true));
}

// float against double, relative to the size of the gradient.
TEST(Step, FloatAgreesWithDouble) {
  for (const Method& method : methods) {
    SCOPED_TRACE(method.name);
    const Family family = make_family("gaussian");
    StepCase wide(family, method.name, {});
    const auto network = make_mlp<float>({.hidden = {6, 5}, .activation = Activation::tanh},
                                         method.embedding, 3, family);
    Team alone(1);
    Step<float> step(network, family, method, {}, 7, alone);
    const Draw<double>& draw = (*wide.drawer)(0, wide.batch);
    Draw<float> narrow;
    narrow.pairs = draw.pairs;
    narrow.rows = draw.rows;
    narrow.partner = draw.partner;
    narrow.weight = draw.weight;
    narrow.lambda = draw.lambda;
    narrow.site_lambda.assign(draw.site_lambda.begin(), draw.site_lambda.end());
    std::vector<double> noise(static_cast<std::size_t>(7 * wide.network.embedding_width()));
    draw.noise.fill(0, std::ssize(noise), noise.data());
    narrow.noise = Noise<float>({noise.begin(), noise.end()});
    narrow.targets = draw.targets;
    Matrix<float> x(7, 3);
    std::copy_n(wide.data.x.data(), 21, x.data());
    const AlignedVector<float> parameters(wide.parameters.begin(), wide.parameters.end());
    AlignedVector<float> gradient(parameters.size());
    const double loss = step(parameters.data(), x, narrow, gradient.data());
    const double expected = wide.loss(0, true);
    EXPECT_NEAR(loss, expected, 10 * float_rounding * std::max(1.0, std::abs(expected)));
    double largest = 1;
    for (const double g : wide.gradient) largest = std::max(largest, std::abs(g));
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      EXPECT_NEAR(gradient[k], wide.gradient[k], 10 * float_rounding * largest);
    }
  }
}

TEST(Step, KnowsHowManyRowsComeIntoPlay) {
  const Graph complete = Graph::complete(10);
  const auto most = [&](std::string_view method, Pairing pairing, const Graph& graph, Index batch) {
    return most_rows_in_play(find_method(method), {.pairing = pairing}, graph, batch);
  };
  EXPECT_EQ(most("probmix", Pairing::permutation, complete, 4), 4);
  EXPECT_EQ(most("probmix", Pairing::replacement, complete, 4), 8);
  EXPECT_EQ(most("probmix", Pairing::replacement, complete, 7), 10);
  EXPECT_EQ(most("erm", Pairing::replacement, complete, 4), 4);
  Stream stream(1, Purpose::test);
  const Matrix<double> x = random_matrix(10, 2, stream);
  const Graph nearest = make_graph(find_method("loc-probmix"), {.neighbours = 2}, x);
  EXPECT_EQ(most("loc-probmix", Pairing::permutation, nearest, 4), 8);
  EXPECT_EQ(most("loc-probmix", Pairing::permutation, nearest, 10), 10);
}

TEST(Step, RefusesMoreRowsThanItHasMemoryFor) {
  StepCase c(make_family("gaussian"), "probmix", {.pairing = Pairing::permutation});
  Draw<double> draw = (*c.drawer)(0, c.batch);
  Step<double> step(c.network, c.family, c.method, c.options, 7, c.team, 7);
  EXPECT_EQ(step(c.parameters.data(), c.data.x, draw, nullptr), c.loss());
  draw.rows.push_back(0);
  EXPECT_THROW(step(c.parameters.data(), c.data.x, draw, nullptr), Error);
  EXPECT_THROW(Step<double>(c.network, c.family, c.method, c.options, 7, c.team, 6), Error);
}

// Thousands of GB in the rows in play, and in a worker.
TEST(Step, RefusesToNeedMoreMemoryThanThereIs) {
  const Family family = make_family("gaussian");
  const auto network = make_network<float>({.kind = ArchitectureKind::transformer},
                                           Embedding::point, 1000, 1, family);
  Team alone(1);
  EXPECT_THROW(Step<float>(network, family, find_method("probmix"), {}, 1 << 20, alone), Error);
  EXPECT_THROW(Step<float>(network, family, find_method("mix"), {.draws = 1 << 16}, 1, alone),
               Error);
}

}  // namespace
}  // namespace probmix::test
