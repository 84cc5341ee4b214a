// fuse_gaussian_forward and _backward; the formulas and their derivation are in naive.hpp (Fusion).
//
// λ = 0 and λ = 1 read one row only, so that the other one cannot matter, whatever it holds.
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/fuse_gaussian.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/elementwise.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

HWY_INLINE Vec32 deviation(Vec32 s) { return exp(hn::Mul(constant(0.5F), s)); }

// naive::Fusion on a vector. A NaN in any input reaches e or the difference of means, hence z.
struct FusionLanes {
  Vec32 w_i, w_j, mean, scale;

  HWY_INLINE FusionLanes(Vec32 log_lambda, Vec32 log_rest, Vec32 mu_i, Vec32 s_i, Vec32 mu_j,
                         Vec32 s_j) {
    const Vec32 one = constant(1.0F);
    const Vec32 a = hn::Sub(log_lambda, s_i);
    const Vec32 b = hn::Sub(log_rest, s_j);
    const Vec32 e = exp(hn::Neg(hn::Abs(hn::Sub(a, b))));
    const Vec32 larger = hn::Div(one, hn::Add(one, e));
    const Vec32 smaller = hn::Mul(e, larger);
    const auto i_is_larger = hn::Ge(a, b);
    w_i = hn::IfThenElse(i_is_larger, larger, smaller);
    w_j = hn::IfThenElse(i_is_larger, smaller, larger);
    const Vec32 near = hn::IfThenElse(i_is_larger, mu_i, mu_j);
    const Vec32 far = hn::IfThenElse(i_is_larger, mu_j, mu_i);
    mean = hn::MulAdd(smaller, hn::Sub(far, near), near);
    scale = hn::Mul(deviation(hn::Neg(hn::IfThenElse(i_is_larger, a, b))), hn::Sqrt(larger));
  }
};

void draw_forward_lanes(const float* mu, const float* s, const float* eps, float* z, Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 scale = deviation(lanes.load(s + k));
    lanes.store(hn::MulAdd(lanes.load(eps + k), scale, lanes.load(mu + k)), z + k);
  });
}

void draw_backward_lanes(const float* s, const float* eps, const float* dz, float* dmu, float* ds,
                         Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 d = lanes.load(dz + k);
    const Vec32 scale = deviation(lanes.load(s + k));
    const Vec32 spread = hn::Mul(hn::Mul(constant(0.5F), lanes.load(eps + k)), scale);
    lanes.store(hn::Add(lanes.load(dmu + k), d), dmu + k);
    lanes.store(hn::MulAdd(spread, d, lanes.load(ds + k)), ds + k);
  });
}

void fuse_forward_lanes(float log_lambda, float log_rest, const float* mu_i, const float* s_i,
                        const float* mu_j, const float* s_j, const float* eps, float* z, Index n) {
  const Vec32 log_i = constant(log_lambda);
  const Vec32 log_j = constant(log_rest);
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const FusionLanes f(log_i, log_j, lanes.load(mu_i + k), lanes.load(s_i + k),
                        lanes.load(mu_j + k), lanes.load(s_j + k));
    lanes.store(hn::MulAdd(lanes.load(eps + k), f.scale, f.mean), z + k);
  });
}

void fuse_backward_lanes(float log_lambda, float log_rest, const float* mu_i, const float* s_i,
                         const float* mu_j, const float* s_j, const float* eps, const float* dz,
                         float* dmu_i, float* ds_i, float* dmu_j, float* ds_j, Index n) {
  const Vec32 log_i = constant(log_lambda);
  const Vec32 log_j = constant(log_rest);
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 m_i = lanes.load(mu_i + k);
    const Vec32 m_j = lanes.load(mu_j + k);
    const FusionLanes f(log_i, log_j, m_i, lanes.load(s_i + k), m_j, lanes.load(s_j + k));
    const Vec32 d = lanes.load(dz + k);
    const Vec32 along = hn::Mul(hn::Mul(f.w_i, f.w_j), hn::Sub(m_i, m_j));
    const Vec32 spread = hn::Mul(hn::Mul(constant(0.5F), lanes.load(eps + k)), f.scale);
    // Row i is stored before row j is loaded: they may be the same row.
    lanes.store(hn::MulAdd(f.w_i, d, lanes.load(dmu_i + k)), dmu_i + k);
    lanes.store(hn::MulAdd(hn::MulSub(f.w_i, spread, along), d, lanes.load(ds_i + k)), ds_i + k);
    lanes.store(hn::MulAdd(f.w_j, d, lanes.load(dmu_j + k)), dmu_j + k);
    lanes.store(hn::MulAdd(hn::MulAdd(f.w_j, spread, along), d, lanes.load(ds_j + k)), ds_j + k);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(draw_forward_lanes);
HWY_EXPORT(draw_backward_lanes);
HWY_EXPORT(fuse_forward_lanes);
HWY_EXPORT(fuse_backward_lanes);

namespace {

// In double: 1 − λ is then exact for every λ that is not negligible, also for λ near 0.
float log_of(double weight) { return static_cast<float>(std::log(weight)); }

}  // namespace

void fuse_gaussian_forward(float lambda, const float* mu_i, const float* s_i, const float* mu_j,
                           const float* s_j, const float* eps, float* z, Index n) {
  if (lambda == 1) return HWY_DYNAMIC_DISPATCH(draw_forward_lanes)(mu_i, s_i, eps, z, n);
  if (lambda == 0) return HWY_DYNAMIC_DISPATCH(draw_forward_lanes)(mu_j, s_j, eps, z, n);
  const double weight = lambda;
  HWY_DYNAMIC_DISPATCH(fuse_forward_lanes)
  (log_of(weight), log_of(1 - weight), mu_i, s_i, mu_j, s_j, eps, z, n);
}
void fuse_gaussian_forward(double lambda, const double* mu_i, const double* s_i, const double* mu_j,
                           const double* s_j, const double* eps, double* z, Index n) {
  naive::fuse_gaussian_forward(lambda, mu_i, s_i, mu_j, s_j, eps, z, n);
}

void fuse_gaussian_backward(float lambda, const float* mu_i, const float* s_i, const float* mu_j,
                            const float* s_j, const float* eps, const float* dz, float* dmu_i,
                            float* ds_i, float* dmu_j, float* ds_j, Index n) {
  if (lambda == 1) {
    return HWY_DYNAMIC_DISPATCH(draw_backward_lanes)(s_i, eps, dz, dmu_i, ds_i, n);
  }
  if (lambda == 0) {
    return HWY_DYNAMIC_DISPATCH(draw_backward_lanes)(s_j, eps, dz, dmu_j, ds_j, n);
  }
  const double weight = lambda;
  HWY_DYNAMIC_DISPATCH(fuse_backward_lanes)
  (log_of(weight), log_of(1 - weight), mu_i, s_i, mu_j, s_j, eps, dz, dmu_i, ds_i, dmu_j, ds_j, n);
}
void fuse_gaussian_backward(double lambda, const double* mu_i, const double* s_i,
                            const double* mu_j, const double* s_j, const double* eps,
                            const double* dz, double* dmu_i, double* ds_i, double* dmu_j,
                            double* ds_j, Index n) {
  naive::fuse_gaussian_backward(lambda, mu_i, s_i, mu_j, s_j, eps, dz, dmu_i, ds_i, dmu_j, ds_j, n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
