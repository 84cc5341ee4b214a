// Poisson on 0, 1, 2, ...: φ = the log of the rate, T = y, A = e^φ, h = 1/y!.
//
// A continues by its tangent above φ = 40 (safe_exp): rates beyond what a double can count, where
// the loss must only stay finite. T and log h extend to real y, the soft counts of a mix, which
// noise may push below 0: cutting them there would bias E[T] = E[y], all that the gradient sees.
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
#include "probmix/math/log_tail.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr bool discrete = true;

  static Poisson make(const FamilyOptions& options) {
    check_plain(name, options);
    return {};
  }

  std::string support_text() const { return "0, 1, 2, ..."; }
  int outputs() const { return 1; }
  int free_outputs() const { return 0; }
  int parameters() const { return 1; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  // As dispersed as counts are: grades or years are whole numbers too.
  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    const double dispersion = facts.variance / facts.mean;
    const bool suits = !facts.has_categories() && facts.whole && facts.low >= 0 &&
                       facts.mean < 100 && dispersion > 0.5 && dispersion < 3;
    if (!suits) return {};
    return Proposal{40, fmt::format("has counts, from {} to {}", facts.low, facts.high)};
  }

  static bool is_rival(const ColumnFacts& facts) {
    return !facts.has_categories() && facts.whole && facts.low >= 0 && facts.mean < 100;
  }

  static std::string hint(const ColumnFacts& facts) {
    const bool is_too_wide =
        facts.whole && facts.low == 0 && facts.mean < 100 && facts.variance >= 3 * facts.mean;
    if (!is_too_wide) return "";
    return fmt::format(
        "has whole numbers from 0 on whose variance is {:.2g} times their mean; if they are "
        "counts, `family` negative-binomial with linear `pooling` suits them; a gaussian density "
        "reaches below 0",
        facts.variance / facts.mean);
  }

  bool in_support(const double* y) const {
    return *y >= 0 && std::isfinite(*y) && *y == std::floor(*y);
  }

  void link(const double* out, double* phi) const { *phi = *out; }
  void link_backward(const double*, const double* dphi, double* dout) const { *dout = *dphi; }

  double log_normaliser(const double* phi) const { return safe_exp(*phi); }
  void mean_statistic(const double* phi, double* t) const { *t = safe_exp_derivative(*phi); }
  void add_statistic(double weight, const double* y, double* t) const { *t += weight * *y; }
  double log_base(const double* y) const { return -log_gamma(std::max(*y, 0.0) + 1); }

  double log_density(const double* phi, double log_normaliser, const double* y) const {
    return *phi * *y - log_normaliser + log_base(y);
  }

  // As cdf(), but between counts along the gamma function; P(Y <= y) for noise below 0 as at 0.
  double log_tail(const double* phi, Tail tail, double y) const {
    return y <= -1 && tail == Tail::above ? 0 : tail_of(phi, tail, y).log;
  }
  void add_log_tail_gradient(double weight, const double* phi, Tail tail, double y,
                             double* dphi) const {
    if (y <= -1 && tail == Tail::above) return;
    *dphi += weight * tail_of(phi, tail, y).slope * std::max(rate_of(phi), smallest_rate);
  }

  double kernel_coordinate(double y) const { return y; }
  double from_kernel_coordinate(double v) const { return v; }

  void sample(const double* phi, Stream& stream, double* y) const {
    *y = quantile(phi, 0, stream.uniform());
  }

  void mean(const double* phi, double* m) const { mean_statistic(phi, m); }
  void variance(const double* phi, double* v) const { mean_statistic(phi, v); }

  // P(y <= k) = P(the (k+1)-th event of a unit process comes after time `rate`).
  double cdf(const double* phi, int, double y) const {
    if (std::isinf(y)) return y > 0;
    return y < 0 ? 0 : gamma_survival(std::floor(y) + 1, rate_of(phi));
  }

  // The Cornish–Fisher guess is off by a few counts; cdf() itself has the last word.
  double quantile(const double* phi, int, double u) const {
    if (u >= 1) return std::numeric_limits<double>::infinity();
    if (u <= 0) return 0;
    const double rate = rate_of(phi);
    const double z = normal_quantile(u);
    double k = std::max(std::ceil(rate + std::sqrt(rate) * z + (z * z - 1) / 6), 0.0);
    if (rate > largest_counted) return k;
    while (k > 0 && cdf(phi, 0, k - 1) >= u) --k;
    while (cdf(phi, 0, k) < u) ++k;
    return k;
  }

 private:
  static constexpr double smallest_rate = 1e-290;  // of tails, whose slopes must not overflow
  static constexpr double largest_counted = 1e12;  // beyond, a single count does not move the cdf

  // Beyond φ = 40 the rate grows on, so that slopes do not vanish there.
  LogTail tail_of(const double* phi, Tail tail, double y) const {
    const double rate = std::max(safe_exp(*phi), smallest_rate);
    return tail == Tail::below ? log_gamma_survival(std::max(y, 0.0) + 1, rate)
                               : log_gamma_cdf(y + 1, rate);
  }
  double rate_of(const double* phi) const { return safe_exp_derivative(*phi); }
};

}  // namespace probmix
