#include "probmix/data/scaling.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"

namespace probmix {

Scaler::Scaler(View<const double> training) {
  check(training.rows >= 1, "standardisation needs at least one training row");
  const auto n = static_cast<double>(training.rows);
  for (Index c = 0; c < training.cols; ++c) {
    double sum = 0;
    double largest = 0;
    for (Index r = 0; r < training.rows; ++r) {
      check(std::isfinite(training(r, c)), "row {}, column {} of the training data is {}", r + 1,
            c + 1, training(r, c));
      sum += training(r, c);
      largest = std::max(largest, std::abs(training(r, c)));
    }
    const double mean = sum / n;
    double squares = 0;
    for (Index r = 0; r < training.rows; ++r) {
      squares += (training(r, c) - mean) * (training(r, c) - mean);
    }
    // A column is constant when its deviation is rounding noise of its values.
    const double deviation = std::sqrt(squares / n);
    const double noise = 8 * std::numeric_limits<double>::epsilon() * largest;
    mean_.push_back(mean);
    scale_.push_back(deviation > noise ? deviation : 1);
  }
}

}  // namespace probmix
