#include "probmix/metric/crps.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>
#include <numbers>
#include <vector>

#include "probmix/math/special.hpp"

namespace probmix {
namespace {

double square(double x) { return x * x; }

// E|X| for X ~ N(mean, deviation²).
double mean_distance(double mean, double deviation) {
  const double z = mean / deviation;
  const double density = std::exp(-0.5 * z * z) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
  return mean * (2 * normal_cdf(z) - 1) + 2 * deviation * density;
}

double score(const Mixture<Gaussian>& mixture, int column, double y) {
  const Index n = mixture.members();
  std::vector<double> mean(to_size(n)), variance(to_size(n));
  std::vector<double> all(static_cast<std::size_t>(mixture.family().d));
  for (Index s = 0; s < n; ++s) {
    mixture.family().mean(mixture.naturals(s), all.data());
    mean[to_size(s)] = all[static_cast<std::size_t>(column)];
    mixture.family().variance(mixture.naturals(s), all.data());
    variance[to_size(s)] = all[static_cast<std::size_t>(column)];
  }
  double from_y = 0;
  double apart = 0;  // over all pairs of members
  for (std::size_t s = 0; s < mean.size(); ++s) {
    from_y += mean_distance(y - mean[s], std::sqrt(variance[s]));
    apart += mean_distance(0, std::sqrt(2 * variance[s]));
    for (std::size_t t = 0; t < s; ++t) {
      apart += 2 * mean_distance(mean[s] - mean[t], std::sqrt(variance[s] + variance[t]));
    }
  }
  const auto count = static_cast<double>(n);
  return from_y / count - apart / (2 * count * count);
}

// The probability that is left out at either end: it adds its square.
constexpr double tail = 1e-9;

// One gamma or beta law, in closed form (Jordan, Krüger and Lerch 2019).
double closed_form(const Gamma&, const double* phi, double y) {
  const double shape = phi[0], rate = -phi[1];
  return y * (2 * gamma_cdf(shape, rate * y) - 1) -
         shape / rate * (2 * gamma_cdf(shape + 1, rate * y) - 1) -
         std::exp(-log_beta(0.5, shape)) / rate;
}

double closed_form(const Beta&, const double* phi, double y) {
  const double a = phi[0], b = phi[1];
  const double apart = 2 * std::exp(log_beta(2 * a, 2 * b) - 2 * log_beta(a, b)) / a;
  return y * (2 * beta_cdf(a, b, y) - 1) + a / (a + b) * (1 - 2 * beta_cdf(a + 1, b, y) - apart);
}

// ∫ F² below y and (1 − F)² above it.
template <class F>
double score(const Mixture<F>& mixture, int column, double y) requires(!F::discrete) {
  if (mixture.members() == 1) return closed_form(mixture.family(), mixture.naturals(0), y);
  const double low = mixture.quantile(column, tail);
  const double high = mixture.quantile(column, 1 - tail);
  double sum = std::max(0.0, low - y) + std::max(0.0, y - high);  // where F is 0 or 1
  const auto add = [&](double from, double to) {
    if (!(from < to)) return;
    const bool below = to <= y;
    const auto off = [&](double t) { return square(mixture.cdf(column, t) - (below ? 0 : 1)); };
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(off, from, to, 6, 1e-8);
  };
  // Cut where the integrand has its jump and its bulk.
  const double middle = mixture.quantile(column, 0.5);
  const auto inside = [&](double t) { return std::clamp(t, low, high); };
  const double first = inside(std::min(middle, y));
  const double second = inside(std::max(middle, y));
  add(low, first);
  add(first, second);
  add(second, high);
  return sum;
}

// The same over counts, of which F takes one value from each to the next.
template <class F>
double score(const Mixture<F>& mixture, int column, double y) requires(F::discrete) {
  const double low = mixture.quantile(column, tail);
  const double high = mixture.quantile(column, 1 - tail);
  double sum = std::max(0.0, low - y) + std::max(0.0, y - high);
  // Of a rate beyond 10¹⁰ the range has millions of counts, and F is as good as smooth.
  const double stride = std::max(1.0, std::floor((high - low) / 1e6));
  for (double t = low; t < high; t += stride) {
    const double width = std::min(stride, high - t);
    sum += width * square(mixture.cdf(column, t) - (t >= y ? 1 : 0));
  }
  return sum;
}

}  // namespace

template <class F>
double crps(const Mixture<F>& mixture, int column, double y) {
  return score(mixture, column, y);
}

template double crps(const Mixture<Gaussian>&, int, double);
template double crps(const Mixture<Poisson>&, int, double);
template double crps(const Mixture<Gamma>&, int, double);
template double crps(const Mixture<Beta>&, int, double);

}  // namespace probmix
