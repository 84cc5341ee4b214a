// y = x Wᵀ + b for rows of x, with gradients that accumulate: what attention is made
// of. W and b are given by their offsets, so that a part of the outputs is an affine map as well.
#pragma once

#include "probmix/kernel/elementwise.hpp"
#include "probmix/kernel/product.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix {

struct Affine {
  Index inputs;
  Index outputs;
  Index weight = 0;  // offsets
  Index bias = 0;

  // `count` outputs from `first` on.
  Affine part(Index first, Index count) const {
    return {inputs, count, weight + first * inputs, bias + first};
  }

  template <class Real>
  void forward(const Real* parameters, View<const Real> x, Real* y) const {
    const kernel::Strided<Real> w{parameters + weight, inputs};
    kernel::product(
        kernel::Product<Real>{.m = x.rows,
                              .n = outputs,
                              .k = inputs,
                              .a = {x.data, inputs},
                              .b = w.transposed(),
                              .c = y,
                              .c_row = outputs,
                              .start = kernel::Start<Real>::from_row(parameters + bias)});
  }

  // Accumulates the gradients of W and b.
  template <class Real>
  void backward_parameters(View<const Real> x, View<Real> dy, Real* gradient) const {
    kernel::bias_activation_backward(Activation::identity, dy, nullptr, dy, gradient + bias);
    kernel::product(kernel::Product<Real>{.m = outputs,
                                          .n = inputs,
                                          .k = x.rows,
                                          .a = kernel::Strided<Real>{dy.data, outputs}.transposed(),
                                          .b = {x.data, inputs},
                                          .c = gradient + weight,
                                          .c_row = inputs,
                                          .start = kernel::Start<Real>::from_c()});
  }

  // dx = dy W, or, started from C, dx += dy W.
  template <class Real>
  void backward_input(const Real* parameters, View<const Real> dy, Real* dx,
                      kernel::Start<Real> start) const {
    kernel::product(kernel::Product<Real>{.m = dy.rows,
                                          .n = inputs,
                                          .k = outputs,
                                          .a = {dy.data, outputs},
                                          .b = {parameters + weight, inputs},
                                          .c = dx,
                                          .c_row = inputs,
                                          .start = start});
  }
};

}  // namespace probmix
