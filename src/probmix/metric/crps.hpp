// The continuous ranked probability score of a predictive mixture,
//   CRPS(F, y) = ∫ (F(t) − 1[t ≥ y])² dt = E|Y − y| − ½ E|Y − Y'|,
// in the units of y: how far a prediction is off, and of a point prediction its absolute error.
#pragma once

#include "probmix/metric/mixture.hpp"

namespace probmix {

// In closed form for mixtures of Gaussians and for one gamma or beta law; mixtures of these by
// quadrature, to about 1e-8 of the spread, and counts by sums. Classes have no order, and no CRPS.
template <class F>
double crps(const Mixture<F>& mixture, int column, double y);

extern template double crps(const Mixture<Gaussian>&, int, double);
extern template double crps(const Mixture<Poisson>&, int, double);
extern template double crps(const Mixture<Gamma>&, int, double);
extern template double crps(const Mixture<Beta>&, int, double);

}  // namespace probmix
