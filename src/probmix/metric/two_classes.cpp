#include "probmix/metric/two_classes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace probmix {

void TwoClasses::add(double p, bool is_second) {
  p = std::clamp(p, 0.0, 1.0);  // a mean of ones may be more
  const double odds = std::clamp(std::log(p) - std::log1p(-p), -widest, widest);
  const double share = (odds + widest) / (2 * widest);
  const auto bin = std::min(static_cast<std::size_t>(share * bins), bins - 1);
  ++count_[is_second ? 1 : 0][bin];
}

Index TwoClasses::rows(bool is_second) const {
  const auto& count = count_[is_second ? 1 : 0];
  return std::accumulate(count.begin(), count.end(), Index{0});
}

double TwoClasses::auc() const {
  const auto all = static_cast<double>(rows(false)) * static_cast<double>(rows(true));
  if (all == 0) return std::numeric_limits<double>::quiet_NaN();
  double below = 0, sum = 0;  // rows of the first class with smaller probabilities
  for (std::size_t b = 0; b < bins; ++b) {
    const auto first = static_cast<double>(count_[0][b]);
    sum += static_cast<double>(count_[1][b]) * (below + first / 2);
    below += first;
  }
  return sum / all;
}

double TwoClasses::average_precision() const {
  const auto seconds = static_cast<double>(rows(true));
  if (seconds == 0 || rows(false) == 0) return std::numeric_limits<double>::quiet_NaN();
  double found = 0, taken = 0, sum = 0;
  for (std::size_t b = bins; b-- > 0;) {
    const auto second = static_cast<double>(count_[1][b]);
    found += second;
    taken += second + static_cast<double>(count_[0][b]);
    if (second > 0) sum += second * found / taken;
  }
  return sum / seconds;
}

}  // namespace probmix
