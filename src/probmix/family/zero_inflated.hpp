// A density with more zeros than its base: P(0) has an extra share π. Not an exponential family.
//
//   p(y) = π 1[y = 0] + (1 − π) p_base(y)
//
// Counts (poisson, negative-binomial): zero-inflated; p_base(0) adds to π.
// Positive numbers (gamma, lognormal): a hurdle. 0 is an atom beside the density of the others: the
// log-density of 0 is log π, a probability, that of y > 0 is log (1 − π) p_base(y). Such values
// compare densities of the same kind, with the same unit of y, and no others. A probability has no
// unit: that of 0 is multiplied by `unit`, so that a log-density of scaled responses minus log unit
// is one of the responses themselves for all y.
//
// Outputs: those of the base, then the logit of π. φ holds those of the base, A(φ_base) if the base
// is an exponential family (it takes the longest to compute), then the logit.
//
// Soft counts of a mix: the logarithm of what π adds at 0 fades linearly until y = 1, and is not
// cut below 0, so that noise around 0 does not move its mean. An atom is not perturbed, and fusing
// it log-linearly with a positive number gives the one of the larger weight, as for classes
// (mix/targets.cpp).
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "probmix/base/random.hpp"
#include "probmix/family/density.hpp"
#include "probmix/family/exponential.hpp"
#include "probmix/family/gamma.hpp"
#include "probmix/family/lognormal.hpp"
#include "probmix/family/negative_binomial.hpp"
#include "probmix/family/poisson.hpp"

namespace probmix {

template <class Base>
inline constexpr std::string_view zero_inflated_name = {};
template <>
inline constexpr std::string_view zero_inflated_name<Poisson> = "zero-inflated-poisson";
template <>
inline constexpr std::string_view zero_inflated_name<NegativeBinomial> =
    "zero-inflated-negative-binomial";
template <>
inline constexpr std::string_view zero_inflated_name<Gamma> = "zero-inflated-gamma";
template <>
inline constexpr std::string_view zero_inflated_name<Lognormal> = "zero-inflated-lognormal";

template <Density Base>
struct ZeroInflated {
  static constexpr std::string_view name = zero_inflated_name<Base>;
  static constexpr bool discrete = Base::discrete;
  static constexpr bool has_atom = !discrete;

  Base base{};
  double log_unit = 0;

  static ZeroInflated make(const FamilyOptions& options) {
    check_plain(name, options);
    return {Base::make(options), std::log(options.unit)};
  }

  std::string support_text() const {
    return discrete ? base.support_text() : "numbers of at least 0";
  }
  int outputs() const { return base.outputs() + 1; }
  int free_outputs() const { return 0; }
  int parameters() const { return logit_at() + 1; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  static Scaling scaling(const Spread& spread) {
    if (discrete) return {};
    if (spread.mean > 0) return {.scale = spread.mean};
    return {.fault = fmt::format("has a mean of {:.3g}; the {} family is for numbers of at least 0",
                                 spread.mean, name)};
  }

  // Counts with many zeros, more than a Poisson density of the same mean has. Poisson is for narrow
  // counts, negative binomial for wide ones.
  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    if constexpr (!discrete) return {};
    const bool is_wide = facts.variance >= 3 * facts.mean;
    const bool is_narrow = facts.variance > 0.5 * facts.mean && !is_wide;
    const bool suits = std::is_same_v<Base, Poisson> ? is_narrow : is_wide;
    if (!is_rival(facts) || !suits) return {};
    return Proposal{45, fmt::format("has counts, {:.0f} % of them 0", 100 * zero_share(facts))};
  }

  static bool is_rival(const ColumnFacts& facts) {
    return discrete && !facts.has_categories() && facts.low == 0 && facts.whole &&
           facts.mean < 100 && zero_share(facts) >= 0.3 &&
           zero_share(facts) >= 2 * std::exp(-facts.mean);
  }

  // Not proposed for other numbers: a probability of 0 and a density beside it have no NLL that
  // could be compared with that of a density alone.
  static std::string hint(const ColumnFacts& facts) {
    const bool is_count = facts.whole && facts.mean < 100;
    const bool is_varied = facts.distinct >= ColumnFacts::most_distinct && facts.high > 1;
    if (!std::is_same_v<Base, Gamma> || facts.has_categories() || facts.low != 0 || is_count ||
        !is_varied || zero_share(facts) < 0.2) {
      return "";
    }
    return fmt::format(
        "has numbers from 0 on, {:.0f} % of them 0; `family` {} gives 0 a probability",
        100 * zero_share(facts), name);
  }

  bool in_support(const double* y) const { return *y == 0 || base.in_support(y); }

  void link(const double* out, double* phi) const {
    base.link(out, phi);
    if constexpr (is_natural) phi[base.parameters()] = base.log_normaliser(phi);
    phi[logit_at()] = out[base.outputs()];
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    if constexpr (is_natural) {
      std::array<double, most_parameters> phi{}, dbase{};
      base.link(out, phi.data());
      base.mean_statistic(phi.data(), dbase.data());
      const double dnormaliser = dphi[base.parameters()];
      for (int k = 0; k < base.parameters(); ++k) {
        const auto at = static_cast<std::size_t>(k);
        dbase[at] = dphi[k] + dnormaliser * dbase[at];
      }
      base.link_backward(out, dbase.data(), dout);
    } else {
      base.link_backward(out, dphi, dout);
    }
    dout[base.outputs()] = dphi[logit_at()];
  }

  double log_density(const double* phi, const double* y) const {
    const double z = phi[logit_at()];
    if constexpr (discrete) {
      const double of_base = log_base_density(phi, *y);
      const double nearness = nearness_to_zero(*y);
      if (nearness == 0) return of_base - softplus(z);
      const double at_zero = *y == 0 ? of_base : log_base_density(phi, 0);
      const double zero = std::max(z, at_zero) + std::log1p(std::exp(-std::abs(z - at_zero)));
      return of_base - nearness * at_zero + nearness * zero - softplus(z);
    } else {
      if (*y != 0) return log_base_density(phi, *y) - softplus(z);
      return log_unit - softplus(-z) + 0 * phi[logit_at() - 1];  // a NaN of the base shows here too
    }
  }

  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    const double z = phi[logit_at()];
    double& dz = dphi[logit_at()];
    if constexpr (discrete) {
      dz -= weight * sigmoid(z);
      const double nearness = nearness_to_zero(*y);
      if (nearness == 0) return add_base_gradient(weight, phi, *y, dphi);
      const double at_zero = log_base_density(phi, 0);
      dz += weight * nearness * sigmoid(z - at_zero);  // how likely a 0 is one of the extra ones
      if (*y == 0) return add_base_gradient(weight * sigmoid(at_zero - z), phi, 0, dphi);
      add_base_gradient(weight, phi, *y, dphi);
      add_base_gradient(-weight * nearness * sigmoid(z - at_zero), phi, 0, dphi);
    } else {
      dz += weight * (*y == 0 ? sigmoid(-z) : -sigmoid(z));
      if (*y != 0) add_base_gradient(weight, phi, *y, dphi);
    }
  }

  // With C the CRPS of the base: π y + (1 − π) (C(y) − π C(0)), for a base on (0, ∞).
  double crps(const double* phi, int column, double y) const
      requires(!discrete && requires(const Base b) { b.crps(phi, column, y); }) {
    const double extra = sigmoid(phi[logit_at()]);
    const double rest = sigmoid(-phi[logit_at()]);
    return extra * y + rest * (base.crps(phi, column, y) - extra * base.crps(phi, column, 0));
  }

  double mean_distance(const double* phi, int column, double y) const
      requires(!discrete && requires(const Base b) { b.mean_distance(phi, column, y); }) {
    return sigmoid(phi[logit_at()]) * y +
           sigmoid(-phi[logit_at()]) * base.mean_distance(phi, column, y);
  }
  double mean_distance(const double* phi, const double* other, int column) const
      requires(!discrete && requires(const Base b) { b.mean_distance(phi, other, column); }) {
    double mean = 0;
    double other_mean = 0;
    base.mean(phi, &mean);
    base.mean(other, &other_mean);
    const double rest = sigmoid(-phi[logit_at()]);
    const double other_rest = sigmoid(-other[logit_at()]);
    return rest * sigmoid(other[logit_at()]) * mean +
           other_rest * sigmoid(phi[logit_at()]) * other_mean +
           rest * other_rest * base.mean_distance(phi, other, column);
  }

  // The coordinate of the atom is −∞, which noise does not move.
  double kernel_coordinate(double y) const requires(!discrete) { return base.kernel_coordinate(y); }
  double from_kernel_coordinate(double v) const requires(!discrete) {
    return v == -std::numeric_limits<double>::infinity() ? 0 : base.from_kernel_coordinate(v);
  }

  void sample(const double* phi, Stream& stream, double* y) const {
    const bool is_extra = stream.uniform() < sigmoid(phi[logit_at()]);
    if (!is_extra) return base.sample(phi, stream, y);
    *y = 0;
  }

  void mean(const double* phi, double* m) const {
    base.mean(phi, m);
    *m *= sigmoid(-phi[logit_at()]);
  }

  void variance(const double* phi, double* v) const {
    double m = 0;
    base.mean(phi, &m);
    base.variance(phi, v);
    *v = sigmoid(-phi[logit_at()]) * (*v + sigmoid(phi[logit_at()]) * m * m);
  }

  double cdf(const double* phi, int column, double y) const {
    if (y < 0) return 0;
    const double p = base.cdf(phi, column, y);
    if (p == 1) return 1;
    return std::min(sigmoid(phi[logit_at()]) + sigmoid(-phi[logit_at()]) * p, 1.0);
  }

  double quantile(const double* phi, int column, double u) const {
    const double extra = sigmoid(phi[logit_at()]);
    const double rest = sigmoid(-phi[logit_at()]);
    if (u <= extra) return 0;
    const double of_base = extra < 0.5 ? (u - extra) / rest : 1 - (1 - u) / rest;
    if (of_base <= 0) return 0;
    double y = base.quantile(phi, column, std::min(of_base, 1.0));
    if constexpr (discrete) {  // where u is a value of the cdf, rounding decides
      if (y > 0 && cdf(phi, column, y - 1) >= u) --y;
      if (cdf(phi, column, y) < u) ++y;
    }
    return y;
  }

 private:
  static double zero_share(const ColumnFacts& facts) {
    return static_cast<double>(facts.zeros) / static_cast<double>(facts.count);
  }

  static constexpr bool is_natural = NaturalForm<Base>;
  static constexpr std::size_t most_parameters = 4;  // of a base

  int logit_at() const { return base.parameters() + (is_natural ? 1 : 0); }

  static double nearness_to_zero(double y) { return std::max(1 - y, 0.0); }

  double log_base_density(const double* phi, double y) const {
    if constexpr (is_natural) {
      return base.log_density(phi, phi[base.parameters()], &y);
    } else {
      return base.log_density(phi, &y);
    }
  }

  void add_base_gradient(double weight, const double* phi, double y, double* dphi) const {
    if constexpr (is_natural) {
      base.add_statistic(weight, &y, dphi);
      dphi[base.parameters()] -= weight;
    } else {
      base.add_gradient(weight, phi, &y, dphi);
    }
  }
};

using ZeroInflatedPoisson = ZeroInflated<Poisson>;
using ZeroInflatedNegativeBinomial = ZeroInflated<NegativeBinomial>;
using ZeroInflatedGamma = ZeroInflated<Gamma>;
using ZeroInflatedLognormal = ZeroInflated<Lognormal>;

}  // namespace probmix
