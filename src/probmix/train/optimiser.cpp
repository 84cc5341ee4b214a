#include "probmix/train/optimiser.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"

namespace probmix {

void check_options(const OptimiserOptions& options) {
  check_usage(options.learning_rate.has_value(), "an optimiser needs a learning rate");
  check_usage(*options.learning_rate > 0 && std::isfinite(*options.learning_rate),
              "the learning rate must be a finite number greater than 0, but it is {}",
              *options.learning_rate);
  for (const double decay : {options.beta1, options.beta2}) {
    check_usage(decay >= 0 && decay < 1,
                "the decay rates of Adam must lie in [0, 1), but one is {}", decay);
  }
  check_non_negative("epsilon of Adam", options.epsilon);
  check_non_negative("the clipping norm", options.clip);
  check_non_negative("the weight decay", options.weight_decay);
}

template <class Real>
Optimiser<Real>::Optimiser(const OptimiserOptions& options, const ParameterTable& parameters)
    : options_(options),
      size_(parameters.size()),
      paths_(parameters.paths().begin(), parameters.paths().end()) {
  check_options(options);
  Index longest = 0;
  for (const ParameterPath& path : paths_) longest = std::max(longest, path.cols);
  moved_.resize(to_size(longest));
  if (options.kind == OptimiserKind::adam) {
    state_.m.resize(to_size(size_));
    state_.v.resize(to_size(size_));
  }
  for (const Parameter& parameter : parameters.entries()) {
    if (options.weight_decay == 0 || !parameter.is_weight) continue;
    decaying_.push_back({parameter.offset, parameter.size()});
  }
}

// The rows along a path are sums of differences, so they shrink by the factor of the differences.
template <class Real>
void Optimiser<Real>::decay(double rate, Real* parameters) const {
  const auto factor = static_cast<Real>(-rate * options_.weight_decay);
  for (const auto& [first, count] : decaying_) {
    kernel::axpy(factor, parameters + first, parameters + first, count);
  }
}

// One step of some parameters; `parameters` begins at the first of them.
template <class Real>
void Optimiser<Real>::update(Range range, const kernel::AdamCoefficients& c, const Real* gradient,
                             Real* parameters) {
  const auto [first, count] = range;
  if (count == 0) return;
  if (options_.kind == OptimiserKind::gradient_descent) {
    kernel::axpy(static_cast<Real>(-c.rate * c.scale), gradient + first, parameters, count);
    return;
  }
  kernel::adam_update(c, gradient + first, state_.m.data() + first, state_.v.data() + first,
                      parameters, count);
}

// For the present step; gradient descent uses rate and scale alone.
template <class Real>
kernel::AdamCoefficients Optimiser<Real>::coefficients(double rate, double scale) const {
  if (options_.kind == OptimiserKind::gradient_descent) return {rate, 0, 0, 0, scale};
  const auto t = static_cast<double>(state_.steps);
  const double correction = std::sqrt(1 - std::pow(options_.beta2, t));
  const double corrected = rate * correction / (1 - std::pow(options_.beta1, t));
  return {corrected, options_.beta1, options_.beta2, options_.epsilon * correction, scale};
}

template <class Real>
double Optimiser<Real>::operator()(Real* gradient, Real* parameters, double rate_factor) {
  // A difference moves its row and all later ones.
  for (const ParameterPath& path : paths_) {
    for (Index k = path.rows - 2; k >= 0; --k) {
      Real* const row = gradient + path.offset + k * path.cols;
      kernel::add(row, row + path.cols, row, path.cols);
    }
  }
  const double norm = std::sqrt(kernel::sum_of_squares(gradient, size_));
  if (!std::isfinite(norm)) return norm;
  const double scale = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1;
  const double rate = *options_.learning_rate * rate_factor;
  ++state_.steps;
  decay(rate, parameters);
  const kernel::AdamCoefficients c = coefficients(rate, scale);
  Index done = 0;
  for (const ParameterPath& path : paths_) {
    update({done, path.offset - done}, c, gradient, parameters + done);
    std::fill_n(moved_.data(), path.cols, Real{0});
    for (Index k = 0; k < path.rows; ++k) {
      const Index first = path.offset + k * path.cols;
      update({first, path.cols}, c, gradient, moved_.data());
      kernel::add(parameters + first, moved_.data(), parameters + first, path.cols);
    }
    done = path.offset + path.size();
  }
  update({done, size_ - done}, c, gradient, parameters + done);
  return norm;
}

template <class Real>
void Optimiser<Real>::restore(const State& state) {
  check(state.steps >= 0 && state.m.size() == state_.m.size() && state.v.size() == state_.v.size(),
        "a state of {} steps and {} moments does not fit an optimiser of {} parameters",
        state.steps, state.m.size(), size_);
  state_ = state;
}

template class Optimiser<float>;
template class Optimiser<double>;

}  // namespace probmix
