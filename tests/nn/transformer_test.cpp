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
    // After the embedding: two for each attention (weights and output), two for each feed-forward
    // network.
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

// Rows of 50 steps, so tiles of three rows; the sizes leave partial vectors.
template <class Real>
Trial<Real> trial(Index rows) {
  const TransformerOptions options{.width = 20, .feedforward = 13, .dropout = 0.25};
  Trial<Real> run(make_transformer<Real>(options, 50, 3), rows);
  run.random = &training;
  return run;
}

TEST(Transformer, FloatAgreesWithDouble) {
  for (const Index rows : {1, 11}) {
    Trial<double> wide = trial<double>(rows);
    Trial<float> narrow = trial<float>(rows);
    wide.forward();
    narrow.forward();
    wide.backward();
    narrow.backward();
    for (Index k = 0; k < rows * wide.y.cols(); ++k) {
      EXPECT_NEAR(narrow.y.data()[k], wide.y.data()[k], 1e-4);  // ten norms deep
    }
    for (std::size_t k = 0; k < wide.gradient.size(); ++k) {
      EXPECT_NEAR(narrow.gradient[k], wide.gradient[k], 1e-3);
    }
    for (std::size_t k = 0; k < wide.dx.size(); ++k) EXPECT_NEAR(narrow.dx[k], wide.dx[k], 1e-3);
  }
}

// Rows first, first + 1, ... of a trial, in separate calls.
template <class Real>
void run_rows(Trial<Real>& run, Index first, Index rows) {
  const Memory<Real> memory{run.keep.data(), run.scratch.data(), run.random, first};
  const View<const Real> x{run.x.row(first), rows, run.x.cols()};
  const View<Real> y{run.y.row(first), rows, run.y.cols()};
  run.layer->forward(run.parameters.data(), x, y, memory);
  run.layer->backward(run.parameters.data(), x, y, memory, {run.dy.row(first), rows, run.dy.cols()},
                      run.dx.data() + first * x.cols, run.gradient.data());
}

TEST(Transformer, ARowDoesNotDependOnTheOthers) {
  Trial<float> whole = trial<float>(11);
  run_rows(whole, 0, 11);
  Trial<float> parts = trial<float>(11);  // cut across the tiles of the whole
  for (const auto& [first, rows] : {std::pair<Index, Index>{0, 1}, {1, 4}, {5, 5}, {10, 1}}) {
    run_rows(parts, first, rows);
  }
  EXPECT_TRUE(std::equal(parts.y.data(), parts.y.row(11), whole.y.data()));
  EXPECT_EQ(parts.dx, whole.dx);
}

TEST(Transformer, TheGradientIsTheSumOverRows) {
  Trial<double> whole = trial<double>(11);
  run_rows(whole, 0, 11);
  Trial<double> rows = trial<double>(11);
  for (Index r = 0; r < 11; ++r) run_rows(rows, r, 1);
  for (std::size_t k = 0; k < whole.gradient.size(); ++k) {
    EXPECT_NEAR(rows.gradient[k], whole.gradient[k], 1e2 * double_rounding);
  }
}

TEST(Transformer, AllocatesNothing) {
  Trial<float> run = trial<float>(11);
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
