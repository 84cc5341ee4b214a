// A stack of LSTM layers, and their passes with the memory they work in.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <vector>

#include "probmix/nn/dropout.hpp"
#include "probmix/nn/lstm.hpp"
#include "probmix/nn/sequence.hpp"
#include "support/allocations.hpp"

namespace probmix::test {

// A layer with its memory, which starts as NaN and has one number more than the layer needs.
template <class Real>
struct Passes {
  static constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Layer<Real>& layer;
  std::vector<Real> parameters, gradient, keep, scratch;
  Matrix<Real> x, y, dx;

  template <class Numbers>
  Passes(const Layer<Real>& l, const Numbers& theta, const Matrix<double>& in)
      : layer(l),
        parameters(theta.begin(), theta.end()),
        gradient(parameters.size()),
        keep(to_size(in.rows() * l.kept() + 1), nan),
        scratch(to_size(in.rows() * l.scratch() + 1), nan),
        x(in.rows(), in.cols()),
        y(in.rows(), l.outputs()),
        dx(in.rows(), in.cols()) {
    std::copy_n(in.data(), in.view().size(), x.data());
    layer.forward(parameters.data(), x.view(), y.view(), memory());
  }
  Memory<Real> memory() { return {keep.data(), scratch.data()}; }

  void backward(const Matrix<double>& c, bool wants_dx = true) {
    Matrix<Real> dy(c.rows(), c.cols());
    std::copy_n(c.data(), c.view().size(), dy.data());
    std::fill_n(dx.data(), dx.view().size(), nan);
    const long before = allocations();
    layer.backward(parameters.data(), x.view(), y.view(), memory(), dy.view(),
                   wants_dx ? dx.data() : nullptr, gradient.data());
    EXPECT_EQ(allocations(), before);
    EXPECT_TRUE(std::isnan(keep.back()) && std::isnan(scratch.back()));
  }
};

template <class Real>
std::shared_ptr<Sequence<Real>> stacked(Index layers, Index channels, Index hidden, Index steps,
                                        double dropout = 0) {
  auto sequence = std::make_shared<Sequence<Real>>(steps * channels);
  for (Index l = 0; l < layers; ++l) {
    if (l > 0 && dropout > 0) {
      sequence->add(std::make_shared<Dropout<Real>>(steps * hidden, dropout));
    }
    sequence->add(std::make_shared<Lstm<Real>>(l == 0 ? channels : hidden, hidden, steps));
  }
  ParameterTable table;
  sequence->declare(table, "lstm");
  return sequence;
}

// An error is relative to max(1, the largest value): elements are sums of terms of that size.
template <class A, class B>
void expect_near(const A* actual, const B* expected, Index n, double tolerance) {
  double unit = 1;
  for (Index k = 0; k < n; ++k) unit = std::max(unit, std::abs(static_cast<double>(expected[k])));
  for (Index k = 0; k < n; ++k) ASSERT_NEAR(actual[k], expected[k], tolerance * unit) << k;
}

}  // namespace probmix::test
