// adam_update.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/adam.cpp"
#include "probmix/kernel/adam.hpp"

#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// Moments below these are set to 0, as they no longer move a parameter. If a gradient stays 0, as
// that of a dead unit does, its moments would shrink to subnormal numbers and stay there, and
// multiplying by such a number takes a hundred times as long on some processors.
constexpr float least_m = 1e-30F;
constexpr float least_v = 1e-36F;

// m / (√v + ε), v >= 0; 0 for infinite v. A NaN stays, by the order in `Max`.
HWY_INLINE Vec32 quotient(Vec32 m, Vec32 v, Vec32 epsilon) {
#if PROBMIX_SLOW_DIVISION
  const Vec32 size = hn::Add(root(hn::Max(constant(least_v), v)), epsilon);
  return hn::IfThenZeroElse(hn::Gt(v, constant(1e37F)), hn::Mul(m, reciprocal(size)));
#else
  return hn::Div(m, hn::Add(hn::Sqrt(v), epsilon));
#endif
}

void adam_lanes(const AdamCoefficients& c, const float* gradient, float* m, float* v,
                float* parameter, Index n) {
  const Vec32 scale = constant(static_cast<float>(c.scale));
  const Vec32 beta1 = constant(static_cast<float>(c.beta1));
  const Vec32 beta2 = constant(static_cast<float>(c.beta2));
  const Vec32 rest1 = constant(static_cast<float>(1 - c.beta1));
  const Vec32 rest2 = constant(static_cast<float>(1 - c.beta2));
  const Vec32 rate = constant(static_cast<float>(c.rate));
  const Vec32 epsilon = constant(static_cast<float>(c.epsilon));
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 g = hn::Mul(scale, lanes.load(gradient + k));
    const Vec32 v_any = hn::MulAdd(beta2, lanes.load(v + k), hn::Mul(hn::Mul(rest2, g), g));
    const auto no_v = hn::Lt(v_any, constant(least_v));
    const Vec32 v_new = hn::IfThenZeroElse(no_v, v_any);
    const Vec32 m_any = hn::MulAdd(beta1, lanes.load(m + k), hn::Mul(rest1, g));
    const auto is_small = hn::Lt(hn::Abs(m_any), constant(least_m));
    const Vec32 m_new = hn::IfThenZeroElse(hn::Or(is_small, no_v), m_any);
    const Vec32 step = quotient(hn::Mul(rate, m_new), v_new, epsilon);
    lanes.store(m_new, m + k);
    lanes.store(v_new, v + k);
    lanes.store(hn::Sub(lanes.load(parameter + k), step), parameter + k);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(adam_lanes);

void adam_update(const AdamCoefficients& c, const float* gradient, float* m, float* v,
                 float* parameter, Index n) {
  HWY_DYNAMIC_DISPATCH(adam_lanes)(c, gradient, m, v, parameter, n);
}
void adam_update(const AdamCoefficients& c, const double* gradient, double* m, double* v,
                 double* parameter, Index n) {
  naive::adam_update(c, gradient, m, v, parameter, n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
