// The softmax of rows, both directions. Float runs on Highway, double on the naive twin.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// Each row becomes softmax(scale · row), in place; scale > 0. Float: a weight that is smaller than
// e^-87 of the largest may be e^-87 of it instead. A row that holds NaN or +∞ becomes NaN.
void softmax_forward(float scale, View<float> x);
void softmax_forward(double scale, View<double> x);

// dp, the gradient of p = softmax(scale · x), becomes that of x, in place.
void softmax_backward(float scale, View<const float> p, View<float> dp);
void softmax_backward(double scale, View<const double> p, View<double> dp);

}  // namespace probmix::kernel
