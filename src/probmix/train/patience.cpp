#include "probmix/train/patience.hpp"

#include <algorithm>
#include <cmath>

namespace probmix {

bool Patience::after_epoch(bool is_best) {
  ++epochs_;
  if (is_best) best_ = epochs_;
  if (options_.schedule != Schedule::plateau || fallen_ == falls || !has_run_out()) return false;
  ++fallen_;
  since_ = epochs_;
  return true;
}

bool Patience::has_run_out() const {
  if (options_.most == 0) return false;
  const Index least = std::min(options_.least, options_.most);
  Index wait = best_ == 0 ? options_.most : std::clamp(2 * best_, least, options_.most);
  // At a low rate the loss falls at once, or not at all.
  if (fallen_ > 0) wait = std::max<Index>(1, 2 * wait / 5);
  return epochs_ - std::max(best_, since_) >= wait;
}

double Patience::rate() const { return std::pow(fall, static_cast<double>(fallen_)); }

}  // namespace probmix
