// Bias and activation of a layer, forward and backward.
//
// float runs on Highway with run-time dispatch, double on the naive twin (naive.hpp). Same input,
// same bits.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/kernel/activation.hpp"

namespace probmix::kernel {

// An activation of the first columns of a matrix; the others only get a bias.
struct ColumnActivation {
  Activation kind;
  Index columns;
};

// y(r, c) = act(y(r, c) + bias[c]), in place. `pre` (same shape as y, or null) receives
// y(r, c) + bias[c]: activations whose derivative needs it (see needs_pre) keep it for backward.
void bias_activation_forward(ColumnActivation act, View<float> y, const float* bias, float* pre);
void bias_activation_forward(ColumnActivation act, View<double> y, const double* bias, double* pre);

// dy *= act'(pre), in place, and dbias[c] += column sums of the new dy. `y` is the layer's output.
void bias_activation_backward(ColumnActivation act, View<const float> y, const float* pre,
                              View<float> dy, float* dbias);
void bias_activation_backward(ColumnActivation act, View<const double> y, const double* pre,
                              View<double> dy, double* dbias);

// The same with an activation of all columns.
inline void bias_activation_forward(Activation act, View<float> y, const float* bias, float* pre) {
  bias_activation_forward(ColumnActivation{act, y.cols}, y, bias, pre);
}
inline void bias_activation_forward(Activation act, View<double> y, const double* bias,
                                    double* pre) {
  bias_activation_forward(ColumnActivation{act, y.cols}, y, bias, pre);
}
inline void bias_activation_backward(Activation act, View<const float> y, const float* pre,
                                     View<float> dy, float* dbias) {
  bias_activation_backward(ColumnActivation{act, y.cols}, y, pre, dy, dbias);
}
inline void bias_activation_backward(Activation act, View<const double> y, const double* pre,
                                     View<double> dy, double* dbias) {
  bias_activation_backward(ColumnActivation{act, y.cols}, y, pre, dy, dbias);
}

// silu and gelu: the derivative is computed from the pre-activation; all others from the output.
constexpr bool needs_pre(Activation act) {
  return act == Activation::silu || act == Activation::gelu;
}

}  // namespace probmix::kernel
