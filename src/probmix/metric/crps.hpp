// The continuous ranked probability score of a predictive mixture,
//   CRPS(F, y) = ∫ (F(t) − 1[t ≥ y])² dt = E|Y − y| − ½ E|Y − Y'|,
// in the units of y: how far a prediction is off; for a point prediction, its absolute error.
//
// In closed form where the family has one (family/closed_crps.hpp); else by quadrature, to about
// 1e-8 of the spread, and for counts by sums. Classes have no order, and no CRPS.
#pragma once

#include <cmath>
#include <functional>

#include "probmix/base/error.hpp"
#include "probmix/family/closed_crps.hpp"
#include "probmix/metric/mixture.hpp"

namespace probmix {

// Where a distribution has its mass: its quantiles at the two tails. The error of ignoring a tail
// is of the order of its squared probability.
struct CrpsRange {
  static constexpr double tail = 1e-9;
  double low, high;
};
double crps_by_quadrature(const std::function<double(double)>& cdf, const CrpsRange& range,
                          double cut, double y);
double crps_by_sums(const std::function<double(double)>& cdf,
                    const std::function<double(double)>& probability, const CrpsRange& range,
                    double cut, double y);

// The probability at which the integral is cut: the median, or that of the part beside an atom.
template <class F>
double crps_cut(const Mixture<F>& mixture, int column) {
  if constexpr (has_atom<F>) return 0.5 + 0.5 * mixture.cdf(column, 0);
  return 0.5;
}

template <class F>
double crps(const Mixture<F>& mixture, int column, double y) {
  check(mixture.family().classes() == 0, "classes have no order, so they have no CRPS");
  if (const auto closed =
          closed_crps(mixture.family(), mixture.parameters(), mixture.weights(), column, y)) {
    return *closed;
  }
  const auto cdf = [&](double t) { return mixture.cdf(column, t); };
  const CrpsRange range{mixture.quantile(column, CrpsRange::tail),
                        mixture.quantile(column, 1 - CrpsRange::tail)};
  const double cut = mixture.quantile(column, crps_cut(mixture, column));
  if (!mixture.family().discrete) return crps_by_quadrature(cdf, range, cut, y);
  const auto probability = [&](double t) { return std::exp(mixture.log_density(column, t)); };
  return crps_by_sums(cdf, probability, range, cut, y);
}

}  // namespace probmix
