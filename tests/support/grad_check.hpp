// Central differences in double, step cbrt(eps) · max(1, |x|), and the worst element by name.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace probmix::test {

// Compares `gradient` with the derivative of f at x; f reads x, which is perturbed in place and put
// back. The error of an element is |analytic − numeric| / max(1, |analytic|, |numeric|).
inline ::testing::AssertionResult gradient_matches(const std::function<double()>& f,
                                                   std::span<double> x,
                                                   std::span<const double> gradient,
                                                   double tolerance = 1e-7) {
  double worst = -1;
  std::size_t where = 0;
  double at_analytic = 0;
  double at_numeric = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double kept = x[k];
    const double h =
        std::cbrt(std::numeric_limits<double>::epsilon()) * std::max(1.0, std::abs(kept));
    x[k] = kept + h;
    const double above = f();
    x[k] = kept - h;
    const double below = f();
    x[k] = kept;
    const double numeric = (above - below) / (2 * h);
    const double error =
        std::abs(gradient[k] - numeric) / std::max({1.0, std::abs(gradient[k]), std::abs(numeric)});
    if (std::isnan(error)) {
      return ::testing::AssertionFailure() << "element " << k << " of " << x.size() << ": analytic "
                                           << gradient[k] << ", numeric " << numeric;
    }
    if (error > worst) {
      worst = error;
      where = k;
      at_analytic = gradient[k];
      at_numeric = numeric;
    }
  }
  if (worst <= tolerance) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure()
         << "worst element " << where << " of " << x.size() << ": analytic " << at_analytic
         << ", numeric " << at_numeric << ", error " << worst << " > " << tolerance;
}

}  // namespace probmix::test
