#include "probmix/nn/linear.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"
#include "probmix/kernel/product.hpp"

namespace probmix {

template <class Real>
Linear<Real>::Linear(Index inputs, Index outputs, Activation activation, Index free)
    : inputs_(inputs), outputs_(outputs), weighted_(outputs - free), activation_(activation) {
  check_usage(inputs >= 1 && weighted_ >= 1 && free >= 0,
              "a linear layer needs at least one input and one output, not {} and {}", inputs,
              weighted_);
}

template <class Real>
Index Linear<Real>::kept() const {
  return kernel::needs_pre(activation_) ? outputs_ : 0;
}

template <class Real>
void Linear<Real>::declare(ParameterTable& table, const std::string& name) {
  weight_ = table.add(name + ".weight", {weighted_, inputs_});
  bias_ = table.add(name + ".bias", {outputs_});
}

// Uniform on ±1/sqrt(inputs) for weights and biases, PyTorch's default; constants start at 0.
template <class Real>
void Linear<Real>::initialise(Real* parameters, Stream& stream) const {
  const double bound = 1 / std::sqrt(static_cast<double>(inputs_));
  const auto draw = [&] { return static_cast<Real>(bound * (2 * stream.uniform() - 1)); };
  std::generate_n(parameters + weight_, weighted_ * inputs_, draw);
  std::generate_n(parameters + bias_, weighted_, draw);
  std::fill_n(parameters + bias_ + weighted_, outputs_ - weighted_, Real{0});
}

template <class Real>
void Linear<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                           Memory<Real> memory) const {
  const Real* const bias = parameters + bias_;
  const kernel::Strided<Real> weight{parameters + weight_, inputs_};
  kernel::Product<Real> product{.m = x.rows,
                                .n = weighted_,
                                .k = inputs_,
                                .a = {x.data, inputs_},
                                .b = weight.transposed(),
                                .c = y.data,
                                .c_row = outputs_};
  const bool rectified = activation_ == Activation::relu;
  if (rectified ||
      activation_ == Activation::identity) {  // done on the sums before they are stored
    product.start = kernel::Start<Real>::from_row(bias);
    if (rectified) product.floor = 0;
    kernel::product(product);
    for (Index r = 0; weighted_ < outputs_ && r < y.rows; ++r) {
      std::copy(bias + weighted_, bias + outputs_, y.row(r) + weighted_);
    }
    return;
  }
  kernel::product(product);
  for (Index r = 0; weighted_ < outputs_ && r < y.rows; ++r) {
    std::fill(y.row(r) + weighted_, y.row(r) + outputs_, Real{0});
  }
  kernel::bias_activation_forward(activation_, y, bias,
                                  kernel::needs_pre(activation_) ? memory.keep : nullptr);
}

template <class Real>
void Linear<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> y,
                            Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const {
  kernel::bias_activation_backward(activation_, y, memory.keep, dy, gradient + bias_);
  const kernel::Strided<Real> errors{dy.data, outputs_};
  kernel::product(kernel::Product<Real>{.m = weighted_,
                                        .n = inputs_,
                                        .k = x.rows,
                                        .a = errors.transposed(),
                                        .b = {x.data, inputs_},
                                        .c = gradient + weight_,
                                        .c_row = inputs_,
                                        .start = kernel::Start<Real>::from_c()});
  if (dx == nullptr) return;
  kernel::product(kernel::Product<Real>{.m = x.rows,
                                        .n = inputs_,
                                        .k = weighted_,
                                        .a = errors,
                                        .b = {parameters + weight_, inputs_},
                                        .c = dx,
                                        .c_row = inputs_});
}

template class Linear<float>;
template class Linear<double>;

}  // namespace probmix
