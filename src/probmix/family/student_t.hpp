// Student's t, d independent responses: location µ, scale σ and degrees of freedom ν each. A
// density with heavier tails than a Gaussian; not an exponential family.
//
// Outputs (µ_1..µ_d, s_1..s_d, w_1..w_d) with σ² = positive(s) and ν = 2.1 + 3 log(1 + e^w): the
// variance σ² ν / (ν − 2) is finite. φ holds (µ, σ², ν, c) for each response, where c is the part
// of the log-density that depends on ν alone and takes the longest to compute.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"
#include "probmix/family/tails.hpp"
#include "probmix/math/gamma_draw.hpp"
#include "probmix/math/log_tail.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct StudentT {
  static constexpr std::string_view name = "student-t";
  static constexpr bool discrete = false;
  static constexpr bool has_heavy_tails = true;
  static constexpr double smallest_freedom = 2.1, freedom_unit = 3;

  int d = 1;
  Positive positive{};

  static StudentT make(const FamilyOptions& options) {
    check_range("the number of responses", options.responses, 1, 1 << 20);
    check_usage(!options.homoscedastic, "`homoscedastic` applies to gaussian families, not to {}",
                name);
    check_floor(options.positive);
    return {options.responses, options.positive};
  }

  std::string support_text() const { return "real numbers"; }
  int outputs() const { return 3 * d; }
  int free_outputs() const { return 0; }
  int parameters() const { return 4 * d; }
  int responses() const { return d; }
  int classes() const { return 0; }
  int moments() const { return d; }

  static Scaling scaling(const Spread& spread) { return standardised(spread); }

  // Its tails can become Gaussian ones, and its variance is free where that of counts is not.
  static bool is_rival(const ColumnFacts& facts) { return !facts.has_categories(); }

  bool in_support(const double* y) const {
    return std::all_of(y, y + d, [](double v) { return std::isfinite(v); });
  }

  void link(const double* out, double* phi) const {
    for (int k = 0; k < d; ++k) {
      double* const of = phi + 4 * k;
      of[0] = out[k];
      of[1] = positive.value(out[d + k]);
      of[2] = smallest_freedom + freedom_unit * softplus(out[2 * d + k]);
      of[3] = student_t_log_constant(of[2]);
    }
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    for (int k = 0; k < d; ++k) {
      const double* const of = dphi + 4 * k;
      const double w = out[2 * d + k];
      const double freedom = smallest_freedom + freedom_unit * softplus(w);
      dout[k] = of[0];
      dout[d + k] = of[1] * positive.derivative(out[d + k]);
      dout[2 * d + k] =
          (of[2] + of[3] * student_t_log_constant_derivative(freedom)) * freedom_unit * sigmoid(w);
    }
  }

  double log_density(const double* phi, const double* y) const {
    double sum = 0;
    for (int k = 0; k < d; ++k) sum += log_marginal(phi, k, y[k]);
    return sum;
  }

  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    for (int k = 0; k < d; ++k) {
      const auto [mu, square, freedom, constant] = of(phi, k);
      double* const to = dphi + 4 * k;
      const double residual = y[k] - mu;
      const double z2 = residual * residual / square;
      const double pull = (freedom + 1) / (freedom + z2);  // 1 for a Gaussian, less for an outlier
      to[0] += weight * pull * residual / square;
      to[1] += weight * 0.5 * (pull * z2 - 1) / square;
      to[2] += weight * 0.5 * (pull * z2 / freedom - std::log1p(z2 / freedom));
      to[3] += weight;
    }
  }

  double log_marginal(const double* phi, int column, double y) const {
    const auto [mu, square, freedom, constant] = of(phi, column);
    const double residual = y - mu;
    return constant - 0.5 * std::log(square) -
           0.5 * (freedom + 1) * std::log1p(residual * residual / square / freedom);
  }

  // The tail of the first response. No closed form is known for the slope in ν.
  double log_tail(const double* phi, Tail tail, double y) const {
    const auto [mu, square, freedom, constant] = of(phi, 0);
    const double z = (y - mu) / std::sqrt(square);
    return log_student_t_cdf(freedom, tail == Tail::below ? z : -z).log;
  }
  void add_log_tail_gradient(double weight, const double* phi, Tail tail, double y,
                             double* dphi) const {
    const auto [mu, square, freedom, constant] = of(phi, 0);
    const double sign = tail == Tail::below ? 1 : -1;
    const double z = (y - mu) / std::sqrt(square);
    const double dz = weight * sign * log_student_t_cdf(freedom, sign * z).slope;
    dphi[0] -= dz / std::sqrt(square);
    dphi[1] -= 0.5 * dz * z / square;
    dphi[2] +=
        weight * difference_slope([&](double nu) { return log_student_t_cdf(nu, sign * z).log; },
                                  freedom, freedom);
  }

  // Jordan, Krüger and Lerch 2019.
  double crps(const double* phi, int column, double y) const {
    const auto [mu, square, freedom, constant] = of(phi, column);
    const double scale = std::sqrt(square);
    const double z = (y - mu) / scale;
    const double density = std::exp(constant - 0.5 * (freedom + 1) * std::log1p(z * z / freedom));
    const double apart = 2 * std::sqrt(freedom) / (freedom - 1) *
                         std::exp(log_beta(0.5, freedom - 0.5) - 2 * log_beta(0.5, 0.5 * freedom));
    return scale * (z * (2 * student_t_cdf(freedom, z) - 1) +
                    2 * density * (freedom + z * z) / (freedom - 1) - apart);
  }

  // N(0, 1) / sqrt(χ²_ν / ν).
  void sample(const double* phi, Stream& stream, double* y) const {
    for (int k = 0; k < d; ++k) {
      const auto [mu, square, freedom, constant] = of(phi, k);
      const double normal = stream.normal();
      const double log_share = log_gamma_draw(0.5 * freedom, stream) - std::log(0.5 * freedom);
      y[k] = mu + std::sqrt(square) * normal * std::exp(-0.5 * log_share);
    }
  }

  void mean(const double* phi, double* m) const {
    for (int k = 0; k < d; ++k) m[k] = phi[4 * k];
  }

  void variance(const double* phi, double* v) const {
    for (int k = 0; k < d; ++k) {
      const auto [mu, square, freedom, constant] = of(phi, k);
      v[k] = square * freedom / (freedom - 2);
    }
  }

  double cdf(const double* phi, int column, double y) const {
    const auto [mu, square, freedom, constant] = of(phi, column);
    return student_t_cdf(freedom, (y - mu) / std::sqrt(square));
  }

  double quantile(const double* phi, int column, double u) const {
    const auto [mu, square, freedom, constant] = of(phi, column);
    return mu + std::sqrt(square) * student_t_quantile(freedom, u);
  }

 private:
  struct Parameters {
    double mu, square, freedom, constant;
  };
  static Parameters of(const double* phi, int k) {
    const double* const p = phi + 4 * k;
    return {p[0], p[1], p[2], p[3]};
  }
};

}  // namespace probmix
