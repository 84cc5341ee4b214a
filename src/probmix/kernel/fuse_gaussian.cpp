// fuse_gaussian_forward and _backward; the formulas and their derivation are in naive.hpp (Fusion).
//
// λ = 0 and λ = 1 read one row only, so that the other one cannot matter, whatever it holds.
#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/fuse_gaussian.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/fuse_gaussian.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

HWY_INLINE Vec32 deviation(Vec32 s) { return bounded_exp(hn::Mul(constant(0.5F), s)); }

// Also for −0. (Highway's IfNegativeThenElse reads more than the sign on SSSE3.)
HWY_INLINE hn::Mask<Lanes32> has_sign(Vec32 x) {
  const hn::RebindToSigned<Lanes32> integers;
  return hn::MaskFromVec(hn::BitCast(Lanes32(), hn::BroadcastSignBit(hn::BitCast(integers, x))));
}

// naive::Fusion on a vector. A NaN in any input reaches e or the difference of means, hence z.
struct FusionLanes {
  Vec32 weight, mean, scale;

  HWY_INLINE FusionLanes(Vec32 log_lambda, Vec32 log_rest, Vec32 mu_i, Vec32 s_i, Vec32 mu_j,
                         Vec32 s_j) {
    const Vec32 one = constant(1.0F);
    const Vec32 a = hn::Sub(log_lambda, s_i);
    const Vec32 b = hn::Sub(log_rest, s_j);
    const Vec32 sign = constant(-0.0F);
    const Vec32 below = hn::Sub(b, a);  // negative or zero where i has the larger weight
    const Vec32 e = bounded_exp(hn::Or(sign, below));
    const Vec32 larger = reciprocal(hn::Add(one, e));
    const Vec32 smaller = hn::Mul(e, larger);
    const auto i_is_larger = hn::Ge(a, b);
    weight = hn::Or(hn::IfThenElseZero(i_is_larger, sign), smaller);
    const Vec32 near = hn::IfThenElse(i_is_larger, mu_i, mu_j);
    mean = hn::MulAdd(weight, hn::Sub(mu_i, mu_j), near);
    scale = hn::Mul(deviation(hn::Neg(hn::Max(a, b))), root(larger));
  }
};

// Where the results of forward go.
struct Put {
  float *z, *weight, *spread;

  template <class Lanes>
  HWY_INLINE void operator()(Lanes lanes, Index k, Vec32 w, Vec32 mean, Vec32 noise) const {
    lanes.store(hn::Add(mean, noise), z + k);
    if (weight == nullptr) return;
    lanes.store(w, weight + k);
    lanes.store(hn::Mul(constant(0.5F), noise), spread + k);
  }
};

void draw_forward_lanes(const float* mu, const float* s, const float* eps, float* z, float* weight,
                        float* spread, Index n) {
  const Put put{z, weight, spread};
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 scale = deviation(lanes.load(s + k));
    put(lanes, k, constant(0.0F), lanes.load(mu + k), hn::Mul(lanes.load(eps + k), scale));
  });
}

void draw_backward_lanes(const float* spread, const float* dz, float* dmu, float* ds, Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 d = lanes.load(dz + k);
    lanes.store(hn::Add(lanes.load(dmu + k), d), dmu + k);
    lanes.store(hn::MulAdd(lanes.load(spread + k), d, lanes.load(ds + k)), ds + k);
  });
}

void draw_backward_over_lanes(const float* spread, const float* dz, float* dmu, float* ds,
                              Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 d = lanes.load(dz + k);
    lanes.store(d, dmu + k);
    lanes.store(hn::Mul(lanes.load(spread + k), d), ds + k);
  });
}

void fuse_forward_lanes(float log_lambda, float log_rest, const float* mu_i, const float* s_i,
                        const float* mu_j, const float* s_j, const float* eps, float* z,
                        float* weight, float* spread, Index n) {
  const Put put{z, weight, spread};
  const Vec32 log_i = constant(log_lambda);
  const Vec32 log_j = constant(log_rest);
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const FusionLanes f(log_i, log_j, lanes.load(mu_i + k), lanes.load(s_i + k),
                        lanes.load(mu_j + k), lanes.load(s_j + k));
    put(lanes, k, f.weight, f.mean, hn::Mul(lanes.load(eps + k), f.scale));
  });
}

template <bool accumulates>
HWY_INLINE void fuse_backward(const float* mu_i, const float* mu_j, const float* weight,
                              const float* spread, const float* dz, float* dmu_i, float* ds_i,
                              float* dmu_j, float* ds_j, Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const auto put = [&](Vec32 factor, Vec32 d, float* to) HWY_ATTR {
      lanes.store(accumulates ? hn::MulAdd(factor, d, lanes.load(to + k)) : hn::Mul(factor, d),
                  to + k);
    };
    const Vec32 kept = lanes.load(weight + k);
    const Vec32 smaller = hn::Abs(kept);
    const Vec32 larger = hn::Sub(constant(1.0F), smaller);
    const auto i_is_larger = has_sign(kept);
    const Vec32 w_i = hn::IfThenElse(i_is_larger, larger, smaller);
    const Vec32 w_j = hn::IfThenElse(i_is_larger, smaller, larger);
    const Vec32 half_noise = lanes.load(spread + k);
    const Vec32 d = lanes.load(dz + k);
    const Vec32 along =
        hn::Mul(hn::Mul(smaller, larger), hn::Sub(lanes.load(mu_i + k), lanes.load(mu_j + k)));
    // Row i is stored before row j is loaded: they may be the same row.
    put(w_i, d, dmu_i);
    put(hn::MulSub(w_i, half_noise, along), d, ds_i);
    put(w_j, d, dmu_j);
    put(hn::MulAdd(w_j, half_noise, along), d, ds_j);
  });
}

void fuse_backward_lanes(const float* mu_i, const float* mu_j, const float* weight,
                         const float* spread, const float* dz, float* dmu_i, float* ds_i,
                         float* dmu_j, float* ds_j, Index n) {
  fuse_backward<true>(mu_i, mu_j, weight, spread, dz, dmu_i, ds_i, dmu_j, ds_j, n);
}

void fuse_backward_over_lanes(const float* mu_i, const float* mu_j, const float* weight,
                              const float* spread, const float* dz, float* dmu_i, float* ds_i,
                              float* dmu_j, float* ds_j, Index n) {
  fuse_backward<false>(mu_i, mu_j, weight, spread, dz, dmu_i, ds_i, dmu_j, ds_j, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(draw_forward_lanes);
HWY_EXPORT(draw_backward_lanes);
HWY_EXPORT(draw_backward_over_lanes);
HWY_EXPORT(fuse_forward_lanes);
HWY_EXPORT(fuse_backward_lanes);
HWY_EXPORT(fuse_backward_over_lanes);

namespace {

struct LogWeights {
  float lambda = -1, log_lambda = 0, log_rest = 0;
};

// In double: 1 − λ is then exact for every λ that is not negligible, also for λ near 0. Most steps
// have one λ for all pairs.
const LogWeights& log_weights(float lambda) {
  thread_local LogWeights last;
  if (last.lambda != lambda) {
    const double share = lambda;
    last = {lambda, static_cast<float>(std::log(share)), static_cast<float>(std::log(1 - share))};
  }
  return last;
}

}  // namespace

void fuse_gaussian_forward(float lambda, const float* mu_i, const float* s_i, const float* mu_j,
                           const float* s_j, const float* eps, float* z, float* weight,
                           float* spread, Index n) {
  if (lambda == 0 || lambda == 1) {
    HWY_DYNAMIC_DISPATCH(draw_forward_lanes)
    (lambda == 1 ? mu_i : mu_j, lambda == 1 ? s_i : s_j, eps, z, weight, spread, n);
    return;
  }
  const LogWeights& log = log_weights(lambda);
  HWY_DYNAMIC_DISPATCH(fuse_forward_lanes)
  (log.log_lambda, log.log_rest, mu_i, s_i, mu_j, s_j, eps, z, weight, spread, n);
}
void fuse_gaussian_forward(double lambda, const double* mu_i, const double* s_i, const double* mu_j,
                           const double* s_j, const double* eps, double* z, double* weight,
                           double* spread, Index n) {
  naive::fuse_gaussian_forward(lambda, mu_i, s_i, mu_j, s_j, eps, z, weight, spread, n);
}

void fuse_gaussian_backward(float lambda, const float* mu_i, const float* mu_j, const float* weight,
                            const float* spread, const float* dz, float* dmu_i, float* ds_i,
                            float* dmu_j, float* ds_j, Index n, Gradient gradient) {
  const bool accumulates = gradient == Gradient::accumulates;
  if (lambda != 0 && lambda != 1) {
    if (accumulates) {
      HWY_DYNAMIC_DISPATCH(fuse_backward_lanes)
      (mu_i, mu_j, weight, spread, dz, dmu_i, ds_i, dmu_j, ds_j, n);
    } else {
      HWY_DYNAMIC_DISPATCH(fuse_backward_over_lanes)
      (mu_i, mu_j, weight, spread, dz, dmu_i, ds_i, dmu_j, ds_j, n);
    }
    return;
  }
  float* const dmu = lambda == 1 ? dmu_i : dmu_j;
  float* const ds = lambda == 1 ? ds_i : ds_j;
  if (accumulates) {
    HWY_DYNAMIC_DISPATCH(draw_backward_lanes)(spread, dz, dmu, ds, n);
    return;
  }
  HWY_DYNAMIC_DISPATCH(draw_backward_over_lanes)(spread, dz, dmu, ds, n);
  std::fill_n(lambda == 1 ? dmu_j : dmu_i, n, 0.0F);
  std::fill_n(lambda == 1 ? ds_j : ds_i, n, 0.0F);
}
void fuse_gaussian_backward(double lambda, const double* mu_i, const double* mu_j,
                            const double* weight, const double* spread, const double* dz,
                            double* dmu_i, double* ds_i, double* dmu_j, double* ds_j, Index n,
                            Gradient gradient) {
  if (gradient == Gradient::overwrites) {
    for (double* const d : {dmu_i, ds_i, dmu_j, ds_j}) std::fill_n(d, n, 0.0);
  }
  naive::fuse_gaussian_backward(lambda, mu_i, mu_j, weight, spread, dz, dmu_i, ds_i, dmu_j, ds_j,
                                n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
