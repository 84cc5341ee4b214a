// The predictive density of one row: a mixture of members of a family.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/family/families.hpp"
#include "probmix/family/members.hpp"
#include "probmix/family/tails.hpp"
#include "probmix/math/root.hpp"
#include "probmix/math/special.hpp"
#include "probmix/metric/outputs_view.hpp"

namespace probmix {

// Var[y] of every column, by the law of total variance: the mean of the members' variances, which
// the data leave open, and the variance of their means, on which the members disagree.
struct VarianceParts {
  std::vector<double> within, between;

  std::vector<double> sum() const {
    std::vector<double> both = within;
    for (std::size_t c = 0; c < both.size(); ++c) both[c] += between[c];
    return both;
  }
};

template <Density F>
class Mixture {
 public:
  // `out` holds one row of network outputs for each member.
  Mixture(const F& family, const OutputsView& out, std::span<const double> weights = {})
      : family_(family),
        phi_(out.rows, family.parameters()),
        weights_(weights.begin(), weights.end()) {
    std::vector<double> row(static_cast<std::size_t>(out.cols));
    for (Index s = 0; s < out.rows; ++s) {
      out.read(s, row.data());
      family.link(row.data(), phi_.row(s));
    }
  }

  // The mean of every column; for classes, their probabilities.
  std::vector<double> mean() const {
    std::vector<double> member(static_cast<std::size_t>(family_.moments()));
    std::vector<double> mean(member.size());
    for (Index s = 0; s < phi_.rows(); ++s) {
      family_.mean(phi_.row(s), member.data());
      for (std::size_t c = 0; c < mean.size(); ++c) mean[c] += relative(s) * member[c];
    }
    for (double& m : mean) m /= static_cast<double>(phi_.rows());
    return mean;
  }
  double mean(int column) const { return mean()[static_cast<std::size_t>(column)]; }

  VarianceParts variance_parts() const {
    const std::vector<double> centre = mean();
    std::vector<double> member(centre.size()), variance(centre.size());
    VarianceParts parts{std::vector<double>(centre.size()), std::vector<double>(centre.size())};
    for (Index s = 0; s < members(); ++s) {
      family_.mean(phi_.row(s), member.data());
      family_.variance(phi_.row(s), variance.data());
      for (std::size_t c = 0; c < centre.size(); ++c) {
        const double apart = member[c] - centre[c];
        parts.within[c] += relative(s) * variance[c];
        parts.between[c] += relative(s) * apart * apart;
      }
    }
    for (double& v : parts.within) v /= static_cast<double>(members());
    for (double& v : parts.between) v /= static_cast<double>(members());
    return parts;
  }
  std::vector<double> variance() const { return variance_parts().sum(); }

  // The joint log-density of all columns.
  double log_density(const double* y) const {
    return log_mean([&](const double* phi) { return probmix::log_density(family_, phi, y); });
  }

  // The log-density of one observed response, or the log-probability of an interval.
  double log_likelihood(const Interval& known) const {
    return log_mean([&](const double* phi) -> double {
      if (known.low == known.high) return probmix::log_density(family_, phi, &known.low);
      if constexpr (HasTails<F>) return log_probability(family_, phi, known);
      throw Error(fmt::format("the {} density does not take censored responses", family_.name));
    });
  }

  // The marginal log-density of one column.
  double log_density(int column, double y) const {
    return log_mean([&](const double* phi) { return log_marginal(family_, phi, column, y); });
  }

  void sample(Stream& stream, double* y) const {
    family_.sample(phi_.row(draw_member(stream)), stream, y);
  }

  Index members() const { return phi_.rows(); }
  std::span<const double> weights() const { return weights_; }  // empty: all equal
  const F& family() const { return family_; }
  View<const double> parameters() const { return phi_.view(); }  // a row for each member

  double cdf(int column, double y) const {
    double sum = 0;
    for (Index s = 0; s < phi_.rows(); ++s) {
      sum += relative(s) * family_.cdf(phi_.row(s), column, y);
    }
    return sum / static_cast<double>(phi_.rows());
  }

  // P(Y < y).
  double below(int column, double y) const {
    if (family_.discrete) return cdf(column, y - 1);
    if (has_atom<F> && y == 0) return 0;
    return cdf(column, y);
  }

  // The smallest y (to rounding) whose cdf is at least u, 0 < u < 1.
  double quantile(int column, double u) const {
    if (members() == 1) return family_.quantile(phi_.row(0), column, u);
    const auto above = [&](double y) { return cdf(column, y) - u; };
    if (has_atom<F> && above(0) >= 0) return 0;
    const double deviation =
        family_.discrete ? infinity : std::sqrt(variance()[static_cast<std::size_t>(column)]);
    if (deviation < infinity) {  // within what Cantelli's inequality allows
      const double centre = mean(column);
      const double low = centre - deviation * std::sqrt((1 - u) / u) * (1 + 1e-9);
      const double high = centre + deviation * std::sqrt(u / (1 - u)) * (1 + 1e-9);
      const double at_low = above(low);
      const double at_high = above(high);
      if (at_low < 0 && at_high > 0) return find_root(above, {low, at_low}, {high, at_high});
    }
    // Between the smallest and the largest quantile of the members, which take longer to compute.
    double low = family_.quantile(phi_.row(0), column, u);
    double high = low;
    for (Index s = 1; s < members(); ++s) {
      const double q = family_.quantile(phi_.row(s), column, u);
      low = std::min(low, q);
      high = std::max(high, q);
    }
    if (above(low) >= 0) return low;
    for (;;) {
      const double half = low + (high - low) / 2;
      const double middle = family_.discrete ? std::floor(half) : half;
      if (!(low < middle && middle < high)) return high;
      (above(middle) < 0 ? low : high) = middle;
    }
  }

 private:
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  // The weight of a member, as a multiple of an equal share.
  double relative(Index s) const { return relative_weight(weights_, s); }

  Index draw_member(Stream& stream) const {
    if (weights_.empty()) return stream.below(static_cast<std::uint32_t>(members()));
    double left = stream.uniform();
    for (Index s = 0; s + 1 < members(); ++s) {
      left -= weights_[static_cast<std::size_t>(s)];
      if (left < 0) return s;
    }
    return members() - 1;
  }

  template <class LogDensity>
  double log_mean(const LogDensity& log_density) const {
    std::vector<double> logs(static_cast<std::size_t>(members()));
    for (Index s = 0; s < members(); ++s) {
      logs[static_cast<std::size_t>(s)] = log_density(phi_.row(s)) + std::log(relative(s));
    }
    return log_sum_exp(logs.data(), static_cast<int>(members())) -
           std::log(static_cast<double>(members()));
  }

  F family_;
  Matrix<double> phi_;
  std::vector<double> weights_;
};

}  // namespace probmix
