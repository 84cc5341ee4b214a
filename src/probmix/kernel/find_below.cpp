// find_below: where a + b is at most a limit, for the filter of the search for neighbours.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/find_below.cpp"
#include "probmix/kernel/find_below.hpp"

#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// Four vectors at a time until one has a hit.
Index find_below_lanes(const float* a, const float* b, float limit, Index first, Index n) {
  const Lanes32 d;
  const auto step = static_cast<Index>(hn::Lanes(d));
  const Vec32 most = constant(limit);
  const auto below = [&](Index k) HWY_ATTR {
    return hn::Le(hn::Add(hn::LoadU(d, a + k), hn::LoadU(d, b + k)), most);
  };
  Index k = first;
  for (; k + 4 * step <= n; k += 4 * step) {
    const auto any =
        hn::Or(hn::Or(below(k), below(k + step)), hn::Or(below(k + 2 * step), below(k + 3 * step)));
    if (!hn::AllFalse(d, any)) break;
  }
  for (; k + step <= n; k += step) {
    const auto at = hn::FindFirstTrue(d, below(k));
    if (at >= 0) return k + static_cast<Index>(at);
  }
  return naive::find_below(a, b, limit, k, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(find_below_lanes);

Index find_below(const float* a, const float* b, float limit, Index first, Index n) {
  return HWY_DYNAMIC_DISPATCH(find_below_lanes)(a, b, limit, first, n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
