// lerp_forward, add, multiply, axpy and sum_of_squares.
#include <cstring>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/arithmetic.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/lanes-inl.hpp"
#include "probmix/kernel/naive.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// out = near + weight (far − near).
void lerp_lanes(float weight, const float* far, const float* near, float* out, Index n) {
  const Vec32 w = constant(weight);
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 from = lanes.load(near + k);
    lanes.store(hn::MulAdd(w, hn::Sub(lanes.load(far + k), from), from), out + k);
  });
}

// Halves are exact, so the sum is rounded once and a and b may be exchanged.
void midpoint_lanes(const float* a, const float* b, float* out, Index n) {
  const Vec32 half = constant(0.5F);
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec32 sum = hn::Add(hn::Mul(half, lanes.load(a + k)), hn::Mul(half, lanes.load(b + k)));
    lanes.store(sum, out + k);
  });
}

void add_lanes(const float* a, const float* b, float* out, Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    lanes.store(hn::Add(lanes.load(a + k), lanes.load(b + k)), out + k);
  });
}

void multiply_lanes(const float* a, const float* b, float* out, Index n) {
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    lanes.store(hn::Mul(lanes.load(a + k), lanes.load(b + k)), out + k);
  });
}

void axpy_lanes(float factor, const float* x, float* y, Index n) {
  const Vec32 f = constant(factor);
  for_lanes(n, [&](auto lanes, Index k) HWY_ATTR {
    lanes.store(hn::MulAdd(f, lanes.load(x + k), lanes.load(y + k)), y + k);
  });
}

// Four sums of doubles hide the latency of the addition. The square of a float is exact in double
// and far from its largest number, so only a non-finite x gives a non-finite sum.
double sum_of_squares_lanes(const float* x, Index n) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<float, decltype(d)> df;
  const auto step = static_cast<Index>(hn::Lanes(d));
  auto sum0 = hn::Zero(d);
  auto sum1 = sum0;
  auto sum2 = sum0;
  auto sum3 = sum0;
  const auto add = [&](auto& sum, Index k) HWY_ATTR {
    const auto v = hn::PromoteTo(d, hn::LoadU(df, x + k));
    sum = hn::MulAdd(v, v, sum);
  };
  Index k = 0;
  for (; k + 4 * step <= n; k += 4 * step) {
    add(sum0, k);
    add(sum1, k + step);
    add(sum2, k + 2 * step);
    add(sum3, k + 3 * step);
  }
  for (; k + step <= n; k += step) add(sum0, k);
  double rest = 0;
  for (; k < n; ++k) rest += static_cast<double>(x[k]) * static_cast<double>(x[k]);
  const auto sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
  return hn::GetLane(hn::SumOfLanes(d, sum)) + rest;
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(lerp_lanes);
HWY_EXPORT(midpoint_lanes);
HWY_EXPORT(add_lanes);
HWY_EXPORT(multiply_lanes);
HWY_EXPORT(axpy_lanes);
HWY_EXPORT(sum_of_squares_lanes);

void lerp_forward(float lambda, const float* a, const float* b, float* out, Index n) {
  if (lambda == 0 || lambda == 1) {  // copied: a + 0 · (b − a) would lose −0, and NaN for b = ∞
    if (n > 0) std::memmove(out, lambda == 1 ? a : b, static_cast<std::size_t>(n) * sizeof(float));
  } else if (lambda == 0.5F) {
    HWY_DYNAMIC_DISPATCH(midpoint_lanes)(a, b, out, n);
  } else if (lambda < 0.5F) {
    HWY_DYNAMIC_DISPATCH(lerp_lanes)(lambda, a, b, out, n);
  } else {
    HWY_DYNAMIC_DISPATCH(lerp_lanes)(1 - lambda, b, a, out, n);
  }
}
void lerp_forward(double lambda, const double* a, const double* b, double* out, Index n) {
  naive::lerp_forward(lambda, a, b, out, n);
}

void add(const float* a, const float* b, float* out, Index n) {
  HWY_DYNAMIC_DISPATCH(add_lanes)(a, b, out, n);
}
void add(const double* a, const double* b, double* out, Index n) { naive::add(a, b, out, n); }

void multiply(const float* a, const float* b, float* out, Index n) {
  HWY_DYNAMIC_DISPATCH(multiply_lanes)(a, b, out, n);
}
void multiply(const double* a, const double* b, double* out, Index n) {
  naive::multiply(a, b, out, n);
}

void axpy(float factor, const float* x, float* y, Index n) {
  HWY_DYNAMIC_DISPATCH(axpy_lanes)(factor, x, y, n);
}
void axpy(double factor, const double* x, double* y, Index n) { naive::axpy(factor, x, y, n); }

double sum_of_squares(const float* x, Index n) {
  return HWY_DYNAMIC_DISPATCH(sum_of_squares_lanes)(x, n);
}
double sum_of_squares(const double* x, Index n) { return naive::sum_of_squares(x, n); }

}  // namespace probmix::kernel
#endif  // HWY_ONCE
