// Absurd numbers: so far from all others in their column that they must be errors, such as 1e300 or a
// price in the wrong unit. One of them in training would make all other rows look alike.
#pragma once

#include <span>

namespace probmix {

struct PlausibleRange {
  double low, high;  // the smallest and largest value that is not absurd

  bool contains(double value) const { return value >= low && value <= high; }
};

// Of finite values, at least one. A value is absurd if it is further from the median than 100,000
// times the typical distance (the median of those that are not zero), and no more than one in a
// hundred is.
PlausibleRange plausible_range(std::span<const double> values);

}  // namespace probmix
