#include "probmix/math/log_tail.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/math/large_gamma.hpp"
#include "probmix/math/special.hpp"

namespace probmix {
namespace {

constexpr double half_log_2pi = 0.91893853320467274178;
// Below this a probability has lost digits, or is 0; then the first terms of an expansion for the
// far tail take over, which are off by less than 1e-5 there.
constexpr double smallest_tail = 1e-290;

// log p from p or from 1 − p, whichever is exact.
double log_of(double p, double rest) { return p < 0.5 ? std::log(p) : std::log1p(-rest); }

// log of x^{a−1} e^{−x} / Γ(a).
double log_gamma_density(double shape, double x) {
  if (shape >= large_shape) {
    const double density = LargeGamma{shape}.density(x);
    if (density > smallest_tail) return std::log(density);
  }
  return (shape - 1) * std::log(x) - x - log_gamma(shape);
}

}  // namespace

LogTail log_normal_cdf(double z) {
  const double log_density = -0.5 * z * z - half_log_2pi;
  constexpr double far = -20;
  if (!(z < far)) {
    const double log_p = log_of(normal_cdf(z), normal_cdf(-z));
    return {log_p, std::exp(log_density - log_p)};
  }
  // Φ(z) = φ(z)/|z| (1 − 1/z² + 3/z⁴ − 15/z⁶ + ...), to rounding.
  const double w = 1 / (z * z);
  double series = 1;
  for (int k = 15; k >= 1; k -= 2) series = 1 - k * w * series;
  return {log_density - std::log(-z) + std::log(series), -z / series};
}

LogTail log_student_t_cdf(double freedom, double z) {
  const double square = z * z;
  const double log_density =
      student_t_log_constant(freedom) - 0.5 * (freedom + 1) * std::log1p(square / freedom);
  const double p = student_t_cdf(freedom, z);
  if (!(p < smallest_tail)) {
    const double log_p = log_of(p, student_t_cdf(freedom, -z));
    return {log_p, std::exp(log_density - log_p)};
  }
  // By parts: T(z) (1 + E[1/t²]) = f(z) (ν + z²) / (ν |z|), t <= z.
  const double slope = freedom * -z / (freedom + square) * (1 + freedom / (freedom + 2) / square);
  return {log_density - std::log(slope), slope};
}

LogTail log_gamma_cdf(double shape, double x) {
  const double p = gamma_cdf(shape, x);
  if (!(p < smallest_tail)) {
    const double log_p = log_of(p, gamma_survival(shape, x));
    return {log_p, std::exp(log_gamma_density(shape, x) - log_p)};
  }
  // x^a e^{−x} / Γ(a + 1) (1 + x/(a + 1) + ...), a geometric series but for later terms.
  const double slope = shape / x * std::max(1 - x / (shape + 1), 1 / (shape + 1));
  return {log_gamma_density(shape, x) - std::log(slope), slope};
}

LogTail log_gamma_survival(double shape, double x) {
  const double q = gamma_survival(shape, x);
  if (!(q < smallest_tail)) {
    const double log_q = log_of(q, gamma_cdf(shape, x));
    return {log_q, -std::exp(log_gamma_density(shape, x) - log_q)};
  }
  const double slope = std::max(1 - (shape - 1) / x, 1 / x);  // of the continued fraction
  return {log_gamma_density(shape, x) - std::log(slope), -slope};
}

}  // namespace probmix
