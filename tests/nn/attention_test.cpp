// Attention, self and crossed: gradients against finite differences, and identities.
#include "probmix/nn/attention.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "nn/layer_harness.hpp"
#include "probmix/base/error.hpp"
#include "probmix/nn/layer_norm.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr Randomness training{.seed = 3, .step = 8};

// As a layer: the first half of the columns is x, and if crossed the second half is the source.
class AttentionLayer final : public Layer<double> {
 public:
  AttentionLayer(Index steps, Index width, Index heads, bool crossed, double dropout = 0)
      : size_(steps * width),
        crossed_(crossed),
        attention_(steps, width, heads, crossed, dropout) {}

  Index inputs() const override { return crossed_ ? 2 * size_ : size_; }
  Index outputs() const override { return size_; }
  Index kept() const override { return attention_.kept(); }
  Index scratch() const override { return attention_.scratch() + 4 * size_; }
  void declare(ParameterTable& table, const std::string& name) override {
    attention_.declare(table, name);
  }
  void initialise(double* parameters, Stream& stream) const override {
    attention_.initialise(parameters, stream);
  }
  void forward(const double* parameters, View<const double> x, View<double> y,
               Memory<double> memory) const override {
    const Parts at = split(x, memory);
    attention_.forward(parameters, at.x, at.source, y, memory);
  }
  void backward(const double* parameters, View<const double> x, View<const double> /*y*/,
                Memory<double> memory, View<double> dy, double* dx,
                double* gradient) const override {
    const Parts at = split(x, memory);
    double* const dpart = memory.scratch;
    double* const dsource = dpart + dy.size();
    memory.scratch = dsource + dy.size();
    std::fill_n(dpart, 2 * dy.size(), 0.0);
    attention_.backward(parameters, at.x, at.source, memory, dy, dpart, dsource, gradient);
    for (Index r = 0; r < x.rows; ++r) {
      std::copy_n(dpart + r * size_, size_, dx + r * x.cols);
      if (crossed_) std::copy_n(dsource + r * size_, size_, dx + r * x.cols + size_);
    }
  }

 private:
  struct Parts {
    View<const double> x;
    const double* source;
  };
  Parts split(View<const double> x, Memory<double>& memory) const {
    if (!crossed_) return {x, nullptr};
    double* const first = memory.scratch;
    double* const second = first + x.rows * size_;
    memory.scratch = second + x.rows * size_;
    for (Index r = 0; r < x.rows; ++r) {
      std::copy_n(x.row(r), size_, first + r * size_);
      std::copy_n(x.row(r) + size_, size_, second + r * size_);
    }
    return {{first, x.rows, size_}, second};
  }

  Index size_;
  bool crossed_;
  Attention<double> attention_;
};

struct Shape {
  Index steps, width, heads;
};

class EveryShape : public ::testing::TestWithParam<Shape> {};

TEST_P(EveryShape, HasRightGradients) {
  const auto [steps, width, heads] = GetParam();
  for (const bool crossed : {false, true}) {
    for (const double dropout : {0.0, 0.3}) {
      AttentionLayer layer(steps, width, heads, crossed, dropout);
      expect_right_gradients(layer, &training);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Some, EveryShape,
                         ::testing::Values(Shape{3, 4, 2}, Shape{1, 6, 3}, Shape{5, 3, 1},
                                           Shape{4, 5, 5}, Shape{1, 1, 1}),
                         [](const auto& p) {
                           return std::to_string(p.param.steps) + "x" +
                                  std::to_string(p.param.width) + "heads" +
                                  std::to_string(p.param.heads);
                         });

// Without positions, attention does not know the order of the steps.
TEST(Attention, CommutesWithTheOrderOfTheSteps) {
  AttentionLayer layer(4, 6, 2, false);
  LayerHarness harness(layer);
  harness.loss();
  const Matrix<double> before = harness.y();
  for (Index r = 0; r < LayerHarness::rows; ++r) {
    double* const row = harness.x.row(r);
    std::swap_ranges(row, row + 6, row + 18);
  }
  harness.loss();
  for (Index r = 0; r < LayerHarness::rows; ++r) {
    for (Index c = 0; c < 24; ++c) {
      const Index from = c < 6 ? c + 18 : c >= 18 ? c - 18 : c;
      EXPECT_NEAR(harness.y()(r, c), before(r, from), double_rounding);
    }
  }
}

TEST(Attention, HasNoDropoutInPrediction) {
  AttentionLayer plain(3, 4, 2, true);
  AttentionLayer dropping(3, 4, 2, true, 0.5);
  LayerHarness expected(plain);
  LayerHarness predicting(dropping);
  LayerHarness learning(dropping, &training);
  EXPECT_EQ(predicting.loss(), expected.loss());
  EXPECT_NE(learning.loss(), expected.loss());
}

TEST(Attention, RefusesImpossibleShapes) {
  EXPECT_THROW(Attention<float>(3, 6, 4, false), UsageError);
  EXPECT_THROW(Attention<float>(3, 6, 0, false), UsageError);
  EXPECT_THROW(Attention<float>(0, 6, 2, false), UsageError);
  EXPECT_THROW(Attention<float>(3, 6, 2, false, 1.0), UsageError);
}

TEST(LayerNorm, HasRightGradients) {
  for (const Index width : {2, 3, 9}) {
    LayerNorm<double> layer(width);
    expect_right_gradients(layer);
  }
}

TEST(LayerNorm, StartsWithMeanZeroAndVarianceOne) {
  LayerNorm<double> layer(50);
  ParameterTable table;
  layer.declare(table, "norm");
  std::vector<double> parameters(to_size(table.size()));
  Stream stream(1, Purpose::test);
  layer.initialise(parameters.data(), stream);
  const Matrix<double> x = random_matrix(1, 50, stream);
  Matrix<double> y(1, 50);
  std::vector<double> keep(to_size(layer.kept()));
  layer.forward(parameters.data(), x.view(), y.view(), {keep.data(), nullptr});
  double mean = 0;
  double square = 0;
  for (Index c = 0; c < 50; ++c) {
    mean += y(0, c) / 50;
    square += y(0, c) * y(0, c) / 50;
  }
  EXPECT_NEAR(mean, 0, double_rounding);
  EXPECT_NEAR(square, 1, 1e-4);  // ε is part of the variance
}

}  // namespace
}  // namespace probmix::test
