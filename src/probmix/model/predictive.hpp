// The predictive density of one row, in the units of the target.
#pragma once

#include <variant>
#include <vector>

#include "probmix/base/random.hpp"
#include "probmix/metric/mixture.hpp"
#include "probmix/model/target.hpp"

namespace probmix {

class Predictive {
 public:
  // `out` holds the network's outputs, a row for each member; no weights: all are equal. The target
  // must outlive this.
  Predictive(const Target& target, const Family& family, View<const float> out,
             std::span<const double> weights = {});

  // Whether means and variances (or probabilities) are finite. If not, call nothing else.
  bool is_finite() const;

  // For target column k; not for classes.
  double mean(Index k) const;
  double deviation(Index k) const;
  // Its two parts: what the data leave open, and what the members disagree on. Their squares add
  // up.
  double data_deviation(Index k) const;
  double model_deviation(Index k) const;
  double quantile(Index k, double u) const;
  double cdf(Index k, double y) const;
  double log_density(Index k, double y) const;  // for counts, log probability
  double crps(Index k, double y) const;

  // log P(low < y <= high).
  double log_probability(Index k, double low, double high) const;

  // Joint over all columns, or the log-probability of a censored target's interval; y is scaled,
  // as by Target::encode.
  double log_density_of_scaled(const double* y) const;

  // The probabilities of the classes, in order.
  std::vector<double> probabilities() const;

  // A joint draw of all columns; for classes, the class number.
  void sample(Stream& stream, double* y) const;

 private:
  template <class V>
  struct Mixtures;
  template <class... F>
  struct Mixtures<std::variant<F...>> {
    using type = std::variant<Mixture<F>...>;
  };

  std::vector<double> means() const;  // as the mixture has them: scaled
  VarianceParts variance_parts() const;

  double scaled(Index k, double y) const {
    return (y - target_.shift[to_size(k)]) / target_.scale[to_size(k)];
  }
  double in_units(Index k, double v) const {
    return target_.shift[to_size(k)] + target_.scale[to_size(k)] * v;
  }

  const Target& target_;
  typename Mixtures<Family>::type mixture_;
};

}  // namespace probmix
