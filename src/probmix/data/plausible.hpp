// Absurd numbers: so far from all others in their column that they must be errors, such as 1e300 or
// a price in the wrong unit. One of them in training would make all other rows look alike.
#pragma once

#include <span>

namespace probmix {

struct PlausibleRange {
  double low, high;  // the smallest and largest value that is not absurd

  bool contains(double value) const { return value >= low && value <= high; }
};

// `values` are finite, and there is at least one. A value is absurd if its distance from the median
// exceeds 100,000 times the typical one (the median of the distances that are not zero), and at
// most one value in a hundred is that far away.
PlausibleRange plausible_range(std::span<const double> values);

}  // namespace probmix
