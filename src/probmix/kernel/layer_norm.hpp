// Layer normalisation of rows, both directions. Float runs on Highway, double on the naive twin.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

inline constexpr double layer_norm_epsilon = 1e-5;  // PyTorch's

// For each row of s = x + residual (x alone if `residual` is null):
//   inverse = 1 / sqrt(variance(s) + ε),  normalised = (s − mean(s)) · inverse,
//   y = gain · normalised + bias.
// `normalised` and `inverse` (one a row) serve backward. y may be x or residual.
void layer_norm_forward(View<const float> x, const float* residual, const float* gain,
                        const float* bias, float* normalised, float* inverse, float* y);
void layer_norm_forward(View<const double> x, const double* residual, const double* gain,
                        const double* bias, double* normalised, double* inverse, double* y);

// y again, from what forward left.
void layer_norm_restore(View<const float> normalised, const float* gain, const float* bias,
                        float* y);
void layer_norm_restore(View<const double> normalised, const double* gain, const double* bias,
                        double* y);

// dy becomes the gradient of s, in place; accumulates into dgain and dbias.
void layer_norm_backward(View<const float> normalised, const float* inverse, const float* gain,
                         View<float> dy, float* dgain, float* dbias);
void layer_norm_backward(View<const double> normalised, const double* inverse, const double* gain,
                         View<double> dy, double* dgain, double* dbias);

}  // namespace probmix::kernel
