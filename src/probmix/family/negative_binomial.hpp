// Negative binomial on 0, 1, 2, ...: counts with mean m and variance m + m²/r, a Poisson density
// whose rate is itself gamma distributed with shape r. Not an exponential family in both.
//
//   log p = log Γ(y + r)/Γ(r) − log y! − r log(1 + m/r) − y log(1 + r/m)
//
// Outputs: log m = out_0, r = positive(out_1). φ = (log m, log r, r). Moments and cdf take means up
// to e^40, as the Poisson family does. The log-density extends to real y, the soft counts of a mix:
// y itself enters linearly below 0 too, its Γ terms are 0 there.
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
#include "probmix/family/poisson.hpp"
#include "probmix/family/response.hpp"
#include "probmix/math/count_quantile.hpp"
#include "probmix/math/gamma_draw.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct NegativeBinomial {
  static constexpr std::string_view name = "negative-binomial";
  static constexpr bool discrete = true;

  Positive positive{};

  static NegativeBinomial make(const FamilyOptions& options) {
    check_plain(name, options);
    check_floor(options.positive);
    return {options.positive};
  }

  std::string support_text() const { return "0, 1, 2, ..."; }
  int outputs() const { return 2; }
  int free_outputs() const { return 0; }
  int parameters() const { return 3; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  // Wider than Poisson counts are.
  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    const bool suits = !facts.has_categories() && facts.whole && facts.low == 0 &&
                       facts.mean < 100 && facts.variance >= 3 * facts.mean;
    if (!suits) return {};
    return Proposal{40, fmt::format("has counts from 0 to {} whose variance is {:.2g} times their "
                                    "mean",
                                    facts.high, facts.variance / facts.mean)};
  }

  static bool is_rival(const ColumnFacts& facts) {
    return !facts.has_categories() && facts.whole && facts.low >= 0 && facts.mean < 100;
  }

  bool in_support(const double* y) const {
    return *y >= 0 && std::isfinite(*y) && *y == std::floor(*y);
  }

  void link(const double* out, double* phi) const {
    phi[0] = out[0];
    phi[2] = positive.value(out[1]);
    phi[1] = std::log(phi[2]);
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    dout[0] = dphi[0];
    dout[1] = (dphi[2] + dphi[1] / positive.value(out[1])) * positive.derivative(out[1]);
  }

  double log_density(const double* phi, const double* y) const {
    const double r = phi[2];
    const Odds odds(phi[0] - phi[1]);
    const double terms = *y > 0 ? log_rising(r, *y) - log_factorial(*y) : 0.0;
    return terms - r * odds.log_plus_one - *y * odds.log_plus_one_over;
  }

  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    const double r = phi[2];
    const Odds odds(phi[0] - phi[1]);
    const double pull = *y * odds.share_of_one - r * odds.share;  // ∂log p / ∂log m
    const double rising = *y > 0 ? log_rising_derivative(r, *y) : 0.0;
    dphi[0] += weight * pull;
    dphi[1] -= weight * pull;
    dphi[2] += weight * (rising - odds.log_plus_one);
  }

  // A Poisson draw of a gamma rate.
  void sample(const double* phi, Stream& stream, double* y) const {
    const double log_rate = phi[0] + log_gamma_draw(phi[2], stream) - phi[1];
    Poisson().sample(&log_rate, stream, y);
  }

  void mean(const double* phi, double* m) const { *m = mean_of(phi); }
  void variance(const double* phi, double* v) const {
    const double m = mean_of(phi);
    *v = m + m * m / phi[2] + 0 * phi[2];  // NaN for an infinite size: divergence shows
  }

  // P(y <= k) = I_p(r, k + 1) with p = r/(r + m), by the smaller of p and 1 − p.
  double cdf(const double* phi, int, double y) const {
    if (std::isinf(y)) return y > 0;
    if (y < 0) return 0;
    const double k = std::floor(y);
    const double log_odds = log_mean_of(phi) - phi[1];
    return log_odds < 0 ? beta_survival(k + 1, phi[2], sigmoid(log_odds))
                        : beta_cdf(phi[2], k + 1, sigmoid(-log_odds));
  }

  double quantile(const double* phi, int, double u) const {
    if (u >= 1) return std::numeric_limits<double>::infinity();
    if (u <= 0) return 0;
    return count_quantile([&](double k) { return cdf(phi, 0, k); }, u, near_quantile(phi, u));
  }

 private:
  // What the density needs of the odds m/r, from their logarithm, by one exponential.
  struct Odds {
    double log_plus_one, log_plus_one_over;  // log(1 + m/r), log(1 + r/m)
    double share, share_of_one;              // m/(m + r), r/(m + r)

    explicit Odds(double log_odds) {
      const double e = std::exp(-std::abs(log_odds));
      const double log_rest = std::log1p(e);
      log_plus_one = std::max(log_odds, 0.0) + log_rest;
      log_plus_one_over = std::max(-log_odds, 0.0) + log_rest;
      share = (log_odds < 0 ? e : 1) / (1 + e);
      share_of_one = (log_odds < 0 ? 1 : e) / (1 + e);
    }
  };

  double log_mean_of(const double* phi) const { return std::min(phi[0], exp_tangent_from); }
  double mean_of(const double* phi) const { return safe_exp_derivative(phi[0]); }

  // The quantile of the gamma rate for heavy tails, else Cornish and Fisher's.
  double near_quantile(const double* phi, double u) const {
    const double m = mean_of(phi);
    const double r = phi[2];
    if (r < 4) return m * (gamma_quantile(r, u) / r);
    const double z = normal_quantile(u);
    return m + std::sqrt(m + m * m / r) * z + (1 + 2 * m / r) * (z * z - 1) / 6;
  }
};

}  // namespace probmix
