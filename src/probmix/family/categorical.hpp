// Categorical over C classes: φ = the C logits, T = the one-hot vector of y, A = log Σ_k e^{φ_k}.
//
// The response is the index 0..C−1 as a number; mean and variance are those of the one-hot vector.
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
#include "probmix/math/special.hpp"

namespace probmix {

struct Categorical {
  static constexpr std::string_view name = "categorical";
  static constexpr bool discrete = true;
  static constexpr bool gradient_is_error = true;  // ∂(−log p)/∂out = probabilities − one-hot

  int c = 2;

  static Categorical make(const FamilyOptions& options) {
    check_plain(name, options);
    check_range("the number of classes", options.classes, 2, 1 << 20);
    return {options.classes};
  }

  std::string support_text() const { return fmt::format("integers from 0 to {}", c - 1); }
  int outputs() const { return c; }
  int free_outputs() const { return 0; }
  int parameters() const { return c; }
  int responses() const { return 1; }
  int classes() const { return c; }
  int moments() const { return c; }

  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    if (!facts.has_categories()) return {};
    return Proposal{40, fmt::format("has {} classes", facts.levels.size())};
  }

  static std::string hint(const ColumnFacts& facts) {
    const bool is_repeated = facts.count >= 5 * facts.distinct;
    if (!facts.whole || facts.distinct >= ColumnFacts::most_distinct || !is_repeated) return "";
    return fmt::format(
        "has {} different whole numbers; if they are classes, give `family` categorical",
        facts.distinct);
  }

  bool in_support(const double* y) const { return *y >= 0 && *y < c && *y == std::floor(*y); }

  void link(const double* out, double* phi) const { std::copy_n(out, c, phi); }

  void link_backward(const double*, const double* dphi, double* dout) const {
    std::copy_n(dphi, c, dout);
  }

  double log_normaliser(const double* phi) const { return log_sum_exp(phi, c); }

  void mean_statistic(const double* phi, double* t) const {
    const double shift = *std::max_element(phi, phi + c);
    double total = 0;
    for (int k = 0; k < c; ++k) {
      t[k] = std::exp(phi[k] - shift);
      total += t[k];
    }
    for (int k = 0; k < c; ++k) t[k] /= total;
  }

  void add_statistic(double weight, const double* y, double* t) const {
    t[static_cast<int>(*y)] += weight;
  }

  double log_base(const double*) const { return 0; }

  double log_density(const double* phi, double log_normaliser, const double* y) const {
    return phi[static_cast<int>(*y)] - log_normaliser;
  }

  void sample(const double* phi, Stream& stream, double* y) const {
    *y = quantile(phi, 0, stream.uniform());
  }

  void mean(const double* phi, double* m) const { mean_statistic(phi, m); }

  void variance(const double* phi, double* v) const {
    mean_statistic(phi, v);
    for (int k = 0; k < c; ++k) v[k] *= 1 - v[k];
  }

  double cdf(const double* phi, int, double y) const {
    const double shift = *std::max_element(phi, phi + c);
    double partial = 0;
    double total = 0;
    for (int k = 0; k < c; ++k) {
      total += std::exp(phi[k] - shift);
      if (k <= y) partial = total;
    }
    return partial / total;
  }

  // The partial sums are those of cdf(), bit for bit, so the definition holds exactly.
  double quantile(const double* phi, int, double u) const {
    const double shift = *std::max_element(phi, phi + c);
    double total = 0;
    for (int k = 0; k < c; ++k) total += std::exp(phi[k] - shift);
    double partial = 0;
    for (int k = 0; k < c; ++k) {
      partial += std::exp(phi[k] - shift);
      if (partial / total >= u) return k;
    }
    return c - 1;
  }
};

}  // namespace probmix
