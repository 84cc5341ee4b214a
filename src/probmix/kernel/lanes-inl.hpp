// What every Highway kernel here shares: a loop over whole vectors with one partial vector at the
// end, and an exponential that neither overflows into garbage nor hides a NaN.
//
// Compiled once for each instruction set: include it after hwy/foreach_target.h. The guard flips
// with Highway's toggle, so that every target sees it anew.
#if defined(PROBMIX_KERNEL_LANES_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef PROBMIX_KERNEL_LANES_INL_HPP_
#undef PROBMIX_KERNEL_LANES_INL_HPP_
#else
#define PROBMIX_KERNEL_LANES_INL_HPP_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstring>

#include "probmix/base/matrix.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

using Lanes32 = hn::ScalableTag<float>;
using Vec32 = hn::Vec<Lanes32>;

// Both kinds of lanes load and store float, double or Index, as many as a vector holds.
struct WholeVector {
  template <class T>
  HWY_INLINE auto load(const T* p) const {
    return hn::LoadU(hn::ScalableTag<T>(), p);
  }
  template <class T>
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* p) const {
    hn::StoreU(v, hn::ScalableTag<T>(), p);
  }
};

// Highway counts AVX2 among the sets whose masked access may fault: true of bytes, not of floats.
#undef PROBMIX_NO_MASKED_ACCESS
#define PROBMIX_NO_MASKED_ACCESS (HWY_MEM_OPS_MIGHT_FAULT && HWY_TARGET != HWY_AVX2)

// The first `count` lanes; the others load as zero and are not stored. Never touches memory beyond
// them: where the instruction set has no masked access, through a buffer.
struct FirstLanes {
  std::size_t count;

  template <class T>
  HWY_INLINE auto load(const T* p) const {
    const hn::ScalableTag<T> d;
#if PROBMIX_NO_MASKED_ACCESS
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
    std::memcpy(buffer, p, count * sizeof(T));
    return hn::Load(d, buffer);
#else
    return hn::MaskedLoad(hn::FirstN(d, count), d, p);
#endif
  }
  template <class T>
  HWY_INLINE void store(hn::Vec<hn::ScalableTag<T>> v, T* p) const {
    const hn::ScalableTag<T> d;
#if PROBMIX_NO_MASKED_ACCESS
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)];
    hn::Store(v, d, buffer);
    std::memcpy(p, buffer, count * sizeof(T));
#else
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
#endif
  }
};

// body(lanes, k) for each vector of numbers T of [0, n): lanes.load(p + k), lanes.store(v, p + k).
template <class T = float, class Body>
HWY_INLINE void for_lanes(Index n, const Body& body) {
  const auto step = static_cast<Index>(hn::Lanes(hn::ScalableTag<T>()));
  Index k = 0;
  for (; k + step <= n; k += step) body(WholeVector{}, k);
  if (k < n) body(FirstLanes{static_cast<std::size_t>(n - k)}, k);
}

HWY_INLINE Vec32 constant(float value) { return hn::Set(Lanes32(), value); }

// e^x within 1 ulp where normal; 0 below −104, infinity above 88.73, NaN for NaN. Highway's own is
// undefined above 104 and turns NaN into 0.
HWY_INLINE Vec32 exp(Vec32 x) {
  const Vec32 y = hn::Exp(Lanes32(), hn::Min(x, constant(104.0F)));
  return hn::IfThenElse(hn::IsNaN(x), x, y);
}

// x, at most `most` in size; NaN for NaN, which Highway leaves open for Min and Max. Those of x86
// return the second argument where one is NaN.
HWY_INLINE Vec32 clamp(Vec32 x, float most) {
  const Vec32 high = constant(most);
  const Vec32 low = constant(-most);
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
  return hn::Max(low, hn::Min(high, x));
#else
  x = hn::IfThenElse(hn::Gt(x, high), high, x);
  return hn::IfThenElse(hn::Lt(x, low), low, x);
#endif
}

// e^x within 2 ulp for |x| <= 87 and constant beyond, NaN for NaN: half the work of exp, for sums
// and weights in which neither 0 nor infinity is wanted. The polynomial is that of Cephes' expf.
HWY_INLINE Vec32 bounded_exp(Vec32 x) {
  const Lanes32 d;
  const hn::RebindToSigned<Lanes32> integers;
  x = clamp(x, 87.0F);
  const Vec32 shift = constant(0x1.8p23F);  // added, it leaves the nearest integer in the low bits
  const Vec32 t = hn::MulAdd(x, constant(1.44269504F), shift);
  const Vec32 n = hn::Sub(t, shift);
  Vec32 r = hn::NegMulAdd(n, constant(0.693359375F), x);
  r = hn::NegMulAdd(n, constant(-2.12194440e-4F), r);
  const Vec32 r2 = hn::Mul(r, r);
  const Vec32 p01 = hn::MulAdd(constant(1.6666665459e-1F), r, constant(5.0000001201e-1F));
  const Vec32 p23 = hn::MulAdd(constant(8.3334519073e-3F), r, constant(4.1665795894e-2F));
  const Vec32 p45 = hn::MulAdd(constant(1.9875691500e-4F), r, constant(1.3981999507e-3F));
  const Vec32 p = hn::MulAdd(hn::MulAdd(p45, r2, p23), r2, p01);
  const Vec32 y = hn::MulAdd(p, r2, hn::Add(r, constant(1.0F)));
  const auto exponent = hn::ShiftLeft<23>(hn::BitCast(integers, t));
  return hn::Mul(y, hn::BitCast(d, hn::Add(exponent, hn::Set(integers, 127 << 23))));  // by 2^n
}

// With AVX-512 a vector takes 16 cycles to divide and 19 for a root; an estimate of 14 bits and a
// step of Newton's method take 4. (With AVX2 on AMD that gains nothing.)
#undef PROBMIX_SLOW_DIVISION
#define PROBMIX_SLOW_DIVISION (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX3)

// 1/x within 1 ulp for x from 1e-37 to 1e37, NaN for NaN.
HWY_INLINE Vec32 reciprocal(Vec32 x) {
#if PROBMIX_SLOW_DIVISION
  const Vec32 r = hn::ApproximateReciprocal(x);
  return hn::MulAdd(r, hn::NegMulAdd(x, r, constant(1.0F)), r);
#else
  return hn::Div(constant(1.0F), x);
#endif
}

// √x within 1 ulp for x from 1e-37 to 1e37, NaN for NaN.
HWY_INLINE Vec32 root(Vec32 x) {
#if PROBMIX_SLOW_DIVISION
  const Vec32 r = hn::ApproximateReciprocalSqrt(x);
  const Vec32 y = hn::Mul(x, r);
  return hn::MulAdd(y, hn::NegMulAdd(hn::Mul(constant(0.5F), r), y, constant(0.5F)), y);
#else
  return hn::Sqrt(x);
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#endif  // PROBMIX_KERNEL_LANES_INL_HPP_
