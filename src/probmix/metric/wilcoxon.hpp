// Do the paired scores of two methods, one pair for each split, differ?
#pragma once

#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct WilcoxonTest {
  double statistic = 0;  // the smaller of the rank sums of a > b and a < b
  int direction = 0;     // −1: a tends to be below b, 1: above, 0: neither
  double p = 1;          // two-sided
  Index n = 0;           // pairs that differ: equal ones are dropped, as Wilcoxon did
  bool exact = true;     // else by the normal approximation
};

// The signed-rank test. Exact for up to 50 differences: over all choices of their signs, where
// differences of equal size share the mean of their ranks. Beyond that, the normal approximation
// with the variance corrected for ties, without a continuity correction. Without a difference, p =
// 1. An infinite score differs from every finite one by more than any two finite ones do, and
// equals itself; NaN is an Error.
WilcoxonTest wilcoxon_test(std::span<const double> a, std::span<const double> b);

// Holm's adjusted p-values, in the order given: those below a level are significant at that level
// together, whatever the dependence between them.
std::vector<double> holm(std::span<const double> p);

}  // namespace probmix
