// All methods run on sequences through the same step: gradients, threads, allocations.
#include <gtest/gtest.h>

#include <tuple>

#include "support/allocations.hpp"
#include "support/grad_check.hpp"
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
          .head = {.embedding = 4, .hidden = {3}, .activation = Activation::tanh}};
}

class EverySequenceMethod
    : public ::testing::TestWithParam<std::tuple<ArchitectureKind, std::string_view>> {
 protected:
  ArchitectureKind kind() const { return std::get<0>(GetParam()); }
  std::string_view method() const { return std::get<1>(GetParam()); }
};

TEST_P(EverySequenceMethod, HasRightGradients) {
  const Family family = make_family("gaussian");
  StepCase c(family, method(), {.alpha = 1, .beta = 0.05, .draws = 2, .neighbours = 3},
             make_network<double>(small(kind()), find_method(method()).embedding, steps, channels,
                                  family),
             random_data(family, 6, steps * channels, 11));
  c.loss(2, true);
  const AlignedVector<double> gradient = c.gradient;
  EXPECT_TRUE(gradient_matches([&] { return c.loss(2); }, c.parameters, gradient));
}

TEST_P(EverySequenceMethod, GivesTheSameBitsOnAnyNumberOfThreadsAndAllocatesNothing) {
  constexpr Index rows = 283;  // two shares
  const Family family = make_family("gaussian");
  Architecture architecture = small(kind());
  architecture.lstm.hidden = 16;
  const Method& m = find_method(method());
  const Network<float> network =
      make_network<float>(architecture, m.embedding, 6, channels, family);
  Dataset<float> data{{rows, 6 * channels}, {rows, 1}};
  Stream stream(1, Purpose::test);
  for (Index k = 0; k < rows * 6 * channels; ++k) {
    data.x.data()[k] = static_cast<float>(stream.normal());
  }
  for (Index r = 0; r < rows; ++r) data.y(r, 0) = stream.normal();
  const MixOptions options{.alpha = 1};
  const Graph graph = make_graph(m, options, data.x);
  Drawer<float> drawer(m, options, family, graph, data.y, rows, 1);
  std::vector<Index> batch(to_size(rows));
  std::iota(batch.begin(), batch.end(), Index{0});
  const Draw<float>& draw = drawer(0, batch);
  const AlignedVector<float> parameters = network.initial_parameters(1);
  std::vector<std::vector<float>> gradients;
  for (const Index threads : {1, 2, 3}) {
    Team team(threads);
    Step<float> step(network, family, m, options, rows, team);
    std::vector<float> gradient(parameters.size());
    step(parameters.data(), data.x, draw, gradient.data());
    const long before = allocations();
    step(parameters.data(), data.x, draw, gradient.data());
    EXPECT_EQ(allocations(), before) << threads;
    gradients.push_back(std::move(gradient));
  }
  EXPECT_EQ(gradients[0], gradients[1]);
  EXPECT_EQ(gradients[0], gradients[2]);
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

// Dropout belongs to training: another step drops others, a prediction none.
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
