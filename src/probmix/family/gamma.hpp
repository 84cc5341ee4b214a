// Gamma on (0, ∞), shape a and rate b: φ = (a, −b), T = (log y, y), h = 1/y, A = log Γ(a) − a log
// b.
//
// Outputs: mean m = positive(out_0), shape a = positive(out_1); b = a/m.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
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

struct Gamma {
  static constexpr std::string_view name = "gamma";
  static constexpr bool discrete = false;

  Positive positive{};

  static Gamma make(const FamilyOptions& options) {
    check_plain(name, options);
    check_floor(options.positive);
    return {options.positive};
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
    return {.fault = fmt::format("has a mean of {:.3g}; the gamma family is for positive numbers",
                                 spread.mean)};
  }

  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    if (facts.has_categories() || !(facts.low > 0 && facts.skewness > 2)) return {};
    return Proposal{20, "has positive numbers, some of them very large"};
  }

  static bool is_rival(const ColumnFacts& facts) {
    return !facts.has_categories() && facts.low > 0 && facts.skewness > 0.5;
  }

  bool in_support(const double* y) const { return *y > 0 && std::isfinite(*y); }

  void link(const double* out, double* phi) const {
    const double m = positive.value(out[0]);
    const double a = positive.value(out[1]);
    phi[0] = a;
    phi[1] = -a / m;
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    const double m = positive.value(out[0]);
    const double a = positive.value(out[1]);
    dout[0] = a / (m * m) * dphi[1] * positive.derivative(out[0]);
    dout[1] = (dphi[0] - dphi[1] / m) * positive.derivative(out[1]);
  }

  double log_normaliser(const double* phi) const {
    return log_gamma(phi[0]) - phi[0] * std::log(-phi[1]);
  }

  void mean_statistic(const double* phi, double* t) const {
    t[0] = digamma(phi[0]) - std::log(-phi[1]);
    t[1] = -phi[0] / phi[1];
  }

  void add_statistic(double weight, const double* y, double* t) const {
    t[0] += weight * std::log(*y);
    t[1] += weight * *y;
  }

  double log_base(const double* y) const { return -std::log(*y); }

  double log_density(const double* phi, double log_normaliser, const double* y) const {
    return (phi[0] - 1) * std::log(*y) + phi[1] * *y - log_normaliser;
  }

  // No closed form is known for the slope in the shape.
  double log_tail(const double* phi, Tail tail, double y) const {
    return y > 0 ? tail_of(phi[0], -phi[1] * y, tail).log : log_tail_at_0(tail);
  }
  void add_log_tail_gradient(double weight, const double* phi, Tail tail, double y,
                             double* dphi) const {
    if (!(y > 0)) return;
    const double shape = phi[0], x = -phi[1] * y;
    dphi[0] += weight * difference_slope([&](double a) { return tail_of(a, x, tail).log; }, shape,
                                         shape / std::sqrt(1 + shape));
    dphi[1] -= weight * y * tail_of(shape, x, tail).slope;
  }

  // Jordan, Krüger and Lerch 2019.
  double crps(const double* phi, int, double y) const {
    const double shape = phi[0], rate = -phi[1];
    return y * (2 * gamma_cdf(shape, rate * y) - 1) -
           shape / rate * (2 * gamma_cdf(shape + 1, rate * y) - 1) -
           std::exp(-log_beta(0.5, shape)) / rate;
  }

  double kernel_coordinate(double y) const { return std::log(y); }
  double from_kernel_coordinate(double v) const { return into_support(std::exp(v)); }

  void sample(const double* phi, Stream& stream, double* y) const {
    *y = into_support(std::exp(log_gamma_draw(phi[0], stream)) / -phi[1]);
  }

  void mean(const double* phi, double* m) const { *m = -phi[0] / phi[1]; }
  void variance(const double* phi, double* v) const { *v = phi[0] / (phi[1] * phi[1]); }

  double cdf(const double* phi, int, double y) const {
    return y <= 0 ? 0 : gamma_cdf(phi[0], -phi[1] * y);
  }

  double quantile(const double* phi, int, double u) const {
    return std::max(gamma_quantile(phi[0], u) / -phi[1], smallest_positive);
  }

 private:
  static LogTail tail_of(double shape, double x, Tail tail) {
    return tail == Tail::below ? log_gamma_cdf(shape, x) : log_gamma_survival(shape, x);
  }
  static double log_tail_at_0(Tail tail) {
    return tail == Tail::below ? -std::numeric_limits<double>::infinity() : 0;
  }

  // A draw of a small shape may underflow; the argument order lets NaN through.
  static double into_support(double y) {
    return std::min(std::max(y, smallest_positive), std::numeric_limits<double>::max());
  }
};

}  // namespace probmix
