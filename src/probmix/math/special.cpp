// The only file that includes Boost.Math's special functions: they are slow to compile.
#include "probmix/math/special.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
#include <cstddef>
#include <exception>
#include <numbers>
#include <utility>

#include "probmix/math/large_gamma.hpp"

namespace probmix {
namespace {

// Infinities and NaN instead of exceptions. No detour through long double: it costs a factor of
// six in log Γ and buys digits that a double cannot hold.
namespace policies = boost::math::policies;
using Quiet = policies::policy<
    policies::domain_error<policies::ignore_error>, policies::pole_error<policies::ignore_error>,
    policies::overflow_error<policies::ignore_error>,
    policies::evaluation_error<policies::ignore_error>, policies::promote_double<false>>;

// δ(x) = log Γ(x) − ((x − ½) log x − x + ½ log 2π), x >= 10: Stirling's series, error below 1e-15.
double stirling_remainder(double x) {
  const double w = 1 / (x * x);
  return (1.0 / 12 -
          w * (1.0 / 360 -
               w * (1.0 / 1260 - w * (1.0 / 1680 - w * (1.0 / 1188 - w * 691 / 360360))))) /
         x;
}

}  // namespace

double log_gamma(double x) { return boost::math::lgamma(x, Quiet()); }

double digamma(double x) { return boost::math::digamma(x, Quiet()); }

// With a <= b. Where Γ(b) and Γ(a + b) are huge and nearly cancel, only their Stirling remainders
// are subtracted.
double log_beta(double a, double b) {
  if (a > b) std::swap(a, b);
  if (!(b >= 10)) return log_gamma(a) + log_gamma(b) - log_gamma(a + b);
  const double sum = a + b;
  const double remainder = stirling_remainder(b) - stirling_remainder(sum);
  if (a < 10) {
    return log_gamma(a) + a * (1 - std::log(sum)) - (b - 0.5) * std::log1p(a / b) + remainder;
  }
  return 0.5 * std::log(2 * std::numbers::pi / b) + (a - 0.5) * std::log(a / sum) -
         b * std::log1p(a / b) + remainder + stirling_remainder(a);
}

namespace {

constexpr double few_factors = 16;  // up to here a product is cheaper than two log Γ

bool is_few(double n) { return n <= few_factors && n == std::floor(n); }

}  // namespace

double log_factorial(double n) {
  static const auto table = [] {
    std::array<double, 256> logs{};
    for (std::size_t k = 0; k < logs.size(); ++k) logs[k] = log_gamma(static_cast<double>(k) + 1);
    return logs;
  }();
  const bool is_listed = n < static_cast<double>(table.size()) && n == std::floor(n);
  return is_listed ? table[static_cast<std::size_t>(n)] : log_gamma(n + 1);
}

// By Stirling's formula where it is exact to rounding.
double log_rising(double x, double n) {
  if (x >= 10) {
    return (x - 0.5) * std::log1p(n / x) + n * (std::log(x + n) - 1) + stirling_remainder(x + n) -
           stirling_remainder(x);
  }
  if (!is_few(n)) return log_gamma(x + n) - log_gamma(x);
  double product = 1;
  for (double k = 0; k < n; ++k) product *= x + k;
  return std::log(product);
}

// ψ(x) = log w + 1/(24 w²) − 7/(960 w⁴) + ..., w = x − ½, where the difference would cancel.
double log_rising_derivative(double x, double n) {
  if (is_few(n)) {
    double sum = 0;
    for (double k = 0; k < n; ++k) sum += 1 / (x + k);
    return sum;
  }
  if (x < 100) return digamma(x + n) - digamma(x);
  const double low = x - 0.5;
  const auto rest = [](double w) { return (1.0 / 24 - 7.0 / 960 / (w * w)) / (w * w); };
  return std::log1p(n / low) + rest(low + n) - rest(low);
}

double normal_cdf(double z) { return 0.5 * boost::math::erfc(-z / std::sqrt(2.0), Quiet()); }

double normal_quantile(double u) { return -std::sqrt(2.0) * boost::math::erfc_inv(2 * u, Quiet()); }

double normal_mean_distance(double mean, double deviation) {
  const double z = mean / deviation;
  const double density = std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return mean * (2 * normal_cdf(z) - 1) + 2 * deviation * density;
}

double gamma_cdf(double shape, double x) {
  if (std::isinf(x)) return 1;
  if (shape >= large_shape) return LargeGamma{shape}.cdf(x);
  return boost::math::gamma_p(shape, x, Quiet());
}

double gamma_survival(double shape, double x) {
  if (std::isinf(x)) return 0;
  if (shape >= large_shape) return LargeGamma{shape}.survival(x);
  return boost::math::gamma_q(shape, x, Quiet());
}

double gamma_quantile(double shape, double u) {
  if (shape >= large_shape) return LargeGamma{shape}.quantile(u, normal_quantile(u));
  return boost::math::gamma_p_inv(shape, u, Quiet());
}

namespace {

// Beyond this concentration Boost's series take seconds. There y (b + (a − 1)/2) has practically
// the gamma density of shape a, and if a is large too, y is normal but for its skewness.
constexpr double large_concentration = 1e9;
constexpr double large_smaller = 1e4;

struct LargeBeta {  // a <= b
  double a, b;

  bool is_normal() const { return a > large_smaller; }
  double rate() const { return b + (a - 1) / 2; }
  double mean() const { return a / (a + b); }
  double deviation() const { return std::sqrt(mean() * (b / (a + b)) / (a + b + 1)); }
  double skewness() const { return 2 * (b - a) / (a + b + 2) * std::sqrt((a + b + 1) / a / b); }
  double cdf(double y) const {
    if (!is_normal()) return gamma_cdf(a, y * rate());
    const double z = (y - mean()) / deviation();
    const double density = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
    return std::clamp(normal_cdf(z) - skewness() / 6 * (z * z - 1) * density, 0.0, 1.0);
  }
  double survival(double y) const {
    return is_normal() ? 1 - cdf(y) : gamma_survival(a, y * rate());
  }
  double quantile(double u) const {
    if (!is_normal()) return std::min(gamma_quantile(a, u) / rate(), 1.0);
    const double z = normal_quantile(u);
    const double y = mean() + deviation() * (z + skewness() / 6 * (z * z - 1));
    return std::clamp(y, 0.0, 1.0);
  }
};

}  // namespace

double beta_cdf(double a, double b, double y) {
  if (a + b >= large_concentration) {
    return a <= b ? LargeBeta{a, b}.cdf(y) : 1 - LargeBeta{b, a}.cdf(1 - y);
  }
  const double p = boost::math::ibeta(a, b, y, Quiet());
  return p < 0 ? 0 : (p > 1 ? 1 : p);
}

double beta_survival(double a, double b, double y) {
  if (a + b >= large_concentration) {
    return a <= b ? LargeBeta{a, b}.survival(y) : LargeBeta{b, a}.cdf(1 - y);
  }
  return std::clamp(boost::math::ibetac(a, b, y, Quiet()), 0.0, 1.0);
}

double beta_quantile(double a, double b, double u) {
  if (a + b >= large_concentration) {
    return a <= b ? LargeBeta{a, b}.quantile(u) : 1 - LargeBeta{b, a}.quantile(1 - u);
  }
  try {
    return boost::math::ibeta_inv(a, b, u, Quiet());
  } catch (const std::exception&) {  // its root finder has its own policy
    return a / (a + b);
  }
}

namespace {

// From here on the series in 1/ν are exact to rounding, where differences of log Γ or ψ cancel.
constexpr double series_from = 1000;
// From here on t is normal to rounding, except far out in the tails.
constexpr double normal_from = 1e9;

}  // namespace

double student_t_log_constant(double freedom) {
  if (freedom < series_from) {
    return log_gamma(0.5 * freedom + 0.5) - log_gamma(0.5 * freedom) -
           0.5 * std::log(freedom * std::numbers::pi);
  }
  constexpr double of_normal = -0.91893853320467274178;  // −½ log 2π
  const double w = 1 / freedom;
  return of_normal - w / 4 + w * w * w / 24;
}

double student_t_log_constant_derivative(double freedom) {
  if (freedom < series_from) {
    return 0.5 * (digamma(0.5 * freedom + 0.5) - digamma(0.5 * freedom) - 1 / freedom);
  }
  const double w = 1 / freedom;
  return w * w / 4 - w * w * w * w / 8;
}

// By whichever of the two incomplete beta functions has the smaller argument.
double student_t_cdf(double freedom, double z) {
  if (freedom >= normal_from) return normal_cdf(z);
  const double square = z * z;
  if (std::isinf(square)) return z < 0 ? 0 : 1;
  const double share = square / (freedom + square);
  const double tail = square < freedom ? boost::math::ibetac(0.5, 0.5 * freedom, share, Quiet())
                                       : boost::math::ibeta(0.5 * freedom, 0.5,
                                                            freedom / (freedom + square), Quiet());
  return z < 0 ? 0.5 * tail : 1 - 0.5 * tail;
}

double student_t_quantile(double freedom, double u) {
  if (freedom >= normal_from || u == 0.5) return normal_quantile(u);
  try {
    return boost::math::quantile(boost::math::students_t_distribution<double, Quiet>(freedom), u);
  } catch (const std::exception&) {  // its root finder has its own policy
    return normal_quantile(u);
  }
}

}  // namespace probmix
