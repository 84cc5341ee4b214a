// Lognormal on (0, ∞): log y is Gaussian with mean µ and variance σ². φ = (µ/σ², −1/(2σ²)),
// T = (log y, log² y), h = 1/(y √2π).
//
// Outputs: µ = out_0, σ² = positive(out_1). Everything follows from the Gaussian of log y.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/gamma.hpp"
#include "probmix/family/gaussian.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct Lognormal {
  static constexpr std::string_view name = "lognormal";
  static constexpr bool discrete = false;

  Gaussian log_law{};

  static Lognormal make(const FamilyOptions& options) {
    check_plain(name, options);
    return {Gaussian::make(options)};
  }

  std::string support_text() const { return "numbers greater than 0"; }
  int outputs() const { return 2; }
  int free_outputs() const { return 0; }
  int parameters() const { return 2; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  static Scaling scaling(const Spread& spread) {
    if (spread.mean > 0) return {.scale = spread.mean};
    return {.fault = fmt::format(
                "has a mean of {:.3g}; the lognormal family is for positive numbers", spread.mean)};
  }

  static bool is_rival(const ColumnFacts& facts) { return Gamma::is_rival(facts); }

  bool in_support(const double* y) const { return *y > 0 && std::isfinite(*y); }

  void link(const double* out, double* phi) const { log_law.link(out, phi); }
  void link_backward(const double* out, const double* dphi, double* dout) const {
    log_law.link_backward(out, dphi, dout);
  }

  double log_normaliser(const double* phi) const { return log_law.log_normaliser(phi); }
  void mean_statistic(const double* phi, double* t) const { log_law.mean_statistic(phi, t); }
  void add_statistic(double weight, const double* y, double* t) const {
    const double v = std::log(*y);
    log_law.add_statistic(weight, &v, t);
  }
  double log_base(const double* y) const {
    const double v = std::log(*y);
    return log_law.log_base(&v) - v;
  }
  double log_density(const double* phi, double log_normaliser, const double* y) const {
    const double v = std::log(*y);
    return log_law.log_density(phi, log_normaliser, &v) - v;
  }

  // E|Y − y|: below y, Y contributes its mass; its mean is that of a law of log y moved by σ².
  double mean_distance(const double* phi, int, double y) const {
    const auto [mu, variance] = of(phi);
    const double deviation = std::sqrt(variance);
    const double z = (std::log(y) - mu) / deviation;
    return y * balance(z) - mean_of(mu, variance) * balance(z - deviation);
  }
  double mean_distance(const double* phi, const double* other, int) const {
    const auto [mu, variance] = of(phi);
    const auto [other_mu, other_variance] = of(other);
    const double deviation = std::sqrt(variance + other_variance);
    return mean_of(mu, variance) * balance((mu - other_mu + variance) / deviation) +
           mean_of(other_mu, other_variance) *
               balance((other_mu - mu + other_variance) / deviation);
  }

  double kernel_coordinate(double y) const { return std::log(y); }
  double from_kernel_coordinate(double v) const { return into_support(std::exp(v)); }

  void sample(const double* phi, Stream& stream, double* y) const {
    log_law.sample(phi, stream, y);
    *y = into_support(std::exp(*y));
  }

  void mean(const double* phi, double* m) const {
    const auto [mu, variance] = of(phi);
    *m = mean_of(mu, variance);
  }

  void variance(const double* phi, double* v) const {
    const auto [mu, variance] = of(phi);
    const double log_ratio =
        variance < 1 ? std::log(std::expm1(variance)) : variance + std::log1p(-std::exp(-variance));
    *v = std::exp(std::min(2 * mu + variance + log_ratio, 2 * largest_log_mean));
  }

  double cdf(const double* phi, int, double y) const {
    return y <= 0 ? 0 : log_law.cdf(phi, 0, std::log(y));
  }

  double quantile(const double* phi, int, double u) const {
    return into_support(std::exp(log_law.quantile(phi, 0, u)));
  }

 private:
  // Limits the moments: e^345 = 1e150 and its square are finite in any unit of the target. A
  // network that is unsure on a logarithmic scale soon exceeds it.
  static constexpr double largest_log_mean = 345;

  struct Parameters {
    double mu, variance;
  };
  Parameters of(const double* phi) const {
    Parameters p{};
    log_law.mean(phi, &p.mu);
    log_law.variance(phi, &p.variance);
    return p;
  }
  static double mean_of(double mu, double variance) {
    return std::exp(std::min(mu + 0.5 * variance, largest_log_mean));
  }
  static double balance(double z) { return 2 * normal_cdf(z) - 1; }  // P(Z < z) − P(Z > z)

  // The argument order lets NaN through.
  static double into_support(double y) {
    return std::min(std::max(y, smallest_positive), std::numeric_limits<double>::max());
  }
};

}  // namespace probmix
