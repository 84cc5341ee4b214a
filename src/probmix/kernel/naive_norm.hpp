// The naive twins of layer_norm.hpp and softmax.hpp; see naive.hpp.
#pragma once

#include <cmath>

#include "probmix/kernel/layer_norm.hpp"
#include "probmix/kernel/softmax.hpp"

namespace probmix::kernel::naive {

template <class Real>
void layer_norm_forward(View<const Real> x, const Real* residual, const Real* gain,
                        const Real* bias, Real* normalised, Real* inverse, Real* y) {
  const auto n = static_cast<Real>(x.cols);
  for (Index r = 0; r < x.rows; ++r) {
    const Index at = r * x.cols;
    const auto s = [&](Index c) {
      return residual == nullptr ? x(r, c) : x(r, c) + residual[at + c];
    };
    Real mean = 0;
    for (Index c = 0; c < x.cols; ++c) mean += s(c) / n;
    Real variance = 0;
    for (Index c = 0; c < x.cols; ++c) variance += (s(c) - mean) * (s(c) - mean) / n;
    inverse[r] = 1 / std::sqrt(variance + static_cast<Real>(layer_norm_epsilon));
    for (Index c = 0; c < x.cols; ++c) {
      normalised[at + c] = (s(c) - mean) * inverse[r];
      y[at + c] = gain[c] * normalised[at + c] + bias[c];
    }
  }
}

template <class Real>
void layer_norm_restore(View<const Real> normalised, const Real* gain, const Real* bias, Real* y) {
  for (Index r = 0; r < normalised.rows; ++r) {
    for (Index c = 0; c < normalised.cols; ++c) {
      y[r * normalised.cols + c] = gain[c] * normalised(r, c) + bias[c];
    }
  }
}

// With g = gain ∘ dy: ds = inverse · (g − mean(g) − normalised · mean(g ∘ normalised)).
template <class Real>
void layer_norm_backward(View<const Real> normalised, const Real* inverse, const Real* gain,
                         View<Real> dy, Real* dgain, Real* dbias) {
  const auto n = static_cast<Real>(dy.cols);
  for (Index r = 0; r < dy.rows; ++r) {
    Real mean = 0;
    Real along = 0;
    for (Index c = 0; c < dy.cols; ++c) {
      mean += gain[c] * dy(r, c) / n;
      along += gain[c] * dy(r, c) * normalised(r, c) / n;
    }
    for (Index c = 0; c < dy.cols; ++c) {
      dgain[c] += dy(r, c) * normalised(r, c);
      dbias[c] += dy(r, c);
      dy(r, c) = inverse[r] * (gain[c] * dy(r, c) - mean - normalised(r, c) * along);
    }
  }
}

template <class Real>
void softmax_forward(Real scale, View<Real> x) {
  for (Index r = 0; r < x.rows; ++r) {
    Real largest = x(r, 0);
    for (Index c = 1; c < x.cols; ++c) largest = x(r, c) > largest ? x(r, c) : largest;
    Real sum = 0;
    for (Index c = 0; c < x.cols; ++c) {
      x(r, c) = std::exp(scale * (x(r, c) - largest));
      sum += x(r, c);
    }
    for (Index c = 0; c < x.cols; ++c) x(r, c) /= sum;
  }
}

// dx = scale · p ∘ (dp − Σ p ∘ dp).
template <class Real>
void softmax_backward(Real scale, View<const Real> p, View<Real> dp) {
  for (Index r = 0; r < p.rows; ++r) {
    Real along = 0;
    for (Index c = 0; c < p.cols; ++c) along += p(r, c) * dp(r, c);
    for (Index c = 0; c < p.cols; ++c) dp(r, c) = scale * p(r, c) * (dp(r, c) - along);
  }
}

}  // namespace probmix::kernel::naive
