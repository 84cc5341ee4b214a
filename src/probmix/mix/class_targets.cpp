// The fused targets of classes.
#include <algorithm>
#include <cmath>

#include "probmix/mix/targets.hpp"

namespace probmix {

// Probabilities of the classes for two rows with the same label, and for two with different labels.
// They depend on λ alone.
struct TargetFusion::ClassShares {
  double both, beside_both;    // one label: it, and every other class
  double of_i, of_j, neither;  // two labels: both of them, and every other class
};

TargetFusion::ClassShares TargetFusion::class_shares(double lambda) const {
  const auto shares = [&](double of_i, double of_j, double neither, double both) {
    const auto others = static_cast<double>(classes_);
    const double one = both + (others - 1) * neither;
    const double two = of_i + of_j + (others - 2) * neither;
    return ClassShares{both / one, neither / one, of_i / two, of_j / two, neither / two};
  };
  const double low = beta_;
  const double high = 1 + beta_;
  if (pooling_ == Pooling::linear) {
    const auto line = [&](double i, double j) { return lambda * i + (1 - lambda) * j; };
    return shares(line(high, low), line(low, high), low, high);
  }
  if (beta_ > 0) {
    const auto power = [&](double i, double j) {
      return std::pow(i, lambda) * std::pow(j, 1 - lambda);
    };
    return shares(power(high, low), power(low, high), low, high);
  }
  return shares(lambda >= 0.5 ? 1 : 0, lambda <= 0.5 ? 1 : 0, 0, 1);  // the limit β → 0
}

void TargetFusion::fuse_classes(const TargetPairs& pairs, const TargetNoise& noise,
                                Targets& targets) const {
  double lambda = -1;
  ClassShares share{};
  for (Index b = 0; b < pairs.count; ++b) {
    const auto label_i = static_cast<Index>(pairs.y(pairs.rows[b], 0));
    const auto label_j = static_cast<Index>(pairs.y(pairs.rows[pairs.partner[b]], 0));
    for (Index m = b * pairs.draws; m < (b + 1) * pairs.draws; ++m) {
      if (pairs.lambda[m] != lambda) {  // often one for all pairs
        lambda = pairs.lambda[m];
        share = class_shares(lambda);
      }
      const bool same = label_i == label_j;
      const double of_i = same ? share.both : share.of_i;
      const double of_j = same ? share.both : share.of_j;
      const double other = same ? share.beside_both : share.neither;
      double* const weight = targets.weight.row(m);
      double* const y = targets.y.row(m * atoms_);
      if (expectation_ == Expectation::exact) {
        for (Index k = 0; k < classes_; ++k) {
          weight[k] = other;
          y[k] = static_cast<double>(k);
        }
        weight[label_i] = of_i;
        weight[label_j] = of_j;
      } else {
        double left = noise.uniform[m];
        Index drawn = 0;
        for (Index k = 0; k < classes_; ++k) {
          const double p = k == label_i ? of_i : k == label_j ? of_j : other;
          if (p == 0) continue;
          drawn = k;
          if (left < p) break;
          left -= p;
        }
        *weight = 1;
        *y = static_cast<double>(drawn);
      }
    }
  }
}

}  // namespace probmix
