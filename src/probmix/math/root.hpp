// Roots of functions of one number.
#pragma once

#include <functional>

namespace probmix {

// Where f, which grows, changes its sign between low and high (f(low) < 0 <= f(high)), to rounding:
// the upper end of the last interval. A dozen evaluations are usual.
double find_root(const std::function<double(double)>& f, double low, double high);

}  // namespace probmix
