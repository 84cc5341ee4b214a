// Gaussian, d independent responses: φ = (µ/σ², −1/(2σ²)), T = (y, y²), h = (2π)^{-d/2}.
//
// Outputs (µ_1..µ_d, s_1..s_d) with σ² = positive(s); homoscedastic: (µ_1..µ_d, s), one s for all
// responses and all rows.
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"
#include "probmix/math/log_tail.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct Gaussian {
  static constexpr std::string_view name = "gaussian";
  static constexpr bool discrete = false;
  static constexpr bool outputs_begin_with_mean = true;

  int d = 1;
  bool homoscedastic = false;
  Positive positive{};

  static Gaussian make(const FamilyOptions& options) {
    check_range("the number of responses", options.responses, 1, 1 << 20);
    check_floor(options.positive);
    return {options.responses, options.homoscedastic, options.positive};
  }

  std::string support_text() const { return "real numbers"; }
  int outputs() const { return homoscedastic ? d + 1 : 2 * d; }
  int free_outputs() const { return homoscedastic ? 1 : 0; }
  int parameters() const { return 2 * d; }
  int responses() const { return d; }
  int classes() const { return 0; }
  int moments() const { return d; }

  static Scaling scaling(const Spread& spread) { return standardised(spread); }

  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    if (facts.has_categories()) return {};
    return Proposal{10, "has real numbers"};
  }

  bool in_support(const double* y) const {
    for (int k = 0; k < d; ++k) {
      if (!std::isfinite(y[k])) return false;
    }
    return true;
  }

  void link(const double* out, double* phi) const {
    for (int k = 0; k < d; ++k) {
      const double precision = 1 / positive.value(out[output_of_variance(k)]);
      phi[k] = out[k] * precision;
      phi[d + k] = -0.5 * precision;
    }
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    if (homoscedastic) dout[d] = 0;
    for (int k = 0; k < d; ++k) {
      const double s = out[output_of_variance(k)];
      const double precision = 1 / positive.value(s);
      const double dprecision = out[k] * dphi[k] - 0.5 * dphi[d + k];
      const double ds = -precision * precision * dprecision * positive.derivative(s);
      dout[k] = precision * dphi[k];
      dout[output_of_variance(k)] = homoscedastic ? dout[d] + ds : ds;
    }
  }

  // A = Σ_k µ²/(2σ²) + log σ.
  double log_normaliser(const double* phi) const {
    double a = 0;
    for (int k = 0; k < d; ++k) {
      a += 0.5 * (mean_of(phi, k) * phi[k] - std::log(precision_of(phi, k)));
    }
    return a;
  }

  void mean_statistic(const double* phi, double* t) const {
    for (int k = 0; k < d; ++k) {
      const double mu = mean_of(phi, k);
      t[k] = mu;
      t[d + k] = mu * mu + 1 / precision_of(phi, k);
    }
  }

  void add_statistic(double weight, const double* y, double* t) const {
    for (int k = 0; k < d; ++k) {
      t[k] += weight * y[k];
      t[d + k] += weight * y[k] * y[k];
    }
  }

  double log_base(const double*) const { return -d * half_log_2pi; }

  // By residuals: φ·T − A would cancel terms of size µ²/σ².
  double log_density(const double* phi, double, const double* y) const {
    double sum = 0;
    for (int k = 0; k < d; ++k) {
      const double precision = precision_of(phi, k);
      const double residual = y[k] - mean_of(phi, k);
      sum += std::log(precision) - precision * residual * residual;
    }
    return 0.5 * sum - d * half_log_2pi;
  }

  // The log-density of one response.
  double log_marginal(const double* phi, int column, double y) const {
    const double precision = precision_of(phi, column);
    const double residual = y - mean_of(phi, column);
    return 0.5 * (std::log(precision) - precision * residual * residual) - half_log_2pi;
  }

  double mean_distance(const double* phi, int column, double y) const {
    return normal_mean_distance(y - mean_of(phi, column), std::sqrt(1 / precision_of(phi, column)));
  }
  double mean_distance(const double* phi, const double* other, int column) const {
    const double variance = 1 / precision_of(phi, column) + 1 / precision_of(other, column);
    return normal_mean_distance(mean_of(phi, column) - mean_of(other, column), std::sqrt(variance));
  }

  // The tail of the first response: log Φ(±z) with z = √τ (y − µ), for the precision τ.
  double log_tail(const double* phi, Tail tail, double y) const {
    const double z = (y - mean_of(phi, 0)) / deviation_of(phi, 0);
    return log_normal_cdf(tail == Tail::below ? z : -z).log;
  }
  void add_log_tail_gradient(double weight, const double* phi, Tail tail, double y,
                             double* dphi) const {
    const double mu = mean_of(phi, 0), sigma = deviation_of(phi, 0);
    const double sign = tail == Tail::below ? 1 : -1;
    const double dz = weight * sign * log_normal_cdf(sign * (y - mu) / sigma).slope;
    dphi[0] -= dz * sigma;
    dphi[d] -= dz * (y + mu) * sigma;
  }

  double kernel_coordinate(double y) const { return y; }
  double from_kernel_coordinate(double v) const { return v; }

  void sample(const double* phi, Stream& stream, double* y) const {
    for (int k = 0; k < d; ++k) y[k] = mean_of(phi, k) + deviation_of(phi, k) * stream.normal();
  }

  void mean(const double* phi, double* m) const {
    for (int k = 0; k < d; ++k) m[k] = mean_of(phi, k);
  }

  void variance(const double* phi, double* v) const {
    for (int k = 0; k < d; ++k) v[k] = 1 / precision_of(phi, k);
  }

  double cdf(const double* phi, int column, double y) const {
    return normal_cdf((y - mean_of(phi, column)) / deviation_of(phi, column));
  }

  double quantile(const double* phi, int column, double u) const {
    return mean_of(phi, column) + deviation_of(phi, column) * normal_quantile(u);
  }

 private:
  static constexpr double half_log_2pi = 0.91893853320467274178;

  int output_of_variance(int k) const { return homoscedastic ? d : d + k; }
  double precision_of(const double* phi, int k) const { return -2 * phi[d + k]; }
  double mean_of(const double* phi, int k) const { return phi[k] / precision_of(phi, k); }
  double deviation_of(const double* phi, int k) const {
    return 1 / std::sqrt(precision_of(phi, k));
  }
};

}  // namespace probmix
