// A step of many rows is split into tiles and shared among threads: neither changes the result.
#include <gtest/gtest.h>

#include "probmix/nn/architecture.hpp"
#include "support/allocations.hpp"
#include "support/tolerance.hpp"
#include "train/one_pair.hpp"
#include "train/step_support.hpp"

namespace probmix::test {
namespace {

constexpr Index rows = 1203;  // four shares, tiles of unequal size

template <class Real>
struct LargeStep {
  Family family = make_family("gaussian");
  const Method& method;
  MixOptions options;
  Dataset<Real> data{{rows, 3}, {rows, 1}};
  Network<Real> network;
  Graph graph;
  AlignedVector<Real> parameters;

  LargeStep(const Method& method_, const MixOptions& options_)
      : method(method_), options(options_), network(make_network(method_, family)), graph(fill()) {
    parameters = network.initial_parameters(1);
  }

  static Network<Real> make_network(const Method& method, const Family& family) {
    return make_mlp<Real>({.hidden = {40, 5}}, method.embedding, 3, family);
  }

  Graph fill() {
    Stream stream(1, Purpose::test);
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < 3; ++c) data.x(r, c) = static_cast<Real>(stream.normal());
      data.y(r, 0) = stream.normal();
    }
    return make_graph(method, options, data.x);
  }

  // For a batch of `pairs` rows; their partners may lie outside it.
  const Draw<Real>& draw(Index pairs) {
    drawer.emplace(method, options, family, graph, data.y, pairs, 1);
    std::vector<Index> batch(to_size(pairs));
    std::iota(batch.begin(), batch.end(), Index{100});
    return (*drawer)(0, batch);
  }

  std::vector<Real> run(const Draw<Real>& draw, Index max_batch, Index threads, double& loss) {
    Team team(threads);
    Step<Real> step(network, family, method, options, max_batch, team);
    std::vector<Real> gradient(parameters.size());
    loss = step(parameters.data(), data.x, draw, gradient.data());
    return gradient;
  }

  std::optional<Drawer<Real>> drawer;
};

class StepShares : public ::testing::TestWithParam<Method> {};

void expect_sum_over_pairs(const Method& method, int draws, Index pairs) {
  LargeStep<double> large(
      method,
      {.alpha = 1, .draws = draws, .lambda_per = LambdaPer::pair, .pairing = Pairing::replacement});
  const Draw<double>& draw = large.draw(pairs);
  double loss = 0;
  const std::vector<double> gradient = large.run(draw, pairs, 1, loss);
  double expected_loss = 0;
  std::vector<double> expected(gradient.size());
  for (Index b = 0; b < pairs; ++b) {
    double pair_loss = 0;
    const auto pair =
        large.run(one_pair(draw, b, draws, large.network.embedding_width()), 1, 1, pair_loss);
    expected_loss += pair_loss / static_cast<double>(pairs);
    for (std::size_t k = 0; k < pair.size(); ++k) {
      expected[k] += pair[k] / static_cast<double>(pairs);
    }
  }
  EXPECT_NEAR(loss, expected_loss, double_rounding * std::abs(expected_loss));
  for (std::size_t k = 0; k < gradient.size(); ++k) {
    ASSERT_NEAR(gradient[k], expected[k], 1e2 * double_rounding)
        << k;  // sums over thousands of terms
  }
}

TEST_P(StepShares, AreTheSumOverSinglePairs) { expect_sum_over_pairs(GetParam(), 2, 1103); }
// Partners outside of the batch; tiles that hold no whole number of granules.
TEST_P(StepShares, AreTheSumWithPartnersOutside) { expect_sum_over_pairs(GetParam(), 3, 700); }
// More draws than a tile has rows.
TEST_P(StepShares, AreTheSumOfManyDraws) { expect_sum_over_pairs(GetParam(), 300, 13); }

TEST_P(StepShares, GiveTheSameBitsOnAnyNumberOfThreads) {
  for (const int draws : {1, 3}) {
    for (const Index pairs : {1103, 700}) {
      LargeStep<float> large(GetParam(),
                             {.alpha = 1, .draws = draws, .pairing = Pairing::replacement});
      const Draw<float>& draw = large.draw(pairs);
      double loss = 0;
      const std::vector<float> gradient = large.run(draw, pairs, 1, loss);
      for (const Index threads : {2, 3, 5}) {
        double shared_loss = 0;
        EXPECT_EQ(large.run(draw, pairs, threads, shared_loss), gradient) << threads;
        EXPECT_EQ(shared_loss, loss) << threads;
      }
    }
  }
}

// Sharing does not allocate either, in float and on two threads.
TEST_P(StepShares, AllocateNothing) {
  LargeStep<float> large(GetParam(), {.alpha = 1});
  Team team(2);
  Step<float> step(large.network, large.family, large.method, large.options, 1103, team);
  std::vector<float> gradient(large.parameters.size());
  const Draw<float>& draw = large.draw(1103);
  step(large.parameters.data(), large.data.x, draw, gradient.data());
  const long before = allocations();
  for (int k = 0; k < 3; ++k) {
    step(large.parameters.data(), large.data.x, draw, gradient.data());
  }
  EXPECT_EQ(allocations(), before);
}

TEST_P(StepShares, RefuseADrawThatDoesNotFitTogether) {
  LargeStep<float> large(GetParam(), {.alpha = 1});
  double loss = 0;
  Draw<float> draw = large.draw(40);
  draw.partner[7] = std::ssize(draw.rows);
  EXPECT_THROW(large.run(draw, 40, 1, loss), Error);
  draw = large.draw(40);
  draw.partner.pop_back();
  EXPECT_THROW(large.run(draw, 40, 1, loss), Error);
}

INSTANTIATE_TEST_SUITE_P(All, StepShares, ::testing::ValuesIn(methods), [](const auto& tested) {
  std::string name(tested.param.name);
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace probmix::test
