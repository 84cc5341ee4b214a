// y = x Wᵀ + b for rows of x, with gradients that accumulate: the building block of attention. Any
// range of outputs is an affine map as well.
#pragma once

#include "probmix/kernel/bias_activation.hpp"
#include "probmix/nn/weight.hpp"

namespace probmix {

struct Affine {
  Weight weight;
  Index bias = 0;  // its offset in the parameters

  // `count` outputs from `first` on.
  Affine part(Index first, Index count) const {
    return {{weight.inputs, count, weight.offset + first * weight.inputs}, bias + first};
  }

  template <class Real>
  void forward(const Real* parameters, View<const Real> x, Real* y) const {
    auto product = weight.forward<Real>(parameters, x.rows, {x.data, x.cols}, y, weight.outputs);
    product.start = kernel::Start<Real>::from_row(parameters + bias);
    kernel::product(product);
  }

  // Accumulates the gradients of W and b.
  template <class Real>
  void backward_parameters(View<const Real> x, View<Real> dy, Real* gradient) const {
    kernel::bias_activation_backward(Activation::identity, dy, nullptr, dy, gradient + bias);
    kernel::product(weight.gradient<Real>(x.rows, {dy.data, dy.cols}, {x.data, x.cols}, gradient));
  }

  // dx = dy W, or, started from C, dx += dy W.
  template <class Real>
  void backward_input(const Real* parameters, View<const Real> dy, Real* dx,
                      kernel::Start<Real> start) const {
    auto product =
        weight.backward<Real>(parameters, dy.rows, {dy.data, dy.cols}, dx, weight.inputs);
    product.start = start;
    kernel::product(product);
  }
};

}  // namespace probmix
