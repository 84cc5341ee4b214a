// Standardisation by the mean and standard deviation of the training rows.
#pragma once

#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

class Scaler {
 public:
  // A constant column gets scale 1, so it becomes 0.
  explicit Scaler(View<const double> training);

  double mean(Index column) const { return mean_[static_cast<std::size_t>(column)]; }
  double scale(Index column) const { return scale_[static_cast<std::size_t>(column)]; }
  // True if the training rows vary by no more than rounding noise.
  bool constant(Index column) const { return constant_[static_cast<std::size_t>(column)]; }

 private:
  std::vector<double> mean_;
  std::vector<double> scale_;
  std::vector<bool> constant_;
};

}  // namespace probmix
