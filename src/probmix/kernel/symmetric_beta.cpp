// symmetric_beta; the formula and its sources are in mix/lambda_law.cpp.
#include <limits>
#include <numbers>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/symmetric_beta.cpp"
#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes64-inl.hpp"
#include "probmix/kernel/symmetric_beta.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// e^x − 1, x >= 0: infinity where Highway's own is undefined.
HWY_INLINE Vec64 expm1_of_positive(Vec64 x) {
  const Vec64 last = constant64(700.0);
  const Vec64 y = hn::Expm1(Lanes64(), hn::Min(x, last));
  return hn::IfThenElse(hn::Gt(x, last), constant64(std::numeric_limits<double>::infinity()), y);
}

void symmetric_beta_lanes(double alpha, const double* u, const double* v, double* out, Index n) {
  const Lanes64 d;
  const Vec64 one = constant64(1.0);
  for_lanes<double>(n, [&](auto lanes, Index k) HWY_ATTR {
    const Vec64 exponent = hn::Div(hn::Neg(log(lanes.load(u + k))), constant64(alpha));
    const Vec64 turn = hn::Mul(constant64(2 * std::numbers::pi), lanes.load(v + k));
    const Vec64 cosine = hn::Cos(d, turn);
    const Vec64 w2 = hn::Mul(hn::Mul(cosine, cosine), expm1_of_positive(exponent));
    const Vec64 root = hn::Div(one, hn::Sqrt(hn::Add(one, hn::Div(one, w2))));
    const Vec64 smaller = hn::Div(constant64(0.5), hn::Mul(hn::Add(one, w2), hn::Add(one, root)));
    const auto is_smaller = hn::Lt(cosine, hn::Zero(d));
    lanes.store(hn::IfThenElse(is_smaller, smaller, hn::Sub(one, smaller)), out + k);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(symmetric_beta_lanes);

void symmetric_beta(double alpha, const double* u, const double* v, double* out, Index n) {
  HWY_DYNAMIC_DISPATCH(symmetric_beta_lanes)(alpha, u, v, out, n);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
