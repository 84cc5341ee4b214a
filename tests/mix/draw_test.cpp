// What a step draws: pairs, λ, targets, noise.
#include "probmix/mix/draw.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "probmix/base/error.hpp"
#include "support/cases.hpp"

namespace probmix::test {
namespace {

const Family gaussian = make_family("gaussian");

struct DrawCase {
  DrawCase(std::string_view method, const MixOptions& options, Index rows = 12, Index batch_ = 12)
      : data(random_data(gaussian, rows, 2, 5)), batch(static_cast<std::size_t>(batch_)) {
    for (Index r = 0; r < rows; ++r) {
      for (Index c = 0; c < 2; ++c) x.push_back(static_cast<float>(data.x(r, c)));
    }
    const Method& m = find_method(method);
    graph.emplace(m.local ? Graph::nearest({x.data(), rows, 2}, options.neighbours)
                          : Graph::complete(rows));
    drawer.emplace(m, options, gaussian, *graph, data.y, batch_, 1);
    std::iota(batch.begin(), batch.end(), Index{0});
  }
  const Draw<double>& operator()(std::uint64_t step) { return (*drawer)(step, batch); }

  Dataset<double> data;
  std::vector<float> x;
  std::optional<Graph> graph;
  std::optional<Drawer<double>> drawer;
  std::vector<Index> batch;
};

std::vector<double> noise_of(const Draw<double>& draw) {
  std::vector<double> noise(50);
  draw.noise.fill(0, 50, noise.data());
  return noise;
}

// Tiles ask for parts of the noise, and get the same numbers.
TEST(Draw, NoiseCanBeMadeInParts) {
  const Noise<float> noise(7, 3);
  std::vector<float> all(1000), part(1000);
  noise.fill(0, 1000, all.data());
  for (const Index first : {4, 64, 100, 996}) {
    const Index count = std::min<Index>(77, 1000 - first);
    noise.fill(first, count, part.data());
    for (Index k = 0; k < count; ++k) {
      EXPECT_EQ(part[static_cast<std::size_t>(k)], all[static_cast<std::size_t>(first + k)]);
    }
  }
}

TEST(Draw, IsAPureFunctionOfSeedAndStep) {
  DrawCase a("m-probmix", {.draws = 2});
  DrawCase b("m-probmix", {.draws = 2});
  const Draw<double> first = a(5);
  b(4);
  b(6);
  const Draw<double>& again = b(5);
  EXPECT_EQ(first.partner, again.partner);
  EXPECT_EQ(first.lambda, again.lambda);
  EXPECT_EQ(noise_of(first), noise_of(again));
  EXPECT_NE(noise_of(first), noise_of(b(6)));
}

TEST(Draw, ErmDrawsNothing) {
  DrawCase c("erm", {});
  const Draw<double>& draw = c(0);
  for (std::size_t b = 0; b < 12; ++b) {
    EXPECT_EQ(draw.partner[b], static_cast<Index>(b));
    EXPECT_EQ(draw.lambda[b], 1);
    EXPECT_EQ(draw.targets.y(static_cast<Index>(b), 0), c.data.y(static_cast<Index>(b), 0));
  }
}

TEST(Draw, PermutationUsesEveryRowOnce) {
  DrawCase c("mix", {});
  const Draw<double>& draw = c(0);
  EXPECT_EQ(std::set<Index>(draw.partner.begin(), draw.partner.end()).size(), 12u);
  EXPECT_EQ(draw.rows.size(), 12u);
}

TEST(Draw, LambdaIsSharedByAStepOrDrawnForEachPair) {
  DrawCase step("mix", {.alpha = 1, .draws = 2});
  const Draw<double>& shared = step(0);
  std::set<double> values(shared.lambda.begin(), shared.lambda.end());
  EXPECT_EQ(values.size(), 2u);  // one for each of K = 2 draws
  EXPECT_EQ(shared.lambda[0], shared.lambda[2]);

  DrawCase pair("mix", {.alpha = 1, .lambda_per = LambdaPer::pair});
  const Draw<double>& own = pair(0);
  values = {own.lambda.begin(), own.lambda.end()};
  EXPECT_EQ(values.size(), 12u);
}

TEST(Draw, PartnersOutsideOfTheBatchAreAddedOnce) {
  DrawCase c("loc-probmix", {.neighbours = 3}, 40, 6);
  for (std::uint64_t step = 0; step < 20; ++step) {
    const Draw<double>& draw = c(step);
    EXPECT_EQ(std::set<Index>(draw.rows.begin(), draw.rows.end()).size(), draw.rows.size());
    for (std::size_t b = 0; b < 6; ++b) {
      const Index j = draw.rows[static_cast<std::size_t>(draw.partner[b])];
      EXPECT_GT(c.graph->probability(draw.rows[b], j), 0);
    }
  }
}

TEST(Draw, ReplacementReachesRowsOutsideOfTheBatch) {
  DrawCase c("probmix", {.pairing = Pairing::replacement}, 40, 6);
  std::set<Index> seen;
  for (std::uint64_t step = 0; step < 200; ++step) {
    const Draw<double>& draw = c(step);
    for (std::size_t b = 0; b < 6; ++b) {
      seen.insert(draw.rows[static_cast<std::size_t>(draw.partner[b])]);
    }
  }
  EXPECT_EQ(seen.size(), 40u);
}

// α → 0 with the complete graph: every pair is judged at one of its end points.
TEST(Draw, TinyAlphaResamplesEndPoints) {
  DrawCase c("probmix", {.alpha = 1e-32, .lambda_per = LambdaPer::pair});
  int left = 0;
  constexpr int steps = 200;
  for (std::uint64_t step = 0; step < steps; ++step) {
    const Draw<double>& draw = c(step);
    for (std::size_t b = 0; b < 12; ++b) {
      const double lambda = draw.lambda[b];
      ASSERT_TRUE(lambda == 0 || lambda == 1);
      left += lambda == 1;
      const Index row = draw.rows[static_cast<std::size_t>(lambda == 1 ? static_cast<Index>(b)
                                                                       : draw.partner[b])];
      EXPECT_EQ(draw.targets.y(static_cast<Index>(b), 0), c.data.y(row, 0));
    }
  }
  // A fair coin, 2400 tosses: 5 standard errors, false failure 6e-7.
  EXPECT_NEAR(left, 1200, 5 * std::sqrt(600.0));
}

TEST(Draw, LinearPoolingDrawsTheComponentOfTheEmbedding) {
  DrawCase c("m-probmix", {.alpha = 1, .pooling = Pooling::linear});
  double sum = 0;
  double expected = 0;
  for (std::uint64_t step = 0; step < 500; ++step) {
    const Draw<double>& draw = c(step);
    for (std::size_t b = 0; b < 12; ++b) {
      ASSERT_TRUE(draw.site_lambda[b] == 0 || draw.site_lambda[b] == 1);
      sum += draw.site_lambda[b];
      expected += draw.lambda[b];
    }
  }
  // Sum of 6000 coins of probability λ, given λ: 5 standard errors, false failure 6e-7.
  EXPECT_NEAR(sum, expected, 5 * std::sqrt(6000 * 0.25));
}

TEST(Draw, MeanPropagationHasNoNoise) {
  DrawCase c("m-probmix", {.propagate_mean = true});
  for (const double e : noise_of(c(3))) EXPECT_EQ(e, 0);
}

TEST(Draw, WeightsOfRowsAreMixedAsTheirRowsAre) {
  const Dataset<double> data = random_data(gaussian, 3, 2, 5);
  const std::vector<double> weights{2, 5, 1};
  const std::vector<Index> batch{0, 1, 2};
  const Graph graph = Graph::complete(3);
  for (const char* const method : {"mix", "probmix", "m-probmix"}) {
    Drawer<double> drawer(find_method(method), {.alpha = 1}, gaussian, graph, data.y, 3, 1,
                          weights);
    const Draw<double>& draw = drawer(0, batch);
    ASSERT_GT(draw.lambda[0], 0.01);
    ASSERT_LT(draw.lambda[0], 0.99);
    for (std::size_t b = 0; b < 3; ++b) {
      const double own = weights[to_size(draw.rows[b])];
      const double other = weights[to_size(draw.rows[to_size(draw.partner[b])])];
      EXPECT_DOUBLE_EQ(draw.weight[b], draw.lambda[b] * own + (1 - draw.lambda[b]) * other);
    }
  }
  Drawer<double> plain(find_method("erm"), {}, gaussian, graph, data.y, 3, 1, weights);
  EXPECT_EQ(plain(0, batch).weight, weights);
}

TEST(Draw, GraphWeightsBecomePairWeights) {
  const Dataset<double> data = random_data(gaussian, 3, 2, 5);
  const Edge edges[] = {{0, 1, 3.0}, {1, 2, 1.0}};
  const Graph graph = Graph::edges(3, edges);
  Drawer<double> drawer(find_method("probmix"), {}, gaussian, graph, data.y, 3, 1);
  const std::vector<Index> batch{0, 1, 2};
  const Draw<double>& draw = drawer(0, batch);
  EXPECT_DOUBLE_EQ(draw.weight[0], 3 * 0.75);
  EXPECT_DOUBLE_EQ(draw.weight[1], 3 * 0.25);
  EXPECT_DOUBLE_EQ(draw.weight[2], 0);
  EXPECT_EQ(draw.partner, (std::vector<Index>{1, 2, 2}));

  // ERM has no pairs, and leaves no row out.
  Drawer<double> plain(find_method("erm"), {}, gaussian, graph, data.y, 3, 1);
  EXPECT_EQ(plain(0, batch).weight, (std::vector<double>{1, 1, 1}));
}

// The draws of a pair then share λ and target; z is drawn for each.
TEST(Draw, MayBeOfTheEmbeddingAlone) {
  for (const Pooling pooling : {Pooling::log_linear, Pooling::linear}) {
    const MixOptions all{
        .alpha = 1, .beta = 0.1, .pooling = pooling, .draws = 4, .lambda_per = LambdaPer::pair};
    MixOptions shared = all;
    shared.draws_of = DrawsOf::embedding;
    DrawCase one("m-probmix", shared, 12, 6), other("m-probmix", all, 12, 6);
    for (DrawCase* const c : {&one, &other}) c->batch = {0, 1, 2, 3, 4, 5};
    const Draw<double>& draw = one(3);
    const Draw<double>& independent = other(3);
    for (std::size_t b = 0; b < 6; ++b) {
      for (std::size_t k = 1; k < 4; ++k) {
        const std::size_t first = 4 * b, m = first + k;
        EXPECT_EQ(draw.lambda[m], draw.lambda[first]);
        EXPECT_EQ(draw.targets.y.row(static_cast<Index>(m))[0],
                  draw.targets.y.row(static_cast<Index>(first))[0]);
        EXPECT_NE(independent.lambda[m], independent.lambda[first]);
        EXPECT_NE(independent.targets.y.row(static_cast<Index>(m))[0],
                  independent.targets.y.row(static_cast<Index>(first))[0]);
      }
      EXPECT_EQ(draw.lambda[4 * b], independent.lambda[4 * b]);
    }
    if (pooling == Pooling::linear) {  // which of the two z comes from is part of its draw
      bool differs = false;
      for (std::size_t m = 0; m < 24; ++m) {
        differs |= draw.site_lambda[m] != draw.site_lambda[m - m % 4];
      }
      EXPECT_TRUE(differs);
    }
  }
}

TEST(Draw, RefusesABatchLargerThanItsMemory) {
  DrawCase c("mix", {}, 12, 6);
  c.batch = {0, 1, 2, 3, 4, 5, 6};
  EXPECT_THROW(c(0), Error);
}

TEST(Draw, RefusesWrongOptions) {
  EXPECT_THROW(DrawCase("mix", {.alpha = 0}), UsageError);
  EXPECT_THROW(DrawCase("mix", {.alpha = -1}), UsageError);
  EXPECT_THROW(DrawCase("mix", {.beta = -0.1}), UsageError);
  EXPECT_THROW(DrawCase("mix", {.draws = 0}), UsageError);
  EXPECT_THROW(DrawCase("loc-mix", {.neighbours = 12}), UsageError);
  EXPECT_THROW(DrawCase("loc-mix", {.neighbours = 0}), UsageError);
}

}  // namespace
}  // namespace probmix::test
