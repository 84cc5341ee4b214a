#include "probmix/train/optimiser.hpp"

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/kernel/adam.hpp"
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
}

template <class Real>
Optimiser<Real>::Optimiser(const OptimiserOptions& options, Index parameters)
    : options_(options), size_(parameters) {
  check_options(options);
  if (options.kind == OptimiserKind::adam) {
    state_.m.resize(static_cast<std::size_t>(parameters));
    state_.v.resize(static_cast<std::size_t>(parameters));
  }
}

template <class Real>
double Optimiser<Real>::operator()(const Real* gradient, Real* parameters) {
  const double norm = std::sqrt(kernel::sum_of_squares(gradient, size_));
  if (!std::isfinite(norm)) return norm;
  const double scale = options_.clip > 0 && norm > options_.clip ? options_.clip / norm : 1;
  ++state_.steps;
  if (options_.kind == OptimiserKind::gradient_descent) {
    kernel::axpy(static_cast<Real>(-*options_.learning_rate * scale), gradient, parameters, size_);
    return norm;
  }
  const auto t = static_cast<double>(state_.steps);
  const double correction = std::sqrt(1 - std::pow(options_.beta2, t));
  const double rate = *options_.learning_rate * correction / (1 - std::pow(options_.beta1, t));
  kernel::adam_update({rate, options_.beta1, options_.beta2, options_.epsilon * correction, scale},
                      gradient, state_.m.data(), state_.v.data(), parameters, size_);
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
