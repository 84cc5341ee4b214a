#include "probmix/nn/linear.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/bias_activation.hpp"

namespace probmix {

template <class Real>
Linear<Real>::Linear(Index inputs, Index outputs, Activation activation, Index free,
                     Initial initial)
    : outputs_(outputs),
      activation_{activation, outputs},
      initial_(initial),
      weight_{inputs, outputs - free} {
  check_usage(inputs >= 1 && outputs > free && free >= 0,
              "a linear layer needs at least one input and one output, not {} and {}", inputs,
              outputs - free);
}

template <class Real>
Linear<Real>::Linear(Index inputs, Index outputs, kernel::ColumnActivation activation)
    : Linear(inputs, outputs, activation.kind) {
  check(activation.columns >= 0 && activation.columns <= outputs,
        "a linear layer of {} outputs cannot activate {} of them", outputs, activation.columns);
  activation_ = activation;
}

template <class Real>
Index Linear<Real>::kept() const {
  return kernel::needs_pre(activation_.kind) ? outputs_ : 0;
}

template <class Real>
void Linear<Real>::declare(ParameterTable& table, const std::string& name) {
  weight_.offset = table.add_weight(name + ".weight", {weight_.outputs, weight_.inputs});
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
  const kernel::Strided<Real> inputs{x.data, x.cols};
  const bool rectified = activation_.kind == Activation::relu;
  if (rectified || activation_.kind == Activation::identity) {
    // Bias and activation of some outputs, on the sums before they are stored.
    const auto run = [&](Index first, Index count, bool floored) {
      const Weight part{weight_.inputs, count, weight_.offset + first * weight_.inputs};
      auto product = part.forward<Real>(parameters, x.rows, inputs, y.data + first, outputs_);
      product.start = kernel::Start<Real>::from_row(bias + first);
      if (floored) product.floor = 0;
      kernel::product(product);
    };
    const Index activated = std::min(activation_.columns, weighted);
    if (activated > 0) run(0, activated, rectified);
    if (activated < weighted) run(activated, weighted - activated, false);
    for (Index r = 0; weighted < outputs_ && r < y.rows; ++r) {
      std::copy(bias + weighted, bias + outputs_, y.row(r) + weighted);
    }
    return;
  }
  kernel::product(weight_.forward<Real>(parameters, x.rows, inputs, y.data, outputs_));
  for (Index r = 0; weighted < outputs_ && r < y.rows; ++r) {
    std::fill(y.row(r) + weighted, y.row(r) + outputs_, Real{0});
  }
  kernel::bias_activation_forward(activation_, y, bias,
                                  kernel::needs_pre(activation_.kind) ? memory.keep : nullptr);
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
