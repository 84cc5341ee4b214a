// What a density p(y | φ) declares. Every method that fuses inputs or embeddings, or pools
// linearly, can train one; exponential.hpp adds what log-linear pooling needs.
//
// A density works on one row at a time, in double. Pointers: `out` network outputs (outputs), `phi`
// parameters (parameters), `y` responses (responses), `m`, `v` moments (moments). Functions
// overwrite their result, except those that begin with add_, which accumulate. `y` must lie in the
// support (in_support tells), `u` in (0, 1). A NaN output gives a NaN loss: divergence shows.
//
// Mixing moves responses off a lattice: the log-density of counts must take every real y. (Classes
// are never moved.)
#pragma once

#include <concepts>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"

namespace probmix {

// What both kinds of family have.
template <class F>
concept Distribution = std::semiregular<F> &&
    requires(const F f, const FamilyOptions& options, const double* in, double* result,
             double number, int column, Stream& stream) {
  { f.name } -> std::convertible_to<std::string_view>;
  { f.discrete } -> std::convertible_to<bool>;        // probabilities rather than densities
  { f.make(options) } -> std::same_as<F>;             // throws UsageError for what it does not know
  { f.support_text() } -> std::same_as<std::string>;  // "real numbers", for error messages

  { f.outputs() } -> std::same_as<int>;       // numbers the network gives per row
  { f.free_outputs() } -> std::same_as<int>;  // how many of the last do not depend on x
  { f.parameters() } -> std::same_as<int>;    // length of φ
  { f.responses() } -> std::same_as<int>;     // columns of y
  { f.classes() } -> std::same_as<int>;       // of a finite support {0, ..., classes − 1}, else 0
  { f.moments() } -> std::same_as<int>;       // length of mean and variance

  { f.in_support(in) } -> std::same_as<bool>;                  // y
  { f.link(in, result) } -> std::same_as<void>;                // out → φ
  { f.link_backward(in, in, result) } -> std::same_as<void>;   // out, dφ → dout = Jᵀ dφ
  { f.sample(in, stream, result) } -> std::same_as<void>;      // φ → y
  { f.mean(in, result) } -> std::same_as<void>;                // φ → E[y]
  { f.variance(in, result) } -> std::same_as<void>;            // φ → Var[y]
  { f.cdf(in, column, number) } -> std::same_as<double>;       // P(y_column <= number)
  { f.quantile(in, column, number) } -> std::same_as<double>;  // smallest y, cdf(y) >= u
};

// The log-density itself, as a function of φ.
template <class F>
concept DirectForm = requires(const F f, const double* in, double* result, double number) {
  { f.log_density(in, in) } -> std::same_as<double>;                 // φ, y
  { f.add_gradient(number, in, in, result) } -> std::same_as<void>;  // dφ += weight · ∂log p/∂φ
};

// The log-density as φ·T(y) + log h(y) − A(φ): φ are the natural parameters.
template <class F>
concept NaturalForm = requires(const F f, const double* in, double* result, double number) {
  { f.log_normaliser(in) } -> std::same_as<double>;               // A(φ)
  { f.mean_statistic(in, result) } -> std::same_as<void>;         // ∇A(φ) = E[T]
  { f.add_statistic(number, in, result) } -> std::same_as<void>;  // t += weight · T(y)
  { f.log_base(in) } -> std::same_as<double>;                     // log h(y)
  { f.log_density(in, number, in) } -> std::same_as<double>;      // φ, A(φ), y
};

template <class F>
concept EitherForm = DirectForm<F> || NaturalForm<F>;

template <class F>
concept Density = Distribution<F> && EitherForm<F>;

// A density may also have, recognised by their names:
//   log_marginal(phi, column, y)         of one of several responses
//   crps(phi, column, y)                 in closed form (closed_crps.hpp)
//   mean_distance(phi, column, y)        E|Y − y|, and
//   mean_distance(phi, other, column)    E|Y − Y'|: the CRPS of mixtures in closed form
//   kernel_coordinate(y), from_kernel_coordinate(v)
//                                        an unbounded coordinate (log, logit) in which responses
//                                        are perturbed and averaged; without: y itself
//   has_atom                             a constant that is true: 0 has a probability, all other
//                                        responses a density; its kernel coordinate is infinite
//   has_heavy_tails                      a constant that is true: its extreme quantiles say little
//                                        about where its mass is (metric/crps.hpp)
//   log_tail(phi, tail, y), add_log_tail_gradient(weight, phi, tail, y, dphi)
//                                        of a single response: for censored ones (tails.hpp)
//   responses_depend                     a constant that is true: T(y) has products of responses
//   responses_are_intervals              a constant that is true: y holds bounds (censored.hpp)
//   scaling(spread)                      how a target is scaled (response.hpp); without: not at all
//   proposal(facts), hint(facts)         whether to propose it for a column (response.hpp)
//   is_rival(facts)                      whether it may suit a column better than the proposed one,
//                                        so that it is worth a trial
//   outputs_begin_with_mean, gradient_is_error
//                                        constants that are true: a fast route to scores
//                                        (scores.cpp)
template <class F>
concept KernelFamily = Density<F> && requires(const F f, double number) {
  { f.kernel_coordinate(number) } -> std::same_as<double>;
  { f.from_kernel_coordinate(number) } -> std::same_as<double>;
};

template <class F>
inline constexpr bool has_atom = requires {
  requires F::has_atom;
};

template <class F>
inline constexpr bool has_heavy_tails = requires {
  requires F::has_heavy_tails;
};

template <Density F>
double kernel_coordinate(const F& family, double y) {
  if constexpr (KernelFamily<F>) return family.kernel_coordinate(y);
  return y;
}

template <Density F>
double from_kernel_coordinate(const F& family, double v) {
  if constexpr (KernelFamily<F>) return family.from_kernel_coordinate(v);
  return v;
}

// log p(y).
template <Density F>
double log_density(const F& family, const double* phi, const double* y) {
  if constexpr (NaturalForm<F>) {
    return family.log_density(phi, family.log_normaliser(phi), y);
  } else {
    return family.log_density(phi, y);
  }
}

// The log-density of one response, marginal over the others.
template <Density F>
double log_marginal(const F& family, const double* phi, int column, double y) {
  if constexpr (requires { family.log_marginal(phi, column, y); }) {
    return family.log_marginal(phi, column, y);
  } else {
    check(family.responses() == 1,
          "the {} density has no log_marginal, which several responses need", family.name);
    return log_density(family, phi, &y);
  }
}

// How a target with this spread is scaled.
template <Density F>
Scaling scaling(const F& family, const Spread& spread) {
  if constexpr (requires { family.scaling(spread); }) return family.scaling(spread);
  return {};
}

}  // namespace probmix
