#include "probmix/nn/linear.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"
#include "probmix/kernel/gemm.hpp"

namespace probmix {

template <class Real>
Linear<Real>::Linear(Index inputs, Index outputs, Activation activation, Index free)
    : inputs_(inputs), outputs_(outputs), weighted_(outputs - free), activation_(activation) {
  check_usage(inputs >= 1 && weighted_ >= 1 && free >= 0,
              "a linear layer needs at least one input and one output, not {} and {}", inputs,
              weighted_);
}

template <class Real>
Index Linear<Real>::kept(Index rows) const {
  return kernel::needs_pre(activation_) ? rows * outputs_ : 0;
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
                           Real* keep) const {
  using kernel::Op;
  kernel::gemm(Op::none, Op::transpose, x.rows, weighted_, inputs_, Real{1}, x.data, inputs_,
               parameters + weight_, inputs_, Real{0}, y.data, outputs_);
  if (weighted_ < outputs_) {
    for (Index r = 0; r < y.rows; ++r) {
      std::fill_n(y.row(r) + weighted_, outputs_ - weighted_, Real{0});
    }
  }
  kernel::bias_activation_forward(activation_, y, parameters + bias_,
                                  kernel::needs_pre(activation_) ? keep : nullptr);
}

template <class Real>
void Linear<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> y,
                            Real* keep, View<Real> dy, Real* dx, Real* gradient) const {
  using kernel::Op;
  kernel::bias_activation_backward(activation_, y, keep, dy, gradient + bias_);
  kernel::gemm(Op::transpose, Op::none, weighted_, inputs_, x.rows, Real{1}, dy.data, outputs_,
               x.data, inputs_, Real{1}, gradient + weight_, inputs_);
  if (dx != nullptr) {
    kernel::gemm(Op::none, Op::none, x.rows, inputs_, weighted_, Real{1}, dy.data, outputs_,
                 parameters + weight_, inputs_, Real{0}, dx, inputs_);
  }
}

template class Linear<float>;
template class Linear<double>;

}  // namespace probmix
