// The continuous ranked probability score of a predictive mixture,
//   CRPS(F, y) = ∫ (F(t) − 1[t ≥ y])² dt = E|Y − y| − ½ E|Y − Y'|,
// in the units of y: how far a prediction is off; for a point prediction, its absolute error.
//
// In closed form where the family has one (family/closed_crps.hpp); else by quadrature, to about
// 1e-8 of the spread (1e-6 with heavy tails), and for counts by sums. Classes have no order, and no
// CRPS.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

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
// For a smooth distribution with heavy tails: `points` are where its members have their mass.
double crps_by_panels(const std::function<double(double)>& cdf, std::vector<double> points,
                      double y);
double crps_by_sums(const std::function<double(double)>& cdf,
                    const std::function<double(double)>& probability, const CrpsRange& range,
                    double cut, double y);

// The probability at which the integral is cut: the median, or that of the part beside an atom.
template <class F>
double crps_cut(const Mixture<F>& mixture, int column) {
  if constexpr (has_atom<F>) return 0.5 + 0.5 * mixture.cdf(column, 0);
  return 0.5;
}

// A few points where each member has its mass.
template <class F>
std::vector<double> places_of_members(const Mixture<F>& mixture, int column) {
  std::vector<double> mean(to_size(mixture.family().moments())), variance(mean.size()), points;
  for (Index s = 0; s < mixture.members(); ++s) {
    mixture.family().mean(mixture.parameters().row(s), mean.data());
    mixture.family().variance(mixture.parameters().row(s), variance.data());
    const double deviation = std::sqrt(variance[to_size(column)]);
    for (const double z : {-2.0, -0.7, 0.0, 0.7, 2.0}) {
      points.push_back(mean[to_size(column)] + z * deviation);
    }
  }
  return points;
}

template <class F>
double crps(const Mixture<F>& mixture, int column, double y) {
  check(mixture.family().classes() == 0, "classes have no order, so they have no CRPS");
  if (const auto closed =
          closed_crps(mixture.family(), mixture.parameters(), mixture.weights(), column, y)) {
    return *closed;
  }
  const auto cdf = [&](double t) { return mixture.cdf(column, t); };
  if constexpr (has_heavy_tails<F>) {
    return crps_by_panels(cdf, places_of_members(mixture, column), y);
  }
  const CrpsRange range{mixture.quantile(column, CrpsRange::tail),
                        mixture.quantile(column, 1 - CrpsRange::tail)};
  const double cut = mixture.quantile(column, crps_cut(mixture, column));
  if (!mixture.family().discrete) return crps_by_quadrature(cdf, range, cut, y);
  const auto probability = [&](double t) { return std::exp(mixture.log_density(column, t)); };
  return crps_by_sums(cdf, probability, range, cut, y);
}

}  // namespace probmix
