// Bernoulli on {0, 1}: φ = the logit of P(y = 1), T = y, A = log(1 + e^φ).
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>

#include "probmix/base/printable.hpp"
#include "probmix/base/random.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct Bernoulli {
  static constexpr std::string_view name = "bernoulli";
  static constexpr bool discrete = true;

  static Bernoulli make(const FamilyOptions& options) {
    check_plain(name, options);
    return {};
  }

  std::string support_text() const { return "0 or 1"; }
  int outputs() const { return 1; }
  int free_outputs() const { return 0; }
  int parameters() const { return 1; }
  int responses() const { return 1; }
  int classes() const { return 2; }
  int moments() const { return 1; }

  static std::optional<Proposal> proposal(const ColumnFacts& facts) {
    constexpr int rank = 50;
    if (facts.levels.size() == 2) {
      return Proposal{rank, fmt::format("has two classes, {}", names_in_quotes(facts.levels))};
    }
    if (facts.has_categories() || facts.distinct != 2 || !facts.whole) return {};
    return Proposal{rank, fmt::format("is {} or {}", facts.low, facts.high)};
  }

  bool in_support(const double* y) const { return *y == 0 || *y == 1; }

  void link(const double* out, double* phi) const { *phi = *out; }
  void link_backward(const double*, const double* dphi, double* dout) const { *dout = *dphi; }

  double log_normaliser(const double* phi) const { return softplus(*phi); }
  void mean_statistic(const double* phi, double* t) const { *t = sigmoid(*phi); }
  void add_statistic(double weight, const double* y, double* t) const { *t += weight * *y; }
  double log_base(const double*) const { return 0; }

  // log sigmoid(±φ): yφ − A would round the log of a probability near one to zero.
  double log_density(const double* phi, double, const double* y) const {
    return -softplus(*y == 1 ? -*phi : *phi);
  }

  void sample(const double* phi, Stream& stream, double* y) const {
    *y = quantile(phi, 0, stream.uniform());
  }

  void mean(const double* phi, double* m) const { *m = sigmoid(*phi); }
  void variance(const double* phi, double* v) const { *v = sigmoid(*phi) * sigmoid(-*phi); }

  double cdf(const double* phi, int, double y) const {
    if (y < 0) return 0;
    return y < 1 ? sigmoid(-*phi) : 1;
  }

  double quantile(const double* phi, int, double u) const { return u <= sigmoid(-*phi) ? 0 : 1; }
};

}  // namespace probmix
