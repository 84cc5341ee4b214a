// Transformers: gradients against finite differences, float against double, the stated contracts.
#include "probmix/nn/transformer.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "nn/layer_harness.hpp"
#include "nn/trial.hpp"
#include "probmix/base/error.hpp"
#include "probmix/nn/positions.hpp"
#include "support/allocations.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr Randomness training{.seed = 3, .step = 8};

TransformerOptions small(Index decoder_layers, double dropout) {
  return {.width = 6,
          .heads = 2,
          .encoder_layers = 2,
          .decoder_layers = decoder_layers,
          .feedforward = 5,
          .dropout = dropout,
          .activation = Activation::tanh};  // smooth: a kink would spoil the differences
}

TEST(Transformer, HasRightGradients) {
  for (const Index decoder_layers : {0, 2}) {
    for (const double dropout : {0.0, 0.3}) {
      expect_right_gradients(*make_transformer<double>(small(decoder_layers, dropout), 3, 2),
                             &training);
    }
  }
}

TEST(Transformer, HasRightGradientsAtOddSizes) {
  TransformerOptions options = small(1, 0);
  options.width = 5;
  options.heads = 1;
  options.activation = Activation::gelu;
  expect_right_gradients(*make_transformer<double>(options, 1, 1));
  options.width = 7;
  options.heads = 7;
  options.encoder_layers = 1;
  expect_right_gradients(*make_transformer<double>(options, 2, 3));
  TransformerEncoder<double> encoder(options, 2, true);
  expect_right_gradients(encoder);
}

TEST(Transformer, DropoutAtEveryPlaceHasAStreamOfItsOwn) {
  for (const Index decoder_layers : {0, 2}) {
    ParameterTable table;
    make_transformer<float>(small(decoder_layers, 0.1), 3, 2)->declare(table, "t");
    // After the embedding; two for each attention (weights and output), two for each network.
    EXPECT_EQ(table.add_stream(), 1U + 2 * 4 + static_cast<unsigned>(decoder_layers) * 6);
  }
}

TEST(Transformer, HasNoDropoutInPrediction) {
  const auto dropping = make_transformer<double>(small(2, 0.4), 3, 2);
  const auto keeping = make_transformer<double>(small(2, 0), 3, 2);
  LayerHarness expected(*keeping);
  LayerHarness predicting(*dropping);
  LayerHarness learning(*dropping, &training);
  EXPECT_EQ(predicting.loss(), expected.loss());
  EXPECT_NE(learning.loss(), expected.loss());
}

// Eleven rows of 50 steps: tiles of three rows and one of two; the sizes leave partial vectors.
template <class Real>
Trial<Real> eleven_rows() {
  const TransformerOptions options{.width = 20, .feedforward = 13, .dropout = 0.25};
  Trial<Real> run(make_transformer<Real>(options, 50, 3), 11);
  run.random = &training;
  return run;
}

TEST(Transformer, FloatAgreesWithDouble) {
  Trial<double> wide = eleven_rows<double>();
  Trial<float> narrow = eleven_rows<float>();
  wide.forward();
  narrow.forward();
  wide.backward();
  narrow.backward();
  for (Index k = 0; k < 11 * wide.y.cols(); ++k) {
    EXPECT_NEAR(narrow.y.data()[k], wide.y.data()[k], 1e-4);  // ten norms deep
  }
  for (std::size_t k = 0; k < wide.gradient.size(); ++k) {
    EXPECT_NEAR(narrow.gradient[k], wide.gradient[k], 1e-3);
  }
  for (std::size_t k = 0; k < wide.dx.size(); ++k) EXPECT_NEAR(narrow.dx[k], wide.dx[k], 1e-3);
}

TEST(Transformer, ARowDoesNotDependOnTheOthers) {
  Trial<float> run = eleven_rows<float>();
  run.forward();
  for (Index first = 0; first < 11; first += 3) {
    const Index rows = std::min<Index>(3, 11 - first);
    Matrix<float> y(rows, run.y.cols());
    Memory<float> memory = run.memory();
    memory.first = first;
    run.layer->forward(run.parameters.data(), {run.x.row(first), rows, run.x.cols()}, y.view(),
                       memory);
    EXPECT_TRUE(std::equal(y.data(), y.data() + rows * y.cols(), run.y.row(first)));
  }
}

TEST(Transformer, AllocatesNothing) {
  Trial<float> run = eleven_rows<float>();
  run.forward();
  const long before = allocations();
  run.forward();
  run.backward();
  EXPECT_EQ(allocations(), before);
}

// Matrices within Xavier's bound and nearly reaching it, biases of attention zero, gains one.
TEST(Transformer, StartsAsPytorchDoes) {
  const auto layer = std::make_shared<Transformer<double>>(TransformerOptions{}, 3);
  Trial<double> run(layer, 1);
  ParameterTable table;
  layer->declare(table, "t");
  for (const Parameter& parameter : table.entries()) {
    const std::span<const double> values(run.parameters.data() + parameter.offset,
                                         to_size(parameter.size()));
    const auto [low, high] = std::ranges::minmax(values);
    double bound = 1 / std::sqrt(64.0);  // biases of the feed-forward networks
    if (parameter.shape.size() == 2) {
      bound = std::sqrt(6.0 / static_cast<double>(parameter.shape[0] + parameter.shape[1]));
    } else if (parameter.name.find("attn") != std::string::npos) {
      bound = 0;
    } else if (parameter.name.find("norm") != std::string::npos) {
      const bool is_gain = parameter.name.ends_with(".weight");
      EXPECT_EQ(low, is_gain ? 1 : 0) << parameter.name;
      EXPECT_EQ(high, is_gain ? 1 : 0) << parameter.name;
      continue;
    }
    EXPECT_LE(high, bound) << parameter.name;
    EXPECT_GE(high, 0.8 * bound) << parameter.name;
    EXPECT_GE(low, -bound) << parameter.name;
    EXPECT_LE(low, -0.8 * bound) << parameter.name;
  }
}

TEST(Transformer, PositionsAreSinesAndCosines) {
  EXPECT_EQ(positional_encoding(0, 0, 8), 0);
  EXPECT_EQ(positional_encoding(0, 1, 8), 1);
  EXPECT_NEAR(positional_encoding(3, 2, 8), std::sin(0.3), double_rounding);
  EXPECT_NEAR(positional_encoding(3, 3, 8), std::cos(0.3), double_rounding);
  EXPECT_NEAR(positional_encoding(5, 4, 8), std::sin(0.05), double_rounding);

  PositionalEmbedding<double> layer(4, 2, 5);
  expect_right_gradients(layer);
  LayerHarness harness(layer);
  std::fill(harness.parameters.begin(), harness.parameters.end(), 0.0);
  harness.loss();
  for (Index t = 0; t < 4; ++t) {
    for (Index c = 0; c < 5; ++c) {
      EXPECT_EQ(harness.y()(1, t * 5 + c), positional_encoding(t, c, 5));
    }
  }
}

TEST(Transformer, ReportsItsSteps) {
  EXPECT_EQ(make_transformer<float>({}, 42, 4)->steps(), 42);
  EXPECT_EQ(make_transformer<float>({}, 42, 4)->inputs(), 168);
  EXPECT_EQ(make_transformer<float>({}, 42, 4)->outputs(), 42 * 64);
}

TEST(Transformer, RefusesImpossibleOptions) {
  for (const TransformerOptions& options :
       {TransformerOptions{.heads = 3}, TransformerOptions{.heads = 0},
        TransformerOptions{.width = 0}, TransformerOptions{.encoder_layers = 0},
        TransformerOptions{.decoder_layers = -1}, TransformerOptions{.feedforward = 0},
        TransformerOptions{.dropout = 1}, TransformerOptions{.dropout = -0.5},
        TransformerOptions{.dropout = std::nan("")}}) {
    EXPECT_THROW(make_transformer<float>(options, 4, 2), UsageError);
  }
  EXPECT_THROW(make_transformer<float>({}, 0, 2), UsageError);
  EXPECT_THROW(make_transformer<float>({}, 4, 0), UsageError);
  EXPECT_THROW(Transformer<float>({.decoder_layers = 0}, 4), UsageError);
}

}  // namespace
}  // namespace probmix::test
