// Beta on (0, 1): φ = (a, b), T = (log y, log(1 − y)), h = 1/(y(1 − y)), A = log B(a, b).
//
// Outputs: mean m = sigmoid(out_0), concentration κ = positive(out_1); a = mκ, b = (1 − m)κ.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"
#include "probmix/math/gamma_draw.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct Beta {
  static constexpr std::string_view name = "beta";
  static constexpr bool discrete = false;

  Positive positive{};

  static Beta make(const FamilyOptions& options) {
    check_plain(name, options);
    check_floor(options.positive);
    return {options.positive};
  }

  std::string support_text() const { return "numbers strictly between 0 and 1"; }
  int outputs() const { return 2; }
  int free_outputs() const { return 0; }
  int parameters() const { return 2; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    if (facts.has_categories() || !(facts.low > 0 && facts.high < 1)) return {};
    return Proposal{30, "has fractions, all between 0 and 1"};
  }

  static std::string hint(const ColumnFacts& facts) {
    const bool reaches_end =
        !facts.whole && facts.low >= 0 && facts.high <= 1 && (facts.low == 0 || facts.high == 1);
    if (!reaches_end) return "";
    return fmt::format(
        "has fractions, but also {}; `family` beta suits them if these are moved inwards a little, "
        "a "
        "gaussian density reaches beyond",
        facts.high < 1  ? "0"
        : facts.low > 0 ? "1"
                        : "0 and 1");
  }

  bool in_support(const double* y) const { return *y > 0 && *y < 1; }

  void link(const double* out, double* phi) const {
    const double kappa = positive.value(out[1]);
    phi[0] = std::max(sigmoid(out[0]) * kappa, smallest_shape);
    phi[1] = std::max(sigmoid(-out[0]) * kappa, smallest_shape);
  }

  // The derivative of the unguarded link: it keeps pulling a shape that has underflowed.
  void link_backward(const double* out, const double* dphi, double* dout) const {
    const double m = sigmoid(out[0]);
    const double rest = sigmoid(-out[0]);
    dout[0] = m * positive.value(out[1]) * rest * (dphi[0] - dphi[1]);
    dout[1] = (m * dphi[0] + rest * dphi[1]) * positive.derivative(out[1]);
  }

  double log_normaliser(const double* phi) const { return log_beta(phi[0], phi[1]); }

  void mean_statistic(const double* phi, double* t) const {
    const double psi = digamma(phi[0] + phi[1]);
    t[0] = digamma(phi[0]) - psi;
    t[1] = digamma(phi[1]) - psi;
  }

  void add_statistic(double weight, const double* y, double* t) const {
    t[0] += weight * std::log(*y);
    t[1] += weight * std::log1p(-*y);
  }

  double log_base(const double* y) const { return -std::log(*y) - std::log1p(-*y); }

  double log_density(const double* phi, double log_normaliser, const double* y) const {
    return (phi[0] - 1) * std::log(*y) + (phi[1] - 1) * std::log1p(-*y) - log_normaliser;
  }

  // Jordan, Krüger and Lerch 2019.
  double crps(const double* phi, int, double y) const {
    const double a = phi[0], b = phi[1];
    const double apart = 2 * std::exp(log_beta(2 * a, 2 * b) - 2 * log_beta(a, b)) / a;
    return y * (2 * beta_cdf(a, b, y) - 1) + a / (a + b) * (1 - 2 * beta_cdf(a + 1, b, y) - apart);
  }

  double kernel_coordinate(double y) const { return std::log(y) - std::log1p(-y); }
  double from_kernel_coordinate(double v) const { return into_support(sigmoid(v)); }

  // G_a / (G_a + G_b) of two gamma draws, by their logarithms.
  void sample(const double* phi, Stream& stream, double* y) const {
    const double log_a = log_gamma_draw(phi[0], stream);
    const double log_b = log_gamma_draw(phi[1], stream);
    *y = into_support(sigmoid(log_a - log_b));
  }

  void mean(const double* phi, double* m) const { *m = phi[0] / (phi[0] + phi[1]); }

  void variance(const double* phi, double* v) const {
    const double kappa = phi[0] + phi[1];
    *v = phi[0] / kappa * (phi[1] / kappa) / (kappa + 1);
  }

  double cdf(const double* phi, int, double y) const {
    if (y <= 0) return 0;
    return y >= 1 ? 1 : beta_cdf(phi[0], phi[1], y);
  }

  double quantile(const double* phi, int, double u) const {
    return into_support(beta_quantile(phi[0], phi[1], u));
  }

 private:
  static constexpr double smallest_shape = 1e-100;  // ψ(a) = −1e100 still leaves room for products

  // The argument order lets NaN through.
  static double into_support(double y) {
    return std::min(std::max(y, smallest_positive), largest_below_one);
  }
};

}  // namespace probmix
