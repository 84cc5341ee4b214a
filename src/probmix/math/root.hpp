// Roots of functions of one number.
#pragma once

#include <functional>

namespace probmix {

struct FunctionPoint {
  double x, f;
};

// Where f, which grows, changes its sign between two points (low.f < 0 < high.f), to rounding: the
// upper end of the last interval. A dozen evaluations are usual.
double find_root(const std::function<double(double)>& f, FunctionPoint low, FunctionPoint high);

}  // namespace probmix
