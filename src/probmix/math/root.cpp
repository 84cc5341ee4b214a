#include "probmix/math/root.hpp"

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>

namespace probmix {

double find_root(const std::function<double(double)>& f, double low, double high) {
  const double at_low = f(low);
  const double at_high = f(high);
  if (!(at_low < 0 && at_high > 0)) return high;
  std::uintmax_t most = 200;  // evaluations
  return boost::math::tools::toms748_solve(f, low, high, at_low, at_high,
                                           boost::math::tools::eps_tolerance<double>(52), most)
      .second;
}

}  // namespace probmix
