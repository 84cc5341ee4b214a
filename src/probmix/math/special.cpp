// The only file that includes Boost.Math's special functions: they are slow to compile.
#include "probmix/math/special.hpp"

#include <boost/math/special_functions/beta.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <boost/math/special_functions/gamma.hpp>
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

double normal_cdf(double z) { return 0.5 * boost::math::erfc(-z / std::sqrt(2.0), Quiet()); }

double normal_quantile(double u) { return -std::sqrt(2.0) * boost::math::erfc_inv(2 * u, Quiet()); }

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

double beta_cdf(double a, double b, double y) {
  const double p = boost::math::ibeta(a, b, y, Quiet());
  return p < 0 ? 0 : (p > 1 ? 1 : p);
}

double beta_quantile(double a, double b, double u) {
  // Boost's root finder has its own policy: it throws for concentrations beyond 1e17, where the
  // mean is every quantile.
  try {
    return boost::math::ibeta_inv(a, b, u, Quiet());
  } catch (const std::exception&) {
    return a / (a + b);
  }
}

}  // namespace probmix
