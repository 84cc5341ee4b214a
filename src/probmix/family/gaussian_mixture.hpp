// A mixture of a few Gaussians, for one response with several modes, skew or heavy tails. Not an
// exponential family.
//
// Outputs (m_1..m_K, s_1..s_K, a_1..a_K): µ_k = m_k + an offset, σ_k² = positive(s_k), the weights
// are softmax(a). The offsets spread the components over the standardised response: where all
// outputs are equal, so would be all gradients, and the components would stay one. φ holds
// (µ, 1/σ², c) for each component, c = log(weight · density at µ).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"
#include "probmix/math/root.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct GaussianMixture {
  static constexpr std::string_view name = "gaussian-mixture";
  static constexpr bool discrete = false;

  int components = FamilyOptions().components;
  Positive positive{};

  static GaussianMixture make(const FamilyOptions& options) {
    check_plain(name, options);
    check_floor(options.positive);
    check_range("`components`", options.components, 1, FamilyOptions::most_components);
    return {options.components, options.positive};
  }

  std::string support_text() const { return "real numbers"; }
  int outputs() const { return 3 * components; }
  int free_outputs() const { return 0; }
  int parameters() const { return 3 * components; }
  int responses() const { return 1; }
  int classes() const { return 0; }
  int moments() const { return 1; }

  static Scaling scaling(const Spread& spread) { return standardised(spread); }

  bool in_support(const double* y) const { return std::isfinite(*y); }

  void link(const double* out, double* phi) const {
    const double* const variance_outputs = out + components;
    const double* const logits = out + 2 * components;
    const double log_total = log_sum_exp(logits, components);
    for (int k = 0; k < components; ++k) {
      const double variance = positive.value(variance_outputs[k]);
      double* const of = phi + 3 * k;
      of[0] = out[k] + offset(k);
      of[1] = 1 / variance;
      of[2] = logits[k] - log_total - 0.5 * std::log(variance) - half_log_2pi;
    }
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    const double* const logits = out + 2 * components;
    const Terms weight = shares_of(logits);
    double dtotal = 0;
    for (int k = 0; k < components; ++k) dtotal += dphi[3 * k + 2];
    for (int k = 0; k < components; ++k) {
      const double* const of = dphi + 3 * k;
      const double s = out[components + k];
      const double precision = 1 / positive.value(s);
      dout[k] = of[0];
      dout[components + k] =
          -precision * (precision * of[1] + 0.5 * of[2]) * positive.derivative(s);
      dout[2 * components + k] = of[2] - weight[static_cast<std::size_t>(k)] * dtotal;
    }
  }

  double log_density(const double* phi, const double* y) const {
    const Terms log_terms = log_terms_of(phi, *y);
    return log_sum_exp(log_terms.data(), components);
  }

  void add_gradient(double weight, const double* phi, const double* y, double* dphi) const {
    const Terms shares = shares_of(log_terms_of(phi, *y).data());
    for (int k = 0; k < components; ++k) {
      const double* const of = phi + 3 * k;
      double* const to = dphi + 3 * k;
      const double share = weight * shares[static_cast<std::size_t>(k)];
      const double residual = *y - of[0];
      to[0] += share * of[1] * residual;
      to[1] -= share * 0.5 * residual * residual;
      to[2] += share;
    }
  }

  double mean_distance(const double* phi, int, double y) const {
    return average(
        phi, [&](const Component& c) { return normal_mean_distance(y - c.mean, c.deviation); });
  }
  double mean_distance(const double* phi, const double* other, int) const {
    return average(phi, [&](const Component& a) {
      return average(other, [&](const Component& b) {
        return normal_mean_distance(a.mean - b.mean, std::hypot(a.deviation, b.deviation));
      });
    });
  }

  void sample(const double* phi, Stream& stream, double* y) const {
    double left = stream.uniform();
    int k = 0;
    while (k + 1 < components && (left -= of(phi, k).weight) > 0) ++k;
    const Component chosen = of(phi, k);
    *y = chosen.mean + chosen.deviation * stream.normal();
  }

  void mean(const double* phi, double* m) const {
    *m = average(phi, [](const Component& c) { return c.mean; });
  }

  void variance(const double* phi, double* v) const {
    double m = 0;
    mean(phi, &m);
    *v = average(phi, [&](const Component& c) {
      return c.deviation * c.deviation + (c.mean - m) * (c.mean - m);
    });
  }

  double cdf(const double* phi, int, double y) const {
    return average(phi, [&](const Component& c) { return normal_cdf((y - c.mean) / c.deviation); });
  }

  // Between the smallest and the largest of the components.
  double quantile(const double* phi, int, double u) const {
    const double z = normal_quantile(u);
    const Component first = of(phi, 0);
    double low = first.mean + first.deviation * z;
    double high = low;
    for (int k = 1; k < components; ++k) {
      const Component c = of(phi, k);
      low = std::min(low, c.mean + c.deviation * z);
      high = std::max(high, c.mean + c.deviation * z);
    }
    const auto above = [&](double y) { return cdf(phi, 0, y) - u; };
    const double at_low = above(low);
    const double at_high = above(high);
    if (!(at_low < 0)) return low;
    if (!(at_high > 0)) return high;
    return find_root(above, {low, at_low}, {high, at_high});
  }

 private:
  static constexpr double half_log_2pi = 0.91893853320467274178;

  using Terms = std::array<double, FamilyOptions::most_components>;
  struct Component {
    double weight, mean, deviation;
  };

  // Evenly over (−1, 1).
  double offset(int k) const { return (2.0 * k + 1 - components) / components; }

  Terms log_terms_of(const double* phi, double y) const {
    Terms terms;
    for (int k = 0; k < components; ++k) {
      const double residual = y - phi[3 * k];
      terms[static_cast<std::size_t>(k)] =
          phi[3 * k + 2] - 0.5 * phi[3 * k + 1] * residual * residual;
    }
    return terms;
  }

  // e^{x_k} / Σ e^x.
  Terms shares_of(const double* x) const {
    const double largest = *std::max_element(x, x + components);
    Terms shares;
    double sum = 0;
    for (int k = 0; k < components; ++k) {
      sum += shares[static_cast<std::size_t>(k)] = std::exp(x[k] - largest);
    }
    for (int k = 0; k < components; ++k) shares[static_cast<std::size_t>(k)] /= sum;
    return shares;
  }

  Component of(const double* phi, int k) const {
    const double* const p = phi + 3 * k;
    const double deviation = 1 / std::sqrt(p[1]);
    return {std::exp(p[2] + half_log_2pi) * deviation, p[0], deviation};
  }

  // The weighted mean of what `value` gives for each component.
  template <class Value>
  double average(const double* phi, const Value& value) const {
    double sum = 0;
    double total = 0;  // 1 but for rounding
    for (int k = 0; k < components; ++k) {
      const Component c = of(phi, k);
      sum += c.weight * value(c);
      total += c.weight;
    }
    return sum / total;
  }
};

}  // namespace probmix
