// The continuous ranked probability score of a predictive mixture,
//   CRPS(F, y) = ∫ (F(t) − 1[t ≥ y])² dt = E|Y − y| − ½ E|Y − Y'|,
// in the units of y: how far a prediction is off; for a point prediction, its absolute error.
//
// In closed form where the family has one (family/closed_crps.hpp); else by quadrature, to about
// 1e-8 of the spread, and for counts by sums. Classes have no order, and no CRPS.
#pragma once

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
                          double median, double y);
double crps_by_sums(const std::function<double(double)>& cdf, const CrpsRange& range, double y);

template <class F>
double crps(const Mixture<F>& mixture, int column, double y) {
  check(mixture.family().classes() == 0, "classes have no order, so they have no CRPS");
  if (const auto closed = closed_crps(mixture.family(), mixture.parameters(),
                                      mixture.weights(), column, y)) {
    return *closed;
  }
  const auto cdf = [&](double t) { return mixture.cdf(column, t); };
  const CrpsRange range{mixture.quantile(column, CrpsRange::tail),
                        mixture.quantile(column, 1 - CrpsRange::tail)};
  if (mixture.family().discrete) return crps_by_sums(cdf, range, y);
  return crps_by_quadrature(cdf, range, mixture.quantile(column, 0.5), y);
}

}  // namespace probmix
