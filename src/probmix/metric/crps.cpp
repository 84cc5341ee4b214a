#include "probmix/metric/crps.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

namespace probmix {
namespace {

double square(double x) { return x * x; }

}  // namespace

// ∫ F² below y and (1 − F)² above it.
double crps_by_quadrature(const std::function<double(double)>& cdf, const CrpsRange& range,
                          double cut, double y) {
  const auto [low, high] = range;
  double sum = std::max(0.0, low - y) + std::max(0.0, y - high);  // where F is 0 or 1
  const auto add = [&](double from, double to) {
    if (!(from < to)) return;
    const double step = to <= y ? 0 : 1;
    const auto off = [&](double t) { return square(cdf(t) - step); };
    sum += boost::math::quadrature::gauss_kronrod<double, 31>::integrate(off, from, to, 6, 1e-8);
  };
  // Cut where the integrand has its jump and its bulk.
  const double first = std::clamp(std::min(cut, y), low, high);
  const double second = std::clamp(std::max(cut, y), low, high);
  add(low, first);
  add(first, second);
  add(second, high);
  return sum;
}

// ∫ (F(t) − 1[t ≥ y])² dt between points that follow the mass, beyond which the steps grow until
// nothing is left.
double crps_by_panels(const std::function<double(double)>& cdf, std::vector<double> points,
                      double y) {
  constexpr Index panels = 8;
  std::ranges::sort(points);
  std::vector<double> cuts;
  const Index last = std::ssize(points) - 1;
  for (Index k = 0; k <= panels; ++k) cuts.push_back(points[to_size(last * k / panels)]);
  const double width = cuts.back() - cuts.front();
  if (!(width > 0)) return std::abs(y - cuts.front());
  constexpr int most_steps = 60;
  constexpr double tail = 1e-5;  // of the mass; a tail counts by its square
  for (const double direction : {-1.0, 1.0}) {
    double at = direction < 0 ? points.front() : points.back(), step = 0.25 * width;
    for (int k = 0; k < most_steps; ++k, step *= 2) {
      const double p = cdf(at);
      if ((direction < 0 ? p : 1 - p) < tail) break;
      at += direction * step;
      cuts.push_back(at);
    }
  }
  cuts.push_back(y);
  std::ranges::sort(cuts);
  double sum = 0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const double step = cuts[k + 1] <= y ? 0 : 1;
    if (!(cuts[k] < cuts[k + 1])) continue;
    sum += boost::math::quadrature::gauss_kronrod<double, 15>::integrate(
        [&](double t) { return square(cdf(t) - step); }, cuts[k], cuts[k + 1], 8, 1e-5);
  }
  return sum;
}

// The same over counts, where F is constant from one to the next. A probability takes less time to
// compute than F does.
double crps_by_sums(const std::function<double(double)>& cdf,
                    const std::function<double(double)>& probability, const CrpsRange& range,
                    double cut, double y) {
  const auto [low, high] = range;
  constexpr double most_terms = 1e4;  // beyond that F is practically smooth
  if (!(high - low <= most_terms)) return crps_by_quadrature(cdf, range, cut, y);
  double sum = std::max(0.0, low - y) + std::max(0.0, y - high);
  double p = cdf(low);
  for (double t = low; t < high; ++t, p += probability(t)) sum += square(p - (t >= y ? 1 : 0));
  return sum;
}

}  // namespace probmix
