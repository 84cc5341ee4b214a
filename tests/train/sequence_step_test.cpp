// All methods run on sequences through the same step: gradients, threads, allocations.
#include <gtest/gtest.h>

#include <tuple>

#include "support/allocations.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"
#include "train/one_pair.hpp"
#include "train/step_support.hpp"

namespace probmix::test {
namespace {

constexpr Index steps = 3;
constexpr Index channels = 2;

Architecture small(ArchitectureKind kind) {
  return {.kind = kind,
          .lstm = {.layers = 2, .hidden = 3, .dropout = 0.3},
          .transformer = {.width = 4,
                          .heads = 2,
                          .encoder_layers = 1,
                          .decoder_layers = 1,
                          .feedforward = 3,
                          .dropout = 0.2,
                          .activation = Activation::gelu},
          .head = {.embedding = 5, .hidden = {3}, .activation = Activation::tanh}};
}

class EverySequenceMethod
    : public ::testing::TestWithParam<std::tuple<ArchitectureKind, std::string_view>> {
 protected:
  ArchitectureKind kind() const { return std::get<0>(GetParam()); }
  std::string_view method() const { return std::get<1>(GetParam()); }
};

TEST_P(EverySequenceMethod, HasRightGradients) {
  const Family family = make_family("gaussian");
  StepCase c(
      family, method(), {.alpha = 1, .beta = 0.05, .draws = 2, .neighbours = 3},
      make_network<double>(small(kind()), find_method(method()).embedding, steps, channels, family),
      random_data(family, 6, steps * channels, 11));
  c.loss(2, true);
  const AlignedVector<double> gradient = c.gradient;
  EXPECT_TRUE(gradient_matches([&] { return c.loss(2); }, c.parameters, gradient));
}

// For a batch of `pairs` rows from row 100 on; partners may lie outside it.
template <class Real>
struct Batch {
  Batch(Architecture architecture, const Method& method_, const MixOptions& options_, Index pairs)
      : method(method_),
        options(options_),
        network(make_network<Real>(architecture, method.embedding, 6, channels, family)),
        graph(fill()),
        drawer(method, options, family, graph, data.y, pairs, 1),
        max_rows(most_rows_in_play(method, options, graph, pairs)),
        parameters(network.initial_parameters(1)) {
    std::vector<Index> batch(to_size(pairs));
    std::iota(batch.begin(), batch.end(), Index{100});
    draw = &drawer(0, batch);
  }

  Graph fill() {
    Stream stream(1, Purpose::test);
    for (Index k = 0; k < data.x.rows() * data.x.cols(); ++k) {
      data.x.data()[k] = static_cast<Real>(stream.normal());
    }
    for (Index r = 0; r < data.rows(); ++r) data.y(r, 0) = stream.normal();
    return make_graph(method, options, data.x);
  }

  Family family = make_family("gaussian");
  const Method& method;
  MixOptions options;
  Dataset<Real> data{{400, 6 * channels}, {400, 1}};
  Network<Real> network;
  Graph graph;
  Drawer<Real> drawer;
  Index max_rows;
  AlignedVector<Real> parameters;
  const Draw<Real>* draw = nullptr;
};

TEST_P(EverySequenceMethod, GivesTheSameBitsOnAnyNumberOfThreadsAndAllocatesNothing) {
  struct Case {
    int draws;
    Pairing pairing;
  };
  for (const Case c : {Case{1, Pairing::permutation}, {3, Pairing::replacement}}) {
    Architecture architecture = small(kind());
    architecture.lstm.hidden = 16;
    const MixOptions options{.alpha = 1, .draws = c.draws, .pairing = c.pairing};
    const Batch<float> b(architecture, find_method(method()), options, 283);  // two shares
    std::vector<std::vector<float>> gradients;
    for (const Index threads : {1, 2, 3}) {
      Team team(threads);
      Step<float> step(b.network, b.family, b.method, options, 283, team, b.max_rows);
      std::vector<float> gradient(b.parameters.size());
      step(b.parameters.data(), b.data.x, *b.draw, gradient.data());
      const long before = allocations();
      step(b.parameters.data(), b.data.x, *b.draw, gradient.data());
      EXPECT_EQ(allocations(), before) << threads;
      gradients.push_back(std::move(gradient));
    }
    EXPECT_EQ(gradients[0], gradients[1]);
    EXPECT_EQ(gradients[0], gradients[2]);
  }
}

// Tiles of many pairs, and draws of a single pair that fill a tile, on two threads.
TEST_P(EverySequenceMethod, IsTheSumOverSinglePairs) {
  Architecture architecture = small(kind());
  architecture.lstm.dropout = architecture.transformer.dropout = 0;  // by position in the batch
  struct Case {
    int draws;
    Index pairs;
  };
  for (const Case c : {Case{2, 261}, {71, 7}}) {
    const MixOptions options{.alpha = 1,
                             .draws = c.draws,
                             .lambda_per = LambdaPer::pair,
                             .pairing = Pairing::replacement,
                             .neighbours = 3};
    const Batch<double> b(architecture, find_method(method()), options, c.pairs);
    const bool paired = b.method.site != Site::none;
    EXPECT_EQ(std::ssize(b.draw->rows) > c.pairs, paired) << "partners outside of the batch";
    Team team(2);
    Step<double> step(b.network, b.family, b.method, options, c.pairs, team, b.max_rows);
    std::vector<double> gradient(b.parameters.size());
    const double loss = step(b.parameters.data(), b.data.x, *b.draw, gradient.data());

    Step<double> single(b.network, b.family, b.method, options, 1, team);
    std::vector<double> of_pair(gradient.size());
    std::vector<double> expected(gradient.size());
    double expected_loss = 0;
    for (Index pair = 0; pair < c.pairs; ++pair) {
      const auto part = one_pair(*b.draw, pair, c.draws, b.network.embedding_width());
      expected_loss += single(b.parameters.data(), b.data.x, part, of_pair.data());
      for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += of_pair[k];
    }
    const auto count = static_cast<double>(c.pairs);
    EXPECT_NEAR(loss, expected_loss / count, double_rounding * std::abs(loss));
    for (std::size_t k = 0; k < gradient.size(); ++k) {
      ASSERT_NEAR(gradient[k], expected[k] / count, 1e2 * double_rounding)  // sums of many terms
          << k;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, EverySequenceMethod,
    ::testing::Combine(::testing::Values(ArchitectureKind::lstm, ArchitectureKind::transformer),
                       ::testing::ValuesIn(method_names)),
    [](const auto& p) {
      std::string name(architecture_names[static_cast<std::size_t>(std::get<0>(p.param))]);
      name += "_" + std::string(std::get<1>(p.param));
      std::ranges::replace(name, '-', '_');
      return name;
    });

// Dropout belongs to training: each step drops different units, a prediction none.
TEST(SequenceStep, DropsOtherNumbersAtEachStep) {
  const Family family = make_family("gaussian");
  for (const ArchitectureKind kind : {ArchitectureKind::lstm, ArchitectureKind::transformer}) {
    StepCase c(family, "erm", {},
               make_network<double>(small(kind), Embedding::point, steps, channels, family),
               random_data(family, 6, steps * channels, 11));
    EXPECT_EQ(c.loss(0), c.loss(0));
    EXPECT_NE(c.loss(0), c.loss(1));
    Architecture without = small(kind);
    without.lstm.dropout = without.transformer.dropout = 0;
    StepCase d(family, "erm", {},
               make_network<double>(without, Embedding::point, steps, channels, family),
               random_data(family, 6, steps * channels, 11));
    ASSERT_EQ(c.parameters.size(), d.parameters.size());
    EXPECT_EQ(d.loss(0), d.loss(1));
    Predictor<double> dropping(c.network, 0);
    Predictor<double> plain(d.network, 0);
    Matrix<double> out(6, 2);
    Matrix<double> expected(6, 2);
    dropping(c.parameters.data(), c.data.x.view(), 1, 0, out.view());
    plain(c.parameters.data(), c.data.x.view(), 1, 0, expected.view());
    for (Index k = 0; k < 12; ++k) EXPECT_DOUBLE_EQ(out.data()[k], expected.data()[k]);
  }
}

}  // namespace
}  // namespace probmix::test
