// Quantiles of counts, from any cdf of theirs and a guess.
#pragma once

#include <algorithm>
#include <cmath>

namespace probmix {

// The smallest whole k >= 0 with cdf(k) >= u, 0 < u < 1. The interval beside the guess doubles
// until it holds k, then halves: a wrong guess costs the logarithm of its error, and NaN ends it.
template <class Cdf>
double count_quantile(const Cdf& cdf, double u, double guess) {
  double high = std::max(std::floor(guess), 0.0);
  double low = high;
  double step = 1;
  if (cdf(high) >= u) {
    for (low = high - step; low >= 0 && cdf(low) >= u; low = high - step) {
      high = low;
      step *= 2;
    }
    low = std::max(low, -1.0);
  } else {
    for (high = low + step; cdf(high) < u; high = low + step) {
      low = high;
      step *= 2;
    }
  }
  for (;;) {  // cdf(low) < u <= cdf(high)
    const double middle = std::floor(low + (high - low) / 2);
    if (!(low < middle && middle < high)) return high;
    (cdf(middle) < u ? low : high) = middle;
  }
}

}  // namespace probmix
