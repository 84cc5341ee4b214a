// The logarithm of a gamma draw: for small shapes the draw itself underflows, and the ratio of two
// such draws (a beta draw) would be 0/0.
#pragma once

#include <cmath>
#include <limits>

#include "probmix/base/random.hpp"

namespace probmix {

// log G, G ~ Gamma(shape, rate 1), every finite shape > 0; NaN for anything else.
// Marsaglia & Tsang (2000) for shape >= 1; below, G = G' U^{1/shape} with G' ~ Gamma(shape + 1).
inline double log_gamma_draw(double shape, Stream& stream) {
  if (!(shape > 0 && std::isfinite(shape))) return std::numeric_limits<double>::quiet_NaN();
  if (shape < 1) {
    const double lifted = log_gamma_draw(shape + 1, stream);
    return lifted + std::log(stream.uniform()) / shape;
  }
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  while (true) {
    const double x = stream.normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double log_v = 3 * std::log(root);
    const double v = root * root * root;
    if (std::log(stream.uniform()) < 0.5 * x * x + d * (1 - v + log_v)) return std::log(d) + log_v;
  }
}

}  // namespace probmix
