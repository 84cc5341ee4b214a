// What an exponential family p(y) = h(y) exp(φ·T(y) − A(φ)) declares, and the results that follow
// for any of them.
//
// A family works on one row at a time, in double. Pointers: `out` network outputs (outputs), `phi`
// natural parameters and `t` statistics (naturals), `y` responses (responses), `m`, `v` moments
// (moments). Functions overwrite their result, except add_statistic, which accumulates. `y` must
// lie in the support (in_support tells), `u` in (0, 1). A NaN output gives a NaN loss: divergence
// shows.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"

namespace probmix {

template <class F>
concept ExponentialFamily = std::semiregular<F> &&
    requires(const F f, const FamilyOptions& options, const double* in, double* result,
             double number, int column, Stream& stream) {
  { F::name } -> std::convertible_to<std::string_view>;
  { F::discrete } -> std::convertible_to<bool>;       // probabilities rather than densities
  { F::make(options) } -> std::same_as<F>;            // throws UsageError for what it does not know
  { f.support_text() } -> std::same_as<std::string>;  // "real numbers", for error messages

  { f.outputs() } -> std::same_as<int>;       // numbers the network gives per row
  { f.free_outputs() } -> std::same_as<int>;  // how many of the last do not depend on x
  { f.naturals() } -> std::same_as<int>;      // length of φ and of T
  { f.responses() } -> std::same_as<int>;     // columns of y
  { f.classes() } -> std::same_as<int>;       // of a finite support {0, ..., classes − 1}, else 0
  { f.moments() } -> std::same_as<int>;       // length of mean and variance

  { f.in_support(in) } -> std::same_as<bool>;                     // y
  { f.link(in, result) } -> std::same_as<void>;                   // out → φ
  { f.link_backward(in, in, result) } -> std::same_as<void>;      // out, dφ → dout = Jᵀ dφ
  { f.log_normaliser(in) } -> std::same_as<double>;               // A(φ)
  { f.mean_statistic(in, result) } -> std::same_as<void>;         // ∇A(φ) = E[T]
  { f.add_statistic(number, in, result) } -> std::same_as<void>;  // t += weight · T(y)
  { f.log_base(in) } -> std::same_as<double>;                     // log h(y)
  { f.log_density(in, number, in) } -> std::same_as<double>;      // φ, A(φ), y
  { f.sample(in, stream, result) } -> std::same_as<void>;         // φ → y
  { f.mean(in, result) } -> std::same_as<void>;                   // φ → E[y]
  { f.variance(in, result) } -> std::same_as<void>;               // φ → Var[y]
  { f.cdf(in, column, number) } -> std::same_as<double>;          // P(y_column <= number)
  { f.quantile(in, column, number) } -> std::same_as<double>;     // smallest y, cdf(y) >= u
};

// A family whose responses are perturbed and averaged in an unbounded coordinate (identity, log,
// logit). The finite families instead spread weights over their classes.
template <class F>
concept KernelFamily = ExponentialFamily<F> && requires(const F f, double number) {
  { f.kernel_coordinate(number) } -> std::same_as<double>;
  { f.from_kernel_coordinate(number) } -> std::same_as<double>;
};

inline double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// log p(y) = φ·T(y) + log h(y) − A(φ). The definition, which allocates: every family's log_density
// is a closed form of it that is faster or more accurate, and the tests compare both.
template <ExponentialFamily F>
double generic_log_density(const F& family, const double* phi, double log_normaliser,
                           const double* y) {
  std::vector<double> t(static_cast<std::size_t>(family.naturals()));
  family.add_statistic(1, y, t.data());
  return dot(phi, t.data(), family.naturals()) + family.log_base(y) - log_normaliser;
}

}  // namespace probmix
