// A layer between a random input and a linear loss, and its gradients against finite differences.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <vector>

#include "probmix/nn/layer.hpp"
#include "support/cases.hpp"
#include "support/grad_check.hpp"

namespace probmix::test {

// The loss is Σ c ∘ y with fixed c, so that dy = c. Buffers start as NaN, so that reading one
// before writing it shows.
class LayerHarness {
 public:
  static constexpr Index rows = 5;

  // In training, as rows `first` and following of the batch, or in prediction (random null).
  explicit LayerHarness(Layer<double>& layer, const Randomness* random = nullptr, Index first = 0)
      : layer_(layer), random_(random), first_(first) {
    ParameterTable table;
    layer.declare(table, "layer");
    Stream stream(1, Purpose::test);
    parameters.resize(static_cast<std::size_t>(table.size()));
    layer.initialise(parameters.data(), stream);
    for (double& p : parameters) p += 0.1 * stream.normal();
    x = random_matrix(rows, layer.inputs(), stream);
    c_ = random_matrix(rows, layer.outputs(), stream);
    keep_.assign(static_cast<std::size_t>(rows * layer.kept()), nan);
    scratch_.assign(static_cast<std::size_t>(rows * layer.scratch()), nan);
    y_ = Matrix<double>(rows, layer.outputs());
  }

  double loss() {
    std::fill(keep_.begin(), keep_.end(), nan);
    std::fill_n(y_.data(), y_.rows() * y_.cols(), nan);
    layer_.forward(parameters.data(), x.view(), y_.view(), memory());
    std::fill(scratch_.begin(), scratch_.end(), nan);  // nothing in it may be relied on
    double sum = 0;
    for (Index k = 0; k < y_.rows() * y_.cols(); ++k) sum += c_.data()[k] * y_.data()[k];
    return sum;
  }

  void backward() {
    loss();
    Matrix<double> dy = c_;
    dx.assign(static_cast<std::size_t>(rows * layer_.inputs()), nan);
    gradient.assign(parameters.size(), 0.0);
    layer_.backward(parameters.data(), x.view(), y_.view(), memory(), dy.view(), dx.data(),
                    gradient.data());
  }

  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<double> parameters, dx, gradient;
  Matrix<double> x;
  const Matrix<double>& y() const { return y_; }

 private:
  Memory<double> memory() { return {keep_.data(), scratch_.data(), random_, first_}; }

  Layer<double>& layer_;
  const Randomness* random_;
  Index first_;
  Matrix<double> c_, y_;
  std::vector<double> keep_, scratch_;
};

inline void expect_right_gradients(Layer<double>& layer, const Randomness* random = nullptr) {
  LayerHarness harness(layer, random);
  harness.backward();
  const auto loss = [&] { return harness.loss(); };
  EXPECT_TRUE(gradient_matches(loss, harness.parameters, harness.gradient));
  const std::span<double> x(harness.x.data(), harness.dx.size());
  EXPECT_TRUE(gradient_matches(loss, x, harness.dx));
}

}  // namespace probmix::test
