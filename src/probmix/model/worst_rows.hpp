// The rows that a model predicted worst.
#pragma once

#include <vector>

#include "probmix/model/predictive.hpp"
#include "probmix/model/target.hpp"

namespace probmix {

struct WorstRow {
  Index number = 0;  // in its file, from 1
  double nll = 0;
  // Of the first target: what was observed, and the predicted mean and 90 % interval; of classes
  // the number of the observed class, that of the most probable one, and the probability of the
  // former.
  double observed = 0, predicted = 0;
  double low = 0, high = 0, probability = 0;
  bool is_censored = false;  // only a bound was observed
};

class WorstRows {
 public:
  // Keeps this many. The target must outlive this.
  WorstRows(const Target& target, Index most) : target_(target), most_(most) {}

  // A row with its scaled responses.
  void add(Index number, const Predictive& density, View<const double> y);
  // The worst first.
  const std::vector<WorstRow>& rows() const { return rows_; }

 private:
  const Target& target_;
  Index most_;
  std::vector<WorstRow> rows_;
};

}  // namespace probmix
