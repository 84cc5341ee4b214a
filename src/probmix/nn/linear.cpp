#include "probmix/nn/linear.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"

namespace probmix {

template <class Real>
Linear<Real>::Linear(Index inputs, Index outputs, Activation activation, Index free,
                     Initial initial)
    : outputs_(outputs),
      activation_(activation),
      initial_(initial),
      weight_{inputs, outputs - free} {
  check_usage(inputs >= 1 && outputs > free && free >= 0,
              "a linear layer needs at least one input and one output, not {} and {}", inputs,
              outputs - free);
}

template <class Real>
Index Linear<Real>::kept() const {
  return kernel::needs_pre(activation_) ? outputs_ : 0;
}

template <class Real>
void Linear<Real>::declare(ParameterTable& table, const std::string& name) {
  weight_.offset = table.add(name + ".weight", {weight_.outputs, weight_.inputs});
  bias_ = table.add(name + ".bias", {outputs_});
}

// Constants start at 0.
template <class Real>
void Linear<Real>::initialise(Real* parameters, Stream& stream) const {
  const Index inputs = weight_.inputs;
  fill_uniform(parameters + weight_.offset, weight_.size(),
               initial_bound(initial_, weight_.outputs, inputs), stream);
  fill_uniform(parameters + bias_, weight_.outputs,
               initial_bound(Initial::fan_in, weight_.outputs, inputs), stream);
  std::fill_n(parameters + bias_ + weight_.outputs, outputs_ - weight_.outputs, Real{0});
}

template <class Real>
void Linear<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                           Memory<Real> memory) const {
  const Real* const bias = parameters + bias_;
  const Index weighted = weight_.outputs;
  auto product = weight_.forward<Real>(parameters, x.rows, {x.data, x.cols}, y.data, outputs_);
  const bool rectified = activation_ == Activation::relu;
  if (rectified ||
      activation_ == Activation::identity) {  // done on the sums before they are stored
    product.start = kernel::Start<Real>::from_row(bias);
    if (rectified) product.floor = 0;
    kernel::product(product);
    for (Index r = 0; weighted < outputs_ && r < y.rows; ++r) {
      std::copy(bias + weighted, bias + outputs_, y.row(r) + weighted);
    }
    return;
  }
  kernel::product(product);
  for (Index r = 0; weighted < outputs_ && r < y.rows; ++r) {
    std::fill(y.row(r) + weighted, y.row(r) + outputs_, Real{0});
  }
  kernel::bias_activation_forward(activation_, y, bias,
                                  kernel::needs_pre(activation_) ? memory.keep : nullptr);
}

template <class Real>
void Linear<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> y,
                            Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const {
  kernel::bias_activation_backward(activation_, y, memory.keep, dy, gradient + bias_);
  const kernel::Strided<Real> errors{dy.data, outputs_};
  kernel::product(weight_.gradient<Real>(x.rows, errors, {x.data, x.cols}, gradient));
  if (dx == nullptr) return;
  kernel::product(weight_.backward<Real>(parameters, x.rows, errors, dx, x.cols));
}

template class Linear<float>;
template class Linear<double>;

}  // namespace probmix
