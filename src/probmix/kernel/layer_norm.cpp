#include "probmix/kernel/layer_norm.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/layer_norm.cpp"
#include <hwy/foreach_target.h>

#include <cmath>

#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive_norm.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

HWY_INLINE float sum_of_lanes(Vec32 v) { return hn::GetLane(hn::SumOfLanes(Lanes32(), v)); }

// Zero in the lanes beyond the row.
HWY_INLINE Vec32 only(WholeVector /*all*/, Vec32 v) { return v; }
HWY_INLINE Vec32 only(FirstLanes first, Vec32 v) {
  return hn::IfThenElseZero(hn::FirstN(Lanes32(), first.count), v);
}

// Two sums each, in turn, hide the latency of the addition.
void layer_norm_forward_lanes(View<const float> x, const float* residual, const float* gain,
                              const float* bias, float* normalised, float* inverse, float* y) {
  const float share = 1.0F / static_cast<float>(x.cols);
  for (Index r = 0; r < x.rows; ++r) {
    const Index at = r * x.cols;
    const float* const x_row = x.row(r);
    float* const out = normalised + at;  // holds s, then s − mean, then the normalised row
    Vec32 sum = constant(0.0F);
    Vec32 other = sum;
    for_lanes(x.cols, [&](auto lanes, Index c) HWY_ATTR {
      Vec32 s = lanes.load(x_row + c);
      if (residual != nullptr) s = hn::Add(s, lanes.load(residual + at + c));
      lanes.store(s, out + c);
      const Vec32 more = hn::Add(other, s);
      other = sum;
      sum = more;
    });
    const Vec32 mean = constant(sum_of_lanes(hn::Add(sum, other)) * share);
    sum = constant(0.0F);
    other = sum;
    for_lanes(x.cols, [&](auto lanes, Index c) HWY_ATTR {
      const Vec32 d = only(lanes, hn::Sub(lanes.load(out + c), mean));
      const Vec32 more = hn::MulAdd(d, d, other);
      other = sum;
      sum = more;
    });
    const float variance = sum_of_lanes(hn::Add(sum, other)) * share;
    inverse[r] = 1.0F / std::sqrt(variance + static_cast<float>(layer_norm_epsilon));
    const Vec32 factor = constant(inverse[r]);
    for_lanes(x.cols, [&](auto lanes, Index c) HWY_ATTR {
      const Vec32 v = hn::Mul(hn::Sub(lanes.load(out + c), mean), factor);
      lanes.store(v, out + c);
      lanes.store(hn::MulAdd(lanes.load(gain + c), v, lanes.load(bias + c)), y + at + c);
    });
  }
}

void layer_norm_restore_lanes(View<const float> normalised, const float* gain, const float* bias,
                              float* y) {
  for (Index r = 0; r < normalised.rows; ++r) {
    const float* const from = normalised.row(r);
    float* const to = y + r * normalised.cols;
    for_lanes(normalised.cols, [&](auto lanes, Index c) HWY_ATTR {
      const Vec32 v = lanes.load(from + c);
      lanes.store(hn::MulAdd(lanes.load(gain + c), v, lanes.load(bias + c)), to + c);
    });
  }
}

void layer_norm_backward_lanes(View<const float> normalised, const float* inverse,
                               const float* gain, View<float> dy, float* dgain, float* dbias) {
  const float share = 1.0F / static_cast<float>(dy.cols);
  for (Index r = 0; r < dy.rows; ++r) {
    const float* const v_row = normalised.row(r);
    float* const d_row = dy.row(r);
    Vec32 sum = constant(0.0F);
    Vec32 sum_along = sum;
    for_lanes(dy.cols, [&](auto lanes, Index c) HWY_ATTR {
      const Vec32 d = lanes.load(d_row + c);
      const Vec32 v = lanes.load(v_row + c);
      const Vec32 g = hn::Mul(lanes.load(gain + c), d);
      sum = hn::Add(sum, g);
      sum_along = hn::MulAdd(g, v, sum_along);
      lanes.store(hn::MulAdd(d, v, lanes.load(dgain + c)), dgain + c);
      lanes.store(hn::Add(d, lanes.load(dbias + c)), dbias + c);
    });
    const Vec32 mean = constant(sum_of_lanes(sum) * share);
    const Vec32 along = constant(sum_of_lanes(sum_along) * share);
    const Vec32 factor = constant(inverse[r]);
    for_lanes(dy.cols, [&](auto lanes, Index c) HWY_ATTR {
      const Vec32 g = hn::MulSub(lanes.load(gain + c), lanes.load(d_row + c), mean);
      const Vec32 v = lanes.load(v_row + c);
      lanes.store(hn::Mul(factor, hn::NegMulAdd(v, along, g)), d_row + c);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(layer_norm_forward_lanes);
HWY_EXPORT(layer_norm_restore_lanes);
HWY_EXPORT(layer_norm_backward_lanes);

void layer_norm_forward(View<const float> x, const float* residual, const float* gain,
                        const float* bias, float* normalised, float* inverse, float* y) {
  HWY_DYNAMIC_DISPATCH(layer_norm_forward_lanes)(x, residual, gain, bias, normalised, inverse, y);
}
void layer_norm_forward(View<const double> x, const double* residual, const double* gain,
                        const double* bias, double* normalised, double* inverse, double* y) {
  naive::layer_norm_forward(x, residual, gain, bias, normalised, inverse, y);
}

void layer_norm_restore(View<const float> normalised, const float* gain, const float* bias,
                        float* y) {
  HWY_DYNAMIC_DISPATCH(layer_norm_restore_lanes)(normalised, gain, bias, y);
}
void layer_norm_restore(View<const double> normalised, const double* gain, const double* bias,
                        double* y) {
  naive::layer_norm_restore(normalised, gain, bias, y);
}

void layer_norm_backward(View<const float> normalised, const float* inverse, const float* gain,
                         View<float> dy, float* dgain, float* dbias) {
  HWY_DYNAMIC_DISPATCH(layer_norm_backward_lanes)(normalised, inverse, gain, dy, dgain, dbias);
}
void layer_norm_backward(View<const double> normalised, const double* inverse, const double* gain,
                         View<double> dy, double* dgain, double* dbias) {
  naive::layer_norm_backward(normalised, inverse, gain, dy, dgain, dbias);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
