// Every layer: gradients against finite differences, float against double, the stated contracts.
#include <gtest/gtest.h>

#include <cmath>

#include "nn/layer_harness.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/nn/dropout.hpp"
#include "probmix/nn/each_step.hpp"
#include "probmix/nn/fork.hpp"
#include "probmix/nn/linear.hpp"
#include "probmix/nn/tiles.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr Index rows = LayerHarness::rows;

std::shared_ptr<Sequence<double>> two_layers(Activation activation) {
  auto layers = std::make_shared<Sequence<double>>(3);
  layers->add(std::make_shared<Linear<double>>(3, 7, activation));
  layers->add(std::make_shared<Linear<double>>(7, 4, Activation::identity));
  return layers;
}

class EveryActivation : public ::testing::TestWithParam<Activation> {};

TEST_P(EveryActivation, LinearHasRightGradients) {
  Linear<double> layer(3, 6, GetParam());
  expect_right_gradients(layer);
}

TEST_P(EveryActivation, MayBeOfTheFirstOutputs) {
  Linear<double> layer(3, 6, kernel::ColumnActivation{GetParam(), 2});
  expect_right_gradients(layer);
}

TEST_P(EveryActivation, SequenceHasRightGradients) {
  expect_right_gradients(*two_layers(GetParam()));
}

TEST_P(EveryActivation, ForkHasRightGradients) {
  Fork<double> layer(two_layers(GetParam()),
                     std::make_shared<Linear<double>>(3, 2, Activation::identity));
  expect_right_gradients(layer);
}

INSTANTIATE_TEST_SUITE_P(All, EveryActivation,
                         ::testing::Values(Activation::identity, Activation::relu,
                                           Activation::leaky_relu, Activation::elu,
                                           Activation::tanh, Activation::sigmoid,
                                           Activation::softplus, Activation::silu,
                                           Activation::gelu),
                         [](const auto& p) {
                           std::string name(activation_names[static_cast<std::size_t>(p.param)]);
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(CategoryEmbeddings, HaveRightGradients) {
  CategoryEmbeddings<double> layer(9, {{1, 3, 2}, {4, 4, 3}});
  EXPECT_EQ(layer.outputs(), 7);
  expect_right_gradients(layer);
  CategoryEmbeddings<double> all(4, {{0, 4, 2}});
  expect_right_gradients(all);
}

TEST(CategoryEmbeddings, OfALevelIsARowOfItsMatrix) {
  CategoryEmbeddings<double> layer(5, {{1, 3, 2}});
  ParameterTable table;
  layer.declare(table, "layer");
  EXPECT_EQ(table.entries()[0].shape, (std::vector<Index>{3, 2}));
  const std::vector<double> weights = {1, 2, 3, 4, 5, 6};
  Matrix<double> x(2, 5), y(2, 4);
  x(0, 0) = 7;
  x(0, 2) = 1;  // the second level
  x(0, 4) = 8;
  x(1, 1) = 0.25;  // mixed
  x(1, 3) = 0.75;
  layer.forward(weights.data(), x.view(), y.view(), {nullptr, nullptr});
  EXPECT_EQ(std::vector<double>(y.row(0), y.row(0) + 4), (std::vector<double>{7, 3, 4, 8}));
  EXPECT_EQ(std::vector<double>(y.row(1), y.row(1) + 4), (std::vector<double>{0, 4, 5, 0}));
}

TEST(CategoryEmbeddings, RefuseBlocksThatDoNotFit) {
  EXPECT_THROW(check_blocks({{0, 3, 2}, {2, 2, 1}}, 9), UsageError);
  EXPECT_THROW(check_blocks({{7, 3, 2}}, 9), UsageError);
  EXPECT_THROW(check_blocks({{0, 3, 0}}, 9), UsageError);
  EXPECT_THROW(check_blocks({{-1, 3, 1}}, 9), UsageError);
  EXPECT_NO_THROW(check_blocks({{0, 3, 2}, {3, 6, 1}}, 9));
}

TEST(Linear, FreeOutputsDoNotDependOnX) {
  Linear<double> layer(3, 5, Activation::identity, 2);
  expect_right_gradients(layer);
  LayerHarness harness(layer);
  harness.loss();
  ParameterTable table;
  layer.declare(table, "layer");
  ASSERT_EQ(table.entries().size(), 2u);
  EXPECT_EQ(table.entries()[0].shape, (std::vector<Index>{3, 3}));
  EXPECT_EQ(table.entries()[1].shape, (std::vector<Index>{5}));
}

TEST(Linear, FloatAgreesWithDouble) {
  Linear<double> wide(20, 17, Activation::tanh);
  Linear<float> narrow(20, 17, Activation::tanh);
  ParameterTable table;
  wide.declare(table, "wide");
  ParameterTable other;
  narrow.declare(other, "narrow");
  ASSERT_EQ(table.size(), other.size());
  const auto n = static_cast<std::size_t>(table.size());
  std::vector<double> p(n);
  std::vector<float> q(n);
  Stream stream(2, Purpose::test);
  wide.initialise(p.data(), stream);
  std::copy(p.begin(), p.end(), q.begin());
  const Matrix<double> x = random_matrix(rows, 20, stream);
  Matrix<float> x_float(rows, 20);
  std::copy_n(x.data(), rows * 20, x_float.data());
  Matrix<double> y(rows, 17);
  Matrix<float> y_float(rows, 17);
  wide.forward(p.data(), x.view(), y.view(), {});
  narrow.forward(q.data(), x_float.view(), y_float.view(), {});
  for (Index k = 0; k < rows * 17; ++k) EXPECT_NEAR(y.data()[k], y_float.data()[k], float_rounding);
}

TEST(Sequence, EmptyIsTheIdentity) {
  Sequence<double> empty(3);
  expect_right_gradients(empty);
  LayerHarness harness(empty);
  harness.backward();
  EXPECT_EQ(empty.outputs(), 3);
}

TEST(Sequence, RefusesLayersThatDoNotFit) {
  Sequence<double> layers(3);
  EXPECT_THROW(layers.add(std::make_shared<Linear<double>>(4, 2, Activation::relu)), Error);
}

TEST(EachStep, IsTheLayerAtEveryStep) {
  EachStep<double> layer(two_layers(Activation::tanh), 4);
  EXPECT_EQ(layer.inputs(), 12);
  EXPECT_EQ(layer.outputs(), 16);
  EXPECT_EQ(layer.steps(), 4);
  expect_right_gradients(layer);
}

TEST(Tiles, ChangeNothing) {
  const auto inner = two_layers(Activation::silu);
  Tiles<double> tiled(inner, 2);  // five rows: the last tile has one
  expect_right_gradients(tiled);
  LayerHarness whole(*inner);
  whole.backward();
  LayerHarness tiles(tiled);
  tiles.backward();
  EXPECT_EQ(whole.dx, tiles.dx);
  for (std::size_t k = 0; k < whole.gradient.size(); ++k) {
    EXPECT_NEAR(whole.gradient[k], tiles.gradient[k], 1e-13);
  }
}

constexpr Randomness training{.seed = 3, .step = 8};

TEST(Dropout, HasRightGradients) {
  Dropout<double> layer(7, 0.4);
  expect_right_gradients(layer, &training);
}

TEST(Dropout, DropsTheShareItShouldAndKeepsTheMean) {
  Matrix<double> factors(500, 301);
  dropout_factors(0.25, &training, 2, 0, factors.view());
  Index dropped = 0;
  double sum = 0;
  const Index n = factors.rows() * factors.cols();
  for (Index k = 0; k < n; ++k) {
    const double factor = factors.data()[k];
    EXPECT_TRUE(factor == 0 || factor == 1 / 0.75);
    dropped += factor == 0 ? 1 : 0;
    sum += factor;
  }
  const double deviation = std::sqrt(0.25 * 0.75 / static_cast<double>(n));
  EXPECT_NEAR(static_cast<double>(dropped) / static_cast<double>(n), 0.25, 4 * deviation);
  EXPECT_NEAR(sum / static_cast<double>(n), 1, 4 * deviation / 0.75);
}

TEST(Dropout, DependsOnRowStepSeedAndLayerAndNotOnTheTile) {
  const auto factors = [](Randomness random, std::uint32_t stream, Index first, Index count) {
    std::vector<double> out(to_size(count * 301));
    dropout_factors<double>(0.5, &random, stream, first, {out.data(), count, 301});
    return out;
  };
  const auto whole = factors(training, 2, 0, 6);
  const auto part = factors(training, 2, 4, 2);
  EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 4 * 301));
  EXPECT_FALSE(std::equal(part.begin(), part.end(), whole.begin()));
  EXPECT_NE(factors({.seed = 4, .step = 8}, 2, 0, 6), whole);
  EXPECT_NE(factors({.seed = 3, .step = 9}, 2, 0, 6), whole);
  EXPECT_NE(factors(training, 3, 0, 6), whole);
}

// Rows too many and too long for numbering all words with 32 bits: no error, no repetition.
TEST(Dropout, HasNumbersForAnyRow) {
  const auto row = [](std::uint32_t stream, Index first, Index width) {
    std::vector<float> out(to_size(width));
    dropout_factors<float>(0.5, &training, stream, first, {out.data(), 1, width});
    return out;
  };
  constexpr Index far = Index{1} << 31;
  constexpr Index width = 1 << 16;
  const auto whole = row(1, far, width);
  EXPECT_NE(row(1, far + 1, width), whole);
  EXPECT_NE(row(1, 0, width), whole);
  EXPECT_NE(row(2, far, width), whole);
  // The words of a row do not repeat within it either, or depend on how many are requested.
  EXPECT_FALSE(std::equal(whole.begin(), whole.begin() + 256, whole.begin() + 256));
  EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + 300, row(1, far, 300).begin()));
}

TEST(Dropout, IsTheIdentityInPrediction) {
  Dropout<double> layer(7, 0.4);
  LayerHarness harness(layer);
  harness.loss();
  EXPECT_TRUE(std::equal(harness.x.data(), harness.x.data() + rows * 7, harness.y().data()));
}

TEST(Dropout, LayersOfANetworkHaveStreamsOfTheirOwn) {
  Sequence<double> layers(7);
  layers.add(std::make_shared<Dropout<double>>(7, 0.5));
  layers.add(std::make_shared<Dropout<double>>(7, 0.5));
  LayerHarness harness(layers, &training);
  harness.loss();
  Index survivors = 0;
  for (Index k = 0; k < rows * 7; ++k) survivors += harness.y().data()[k] != 0 ? 1 : 0;
  Dropout<double> one(7, 0.5);
  LayerHarness single(one, &training);
  single.loss();
  Index survivors_of_one = 0;
  for (Index k = 0; k < rows * 7; ++k) survivors_of_one += single.y().data()[k] != 0 ? 1 : 0;
  EXPECT_LT(survivors, survivors_of_one);
}

TEST(Dropout, RefusesARateThatIsNone) {
  for (const double rate : {-0.1, 1.0, std::nan("")}) {
    EXPECT_THROW(Dropout<float>(3, rate), UsageError);
  }
}

const Family gaussian = make_family("gaussian");

// For each kind of network: is the embedding activated, and its log-variance not?
TEST(Embedding, HasAnActivatedOrALinearMean) {
  Matrix<double> x(40, 3);
  Stream stream(3, Purpose::test);
  for (Index k = 0; k < x.rows() * x.cols(); ++k) x.data()[k] = stream.normal();
  const auto has_negative = [&](EmbeddingMean mean, Embedding embedding, bool of_variance) {
    const auto network = make_network<double>({.mlp = {.hidden = {8, 4}}, .embedding_mean = mean},
                                              embedding, 1, 3, gaussian);
    const auto parameters = network.initial_parameters(1);
    const Index width = network.embedding_width();
    Matrix<double> v(x.rows(), network.encoder()->outputs());
    std::vector<double> keep(to_size(x.rows() * network.encoder()->kept())),
        scratch(to_size(x.rows() * network.encoder()->scratch()));
    network.encoder()->forward(parameters.data(), x.view(), v.view(),
                               {keep.data(), scratch.data()});
    bool negative = false;
    for (Index r = 0; r < v.rows(); ++r) {
      for (Index c = 0; c < width; ++c) negative |= v(r, c + (of_variance ? width : 0)) < 0;
    }
    return negative;
  };
  for (const Embedding embedding :
       {Embedding::point, Embedding::gaussian, Embedding::gaussian_separate}) {
    EXPECT_FALSE(has_negative(EmbeddingMean::activated, embedding, false));
    EXPECT_TRUE(has_negative(EmbeddingMean::linear, embedding, false));
    if (embedding == Embedding::point) continue;
    EXPECT_TRUE(has_negative(EmbeddingMean::activated, embedding, true));
  }
}

TEST(Mlp, HasTheStatedShapes) {
  const MlpOptions options{.hidden = {16, 8, 4}, .embedding_layer = 2};
  const auto point = make_mlp<double>(options, Embedding::point, 5, gaussian);
  EXPECT_EQ(point.encoder()->outputs(), 8);
  EXPECT_EQ(point.parameters().size(), 6 * 16 + 17 * 8 + 9 * 4 + 5 * 2);
  const auto random = make_mlp<double>(options, Embedding::gaussian, 5, gaussian);
  EXPECT_EQ(random.encoder()->outputs(), 16);
  EXPECT_EQ(random.embedding_width(), 8);
  const auto star = make_mlp<double>(options, Embedding::gaussian_separate, 5, gaussian);
  EXPECT_EQ(star.embedding_width(), 4);
  EXPECT_EQ(star.encoder()->outputs(), 8);
}

TEST(Mlp, RefusesWrongOptions) {
  EXPECT_THROW(make_mlp<float>({.hidden = {}}, Embedding::point, 1, gaussian), UsageError);
  EXPECT_THROW(
      make_mlp<float>({.hidden = {4}, .embedding_layer = 2}, Embedding::point, 1, gaussian),
      UsageError);
  for (const std::vector<Index>& hidden :
       {std::vector<Index>{4, 0}, {-1}, {1 << 30}, {65536, 65536}}) {
    EXPECT_THROW(make_mlp<float>({.hidden = hidden}, Embedding::point, 1, gaussian), UsageError);
  }
}

TEST(Network, ParametersAreDeterminedByTheSeed) {
  const auto network = make_mlp<float>({}, Embedding::point, 3, gaussian);
  EXPECT_EQ(network.initial_parameters(7), network.initial_parameters(7));
  EXPECT_NE(network.initial_parameters(7), network.initial_parameters(8));
}

}  // namespace
}  // namespace probmix::test
