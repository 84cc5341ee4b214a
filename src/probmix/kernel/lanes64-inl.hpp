// What the kernels in double lanes share besides lanes-inl.hpp: an exponential and a logarithm that
// state what they do at the ends and never hide a NaN.
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

#include <cstdint>
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
