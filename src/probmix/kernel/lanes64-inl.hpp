// What the kernels in double lanes share: the loop over vectors, and an exponential and a logarithm
// that state what they do at the ends and never hide a NaN.
//
// Compiled once for each instruction set, as lanes-inl.hpp.
#if defined(PROBMIX_KERNEL_LANES64_INL_HPP_) == defined(HWY_TARGET_TOGGLE)
#ifdef PROBMIX_KERNEL_LANES64_INL_HPP_
#undef PROBMIX_KERNEL_LANES64_INL_HPP_
#else
#define PROBMIX_KERNEL_LANES64_INL_HPP_
#endif

#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>

#include "probmix/base/matrix.hpp"
#include "probmix/kernel/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

using Lanes64 = hn::ScalableTag<double>;
using Vec64 = hn::Vec<Lanes64>;
using LanesI64 = hn::RebindToSigned<Lanes64>;
using VecI64 = hn::Vec<LanesI64>;
static_assert(sizeof(Index) == sizeof(std::int64_t));

struct WholeVector64 {
  HWY_INLINE Vec64 load(const double* p) const { return hn::LoadU(Lanes64(), p); }
  HWY_INLINE VecI64 load(const Index* p) const { return hn::LoadU(LanesI64(), p); }
  HWY_INLINE void store(Vec64 v, double* p) const { hn::StoreU(v, Lanes64(), p); }
};

// The first `count` lanes; the others load as zero and are not stored.
struct FirstLanes64 {
  std::size_t count;

  template <class D, class T>
  HWY_INLINE hn::Vec<D> load_as(D d, const T* p) const {
#if PROBMIX_NO_MASKED_ACCESS
    HWY_ALIGN T buffer[HWY_MAX_BYTES / sizeof(T)] = {};
    std::memcpy(buffer, p, count * sizeof(T));
    return hn::Load(d, buffer);
#else
    return hn::MaskedLoad(hn::FirstN(d, count), d, p);
#endif
  }
  HWY_INLINE Vec64 load(const double* p) const { return load_as(Lanes64(), p); }
  HWY_INLINE VecI64 load(const Index* p) const { return load_as(LanesI64(), p); }
  HWY_INLINE void store(Vec64 v, double* p) const {
    const Lanes64 d;
#if PROBMIX_NO_MASKED_ACCESS
    HWY_ALIGN double buffer[HWY_MAX_BYTES / sizeof(double)];
    hn::Store(v, d, buffer);
    std::memcpy(p, buffer, count * sizeof(double));
#else
    hn::BlendedStore(v, hn::FirstN(d, count), d, p);
#endif
  }
};

// body(lanes, k) for each vector of [0, n), as for_lanes.
template <class Body>
HWY_INLINE void for_lanes64(Index n, const Body& body) {
  const auto step = static_cast<Index>(hn::Lanes(Lanes64()));
  Index k = 0;
  for (; k + step <= n; k += step) body(WholeVector64{}, k);
  if (k < n) body(FirstLanes64{static_cast<std::size_t>(n - k)}, k);
}

HWY_INLINE Vec64 constant64(double value) { return hn::Set(Lanes64(), value); }

HWY_INLINE double sum_of_lanes(Vec64 v) {
  const Lanes64 d;
  return hn::GetLane(hn::SumOfLanes(d, v));
}

HWY_INLINE hn::Mask<Lanes64> is_not_zero(Vec64 v) { return hn::Ne(v, hn::Zero(Lanes64())); }

// e^x within 1 ulp, x <= 700; 0 for −∞, NaN for NaN, which Highway's own turns into 0.
HWY_INLINE Vec64 exp(Vec64 x) { return hn::IfThenElse(hn::IsNaN(x), x, hn::Exp(Lanes64(), x)); }

// log x within 4 ulp, x >= 0; −∞ for 0, ∞ for ∞, NaN for NaN, all of which Highway's own lacks.
HWY_INLINE Vec64 log(Vec64 x) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Vec64 y = hn::Log(Lanes64(), x);
  const Vec64 finite = hn::IfThenElse(is_not_zero(x), y, constant64(-infinity));
  return hn::IfThenElse(hn::Lt(x, constant64(infinity)), finite, x);
}

// log λ and log(1 − λ), computed anew only where λ changes: often it is one for all pairs.
struct LogWeights {
  Vec64 lambda, log_lambda, log_rest;

  HWY_INLINE LogWeights()
      : lambda(constant64(-1.0)), log_lambda(constant64(0.0)), log_rest(constant64(0.0)) {}

  HWY_INLINE void update(Vec64 next) {
    if (hn::AllTrue(Lanes64(), hn::Eq(next, lambda))) return;
    lambda = next;
    log_lambda = log(next);
    log_rest = log(hn::Sub(constant64(1.0), next));
  }
};

// log(λ e^a + (1−λ) e^b), and the shares both terms have in the sum: λ and 1 − λ where a = b,
// however large they are.
struct LogMixture {
  Vec64 sum, share_a, share_b;

  HWY_INLINE LogMixture(const LogWeights& weights, Vec64 a, Vec64 b) {
    const Vec64 one = constant64(1.0);
    const Vec64 apart = hn::IfThenZeroElse(hn::Eq(a, b), hn::Sub(a, b));  // not −∞ − −∞
    const Vec64 odds = hn::Add(hn::Sub(weights.log_lambda, weights.log_rest), apart);
    const Vec64 e = exp(hn::Neg(hn::Abs(odds)));  // NaN if a or b is
    const Vec64 larger = hn::Div(one, hn::Add(one, e));
    const Vec64 smaller = hn::Mul(e, larger);
    const auto a_is_larger = hn::Ge(odds, hn::Zero(Lanes64()));
    share_a = hn::IfThenElse(a_is_larger, larger, smaller);
    share_b = hn::IfThenElse(a_is_larger, smaller, larger);
    sum = hn::Add(
        hn::IfThenElse(a_is_larger, hn::Add(weights.log_lambda, a), hn::Add(weights.log_rest, b)),
        hn::Log1p(Lanes64(), e));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#endif  // PROBMIX_KERNEL_LANES64_INL_HPP_
