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
    double largest = 0;
    for (Index r = 0; r < training.rows; ++r) {
      check(std::isfinite(training(r, c)),
            "row {}, column {} of the training data is {}; values must be finite", r + 1, c + 1,
            training(r, c));
      largest = std::max(largest, std::abs(training(r, c)));
    }
    // Scaled by a power of two near the largest value, sums and squares neither overflow nor
    // underflow, and keep exactly the same bits.
    const int unit = largest > 0 ? std::ilogb(largest) : 0;
    const auto value = [&](Index r) { return std::scalbn(training(r, c), -unit); };
    double sum = 0;
    for (Index r = 0; r < training.rows; ++r) sum += value(r);
    const double mean = sum / n;
    double squares = 0;
    for (Index r = 0; r < training.rows; ++r) squares += (value(r) - mean) * (value(r) - mean);
    const double deviation = std::sqrt(squares / n);
    const double scale = std::scalbn(deviation, unit);
    const double noise = 8 * std::numeric_limits<double>::epsilon() * std::scalbn(largest, -unit);
    constant_.push_back(deviation <= noise || scale == 0);
    mean_.push_back(std::scalbn(mean, unit));
    scale_.push_back(constant_.back() ? 1 : scale);
  }
}

}  // namespace probmix
