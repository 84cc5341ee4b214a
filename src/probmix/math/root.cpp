#include "probmix/math/root.hpp"

#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>

namespace probmix {

double find_root(const std::function<double(double)>& f, FunctionPoint low, FunctionPoint high) {
  std::uintmax_t most = 200;  // evaluations
  return boost::math::tools::toms748_solve(f, low.x, high.x, low.f, high.f,
                                           boost::math::tools::eps_tolerance<double>(52), most)
      .second;
}

}  // namespace probmix
