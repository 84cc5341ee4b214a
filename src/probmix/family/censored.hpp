// A density of one response that is observed, or only known to lie in an interval. A response has
// two columns, (low, high): the same number twice if it was observed. Its likelihood is the density
// there, or the probability of the interval.
//
// A straight line between two such responses is interval arithmetic: what is known of
// λ y_i + (1−λ) y_j. So every method that mixes inputs or embeddings, or pools linearly, applies.
#pragma once

#include <cmath>
#include <string>
#include <string_view>

#include "probmix/family/tails.hpp"

namespace probmix {

template <HasTails F>
struct Censored {
  static constexpr std::string_view name = F::name;
  static constexpr bool discrete = F::discrete;
  static constexpr bool responses_are_intervals = true;

  F family{};

  static Censored make(const FamilyOptions& options) { return {F::make(options)}; }

  std::string support_text() const { return family.support_text(); }
  int outputs() const { return family.outputs(); }
  int free_outputs() const { return family.free_outputs(); }
  int parameters() const { return family.parameters(); }
  int responses() const { return 2; }
  int classes() const { return 0; }
  int moments() const { return 2; }

  static Scaling scaling(const Spread& spread) { return probmix::scaling(F(), spread); }

  // An interval must have a probability above 0: an upper bound is a possible response.
  bool in_support(const double* y) const {
    if (y[0] == y[1]) return family.in_support(y);
    return y[0] < y[1] && (std::isinf(y[1]) || family.in_support(y + 1));
  }

  void link(const double* out, double* phi) const { family.link(out, phi); }
  void link_backward(const double* out, const double* dphi, double* dout) const {
    family.link_backward(out, dphi, dout);
  }

  double log_density(const double* phi, const double* y) const {
    return y[0] == y[1] ? probmix::log_density(family, phi, y)
                        : log_probability(family, phi, {y[0], y[1]});
  }

  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    if (y[0] == y[1]) return probmix::add_gradient(family, weight, phi, y, dphi);
    add_log_probability_gradient(family, weight, phi, {y[0], y[1]}, dphi);
  }

  // Open ends stay open.
  double kernel_coordinate(double y) const {
    return std::isinf(y) ? y : probmix::kernel_coordinate(family, y);
  }
  double from_kernel_coordinate(double v) const {
    return std::isinf(v) ? v : probmix::from_kernel_coordinate(family, v);
  }

  void sample(const double* phi, Stream& stream, double* y) const {
    family.sample(phi, stream, y);
    y[1] = y[0];
  }
  void mean(const double* phi, double* m) const {
    family.mean(phi, m);
    m[1] = m[0];
  }
  void variance(const double* phi, double* v) const {
    family.variance(phi, v);
    v[1] = v[0];
  }
  double log_marginal(const double* phi, int, double y) const {
    return probmix::log_density(family, phi, &y);
  }
  double cdf(const double* phi, int, double y) const { return family.cdf(phi, 0, y); }
  double quantile(const double* phi, int, double u) const { return family.quantile(phi, 0, u); }
};

}  // namespace probmix
