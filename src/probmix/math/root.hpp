// Roots of functions of one number.
#pragma once

#include <functional>

namespace probmix {

struct FunctionPoint {
  double x, f;
};

// The root of an increasing f between two points (low.f < 0 < high.f), to rounding: the upper end
// of the last interval. Usually takes a dozen evaluations.
double find_root(const std::function<double(double)>& f, FunctionPoint low, FunctionPoint high);

}  // namespace probmix
