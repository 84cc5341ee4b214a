// The probability that a response lies in an interval, for densities that have
//   log_tail(phi, tail, y)                           log P(Y <= y) or log P(Y > y)
//   add_log_tail_gradient(weight, phi, tail, y, dphi)  dφ += weight · ∂log_tail/∂φ
// for a single response. For counts these extend to real y, as the log-density does.
#pragma once

#include <cmath>
#include <limits>

#include "probmix/family/density.hpp"
#include "probmix/family/exponential.hpp"

namespace probmix {

template <class F>
concept HasTails = Density<F> &&
    requires(const F f, const double* in, double* result, Tail tail, double number) {
  { f.log_tail(in, tail, number) } -> std::same_as<double>;
  { f.add_log_tail_gradient(number, in, tail, number, result) } -> std::same_as<void>;
};

// {low <= Y <= high}; both may be infinite.
struct Interval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

// P(low <= Y <= high) as e^a − e^b, the difference of two tails on the side where they are smaller.
struct TailDifference {
  Tail tail = Tail::below;
  double at_a = 0, at_b = 0;  // where the tails begin
  double log_a = 0, log_b = -std::numeric_limits<double>::infinity();
  // Little is left of the difference, and the density in the middle times the width is better.
  bool is_narrow = false;

  double log() const { return log_a + std::log1p(-std::exp(log_b - log_a)); }
};

// Not for an interval without any bound.
template <HasTails F>
TailDifference tail_difference(const F& family, const double* phi, const Interval& interval) {
  const double above_low = interval.low - (family.discrete ? 1 : 0);
  TailDifference d;
  if (std::isinf(interval.high)) {
    return {.tail = Tail::above,
            .at_a = above_low,
            .log_a = family.log_tail(phi, Tail::above, above_low)};
  }
  d = {.at_a = interval.high, .log_a = family.log_tail(phi, Tail::below, interval.high)};
  if (std::isinf(interval.low)) return d;
  const double log_above = family.log_tail(phi, Tail::above, above_low);
  if (log_above < d.log_a) {
    d = {.tail = Tail::above, .at_a = above_low, .at_b = interval.high, .log_a = log_above};
  } else {
    d.at_b = above_low;
  }
  d.log_b = family.log_tail(phi, d.tail, d.at_b);
  d.is_narrow = d.log_b - d.log_a > -1e-5;  // either way exact to 1e-11
  return d;
}

inline double width_of(const Interval& interval, bool discrete) {
  return interval.high - interval.low + (discrete ? 1 : 0);
}

template <HasTails F>
double log_probability(const F& family, const double* phi, const Interval& interval) {
  if (std::isinf(interval.low) && std::isinf(interval.high)) return 0;
  const TailDifference d = tail_difference(family, phi, interval);
  if (!d.is_narrow) return d.log();
  const double middle = interval.low + 0.5 * (interval.high - interval.low);
  return log_density(family, phi, &middle) + std::log(width_of(interval, family.discrete));
}

// dphi += weight · ∂log_probability/∂φ.
template <HasTails F>
void add_log_probability_gradient(const F& family, double weight, const double* phi,
                                  const Interval& interval, double* dphi) {
  if (std::isinf(interval.low) && std::isinf(interval.high)) return;
  const TailDifference d = tail_difference(family, phi, interval);
  if (d.is_narrow) {
    const double middle = interval.low + 0.5 * (interval.high - interval.low);
    return add_gradient(family, weight, phi, &middle, dphi);
  }
  const double ratio = std::exp(d.log_b - d.log_a);
  family.add_log_tail_gradient(weight / (1 - ratio), phi, d.tail, d.at_a, dphi);
  if (ratio > 0) {
    family.add_log_tail_gradient(-weight * ratio / (1 - ratio), phi, d.tail, d.at_b, dphi);
  }
}

// The derivative of f, which has no closed form, by a central difference over a small part of the
// `scale` on which f varies: exact to about 1e-9.
template <class Function>
double difference_slope(const Function& f, double at, double scale) {
  const double h = 3e-5 * scale;
  return (f(at + h) - f(at - h)) / (2 * h);
}

}  // namespace probmix
