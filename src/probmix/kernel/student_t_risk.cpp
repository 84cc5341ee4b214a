// With ρ = y − µ, z² = p ρ², ℓ = log(1 + z²/ν) and the pull h = (ν + 1) / (ν + z²), which is 1 for
// a Gaussian and less for an outlier:
//   −log p(y) = −c(ν) − ½ log p + ½ (ν + 1) ℓ
//   ∂/∂µ = −h p ρ,   ∂/∂p = ½ (h ρ² − 1/p),   ∂/∂ν = −c'(ν) + ½ (ℓ − h z² / ν).
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/student_t_risk.cpp"
#include "probmix/kernel/student_t_risk.hpp"

#include <hwy/foreach_target.h>

#include <limits>

#include "probmix/kernel/lanes64-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

// log(1 + x), x >= 0; ∞ for ∞ and NaN for NaN, which Highway's own lacks.
HWY_INLINE Vec64 log1p(Vec64 x) {
  const Vec64 infinity = constant64(std::numeric_limits<double>::infinity());
  return hn::IfThenElse(hn::Lt(x, infinity), hn::Log1p(Lanes64(), x), x);
}

// The a_k in log Γ(x + ½) − log Γ(x) = ½ log x + Σ_k a_k x^(1−2k) (DLMF 5.11.8).
constexpr double series[] = {-1.0 / 8,     1.0 / 192,     -1.0 / 640,
                             17.0 / 14336, -31.0 / 18432, 691.0 / 180224};
constexpr int shift = 8;  // the series is used at x + 8, where six terms are exact to 5e-15

// c(ν) = log Γ((ν+1)/2) − log Γ(ν/2) − ½ log νπ and its slope, by Γ(x + 1) = x Γ(x).
struct LogConstant {
  Vec64 value, slope;

  HWY_INLINE explicit LogConstant(Vec64 freedom) {
    const Vec64 half = constant64(0.5), one = constant64(1.0);
    // c has its limit long before.
    const Vec64 x = hn::Min(hn::Mul(half, freedom), constant64(1e15));
    Vec64 ratio = one, steps = hn::Zero(Lanes64());
    for (int k = 0; k < shift; ++k) {
      const Vec64 whole = hn::Add(x, constant64(k)), next = hn::Add(whole, half);
      const Vec64 inverse = hn::Div(one, next);
      ratio = hn::Mul(ratio, hn::Mul(whole, inverse));
      steps = hn::Add(steps, hn::Div(inverse, whole));
    }
    const Vec64 far = hn::Add(x, constant64(shift));
    const Vec64 w = hn::Div(one, far), w2 = hn::Mul(w, w);
    Vec64 sum = constant64(series[5]), dsum = constant64(11 * series[5]);
    for (int k = 4; k >= 0; --k) {
      sum = hn::MulAdd(sum, w2, constant64(series[k]));
      dsum = hn::MulAdd(dsum, w2, constant64((2 * k + 1) * series[k]));
    }
    const Vec64 two_pi = constant64(6.28318530717958647693);
    const Vec64 inside = hn::Div(hn::Mul(far, hn::Mul(ratio, ratio)), hn::Mul(two_pi, x));
    value = hn::MulAdd(half, log(inside), hn::Mul(w, sum));
    // Half of ψ(x + ½) − ψ(x) − 1/2x.
    const Vec64 gain = hn::NegMulAdd(w2, dsum, hn::Mul(half, hn::Add(w, steps)));
    slope = hn::Mul(half, hn::Sub(gain, hn::Div(half, x)));
  }
};

void freedom_lanes(const FreedomLink& link, const double* w, const FreedomColumns& to, Index n) {
  const Vec64 one = constant64(1.0), unit = constant64(link.unit);
  for_lanes<double>(n, [&](auto lanes, Index r) HWY_ATTR {
    const Vec64 x = lanes.load(w + r);
    const auto negative = hn::Lt(x, hn::Zero(Lanes64()));
    const Vec64 e = exp(hn::Neg(hn::Abs(x)));
    const Vec64 softplus = hn::Add(hn::IfThenZeroElse(negative, x), log1p(e));
    const Vec64 sigmoid = hn::Div(hn::IfThenElse(negative, e, one), hn::Add(one, e));
    const Vec64 freedom = hn::MulAdd(unit, softplus, constant64(link.smallest));
    const LogConstant constant(freedom);
    lanes.store(freedom, to.freedom + r);
    lanes.store(hn::Mul(unit, sigmoid), to.slope + r);
    lanes.store(constant.value, to.constant + r);
    lanes.store(constant.slope, to.constant_slope + r);
  });
}

struct StudentTMember {
  Vec64 precision, freedom, rho, square, excess, pull, log_excess, log_density;

  HWY_INLINE StudentTMember(Vec64 y, Vec64 mean, Vec64 p, Vec64 nu, Vec64 peak)
      : precision(p), freedom(nu), rho(hn::Sub(y, mean)), square(hn::Mul(rho, rho)) {
    const Vec64 one = constant64(1.0);
    const Vec64 inverse = hn::Div(one, nu);
    excess = hn::Mul(hn::Mul(p, square), inverse);  // z²/ν
    log_excess = log1p(excess);
    pull = hn::Div(hn::Add(one, inverse), hn::Add(one, excess));
    const Vec64 half = hn::MulAdd(constant64(0.5), nu, constant64(0.5));
    log_density = hn::NegMulAdd(half, log_excess, peak);
  }

  HWY_INLINE Vec64 pulled() const { return hn::Mul(pull, rho); }
  HWY_INLINE Vec64 widen() const {
    const Vec64 inverse = hn::Div(constant64(1.0), precision);
    return hn::Mul(constant64(0.5), hn::MulSub(pull, square, inverse));
  }
  HWY_INLINE Vec64 thin() const {
    return hn::Mul(constant64(0.5), hn::NegMulAdd(pull, excess, log_excess));
  }
};

// The gradients of a density that takes this share of the loss; silent where the target does not
// count.
struct Share {
  hn::Mask<Lanes64> counts;
  Vec64 c;

  HWY_INLINE Vec64 of(Vec64 v) const { return hn::IfThenElseZero(counts, hn::Mul(c, v)); }
  template <class L>
  HWY_INLINE void add(L lanes, Vec64 v, double* y) const {
    lanes.store(hn::Add(lanes.load(y), of(v)), y);
  }
};

template <class L>
HWY_INLINE void add_gradient(L lanes, const Share& share, const StudentTMember& of,
                             const StudentTRows& rows, Index b) {
  share.add(lanes, of.pulled(), rows.pull + b);
  share.add(lanes, of.widen(), rows.dprecision + b);
  share.add(lanes, of.thin(), rows.dfreedom + b);
  share.add(lanes, constant64(1.0), rows.share + b);
}

double single_lanes(const StudentTRows& rows, const GaussianTargets& targets) {
  Vec64 loss = hn::Zero(Lanes64());
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const StudentTMember of(lanes.load(targets.y + b), lanes.load(rows.mean + b),
                            lanes.load(rows.precision + b), lanes.load(rows.freedom + b),
                            lanes.load(rows.peak + b));
    const Vec64 c = lanes.load(targets.c + b);
    const Share all{is_not_zero(c), c};
    loss = hn::Sub(loss, all.of(of.log_density));
    if (rows.pull != nullptr) add_gradient(lanes, all, of, rows, b);
  });
  return sum_of_lanes(loss);
}

double linear_lanes(const StudentTRows& rows, const GaussianTargets& targets,
                    const StudentTPartners& partners) {
  const Lanes64 d;
  LogWeights weights;
  Vec64 loss = hn::Zero(d);
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const VecI64 partner = lanes.load(partners.partner + b);
    weights.update(lanes.load(partners.lambda + b));
    const Vec64 y = lanes.load(targets.y + b);
    const StudentTMember i(y, lanes.load(rows.mean + b), lanes.load(rows.precision + b),
                           lanes.load(rows.freedom + b), lanes.load(rows.peak + b));
    const StudentTMember j(
        y, hn::GatherIndex(d, rows.mean, partner), hn::GatherIndex(d, rows.precision, partner),
        hn::GatherIndex(d, rows.freedom, partner), hn::GatherIndex(d, rows.peak, partner));
    const LogMixture mixture(weights, i.log_density, j.log_density);
    const Vec64 c = lanes.load(targets.c + b);
    const auto counts = is_not_zero(c);
    loss = hn::Sub(loss, Share{counts, c}.of(mixture.sum));
    if (rows.pull == nullptr) return;
    add_gradient(lanes, {counts, hn::Mul(c, mixture.share_a)}, i, rows, b);
    const Share share_j{counts, hn::Mul(c, mixture.share_b)};
    lanes.store(share_j.of(j.pulled()), partners.pull_j + b);
    lanes.store(share_j.of(j.widen()), partners.dprecision_j + b);
    lanes.store(share_j.of(j.thin()), partners.dfreedom_j + b);
    lanes.store(share_j.of(constant64(1.0)), partners.share_j + b);
  });
  return sum_of_lanes(loss);
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(freedom_lanes);
HWY_EXPORT(single_lanes);
HWY_EXPORT(linear_lanes);

void student_t_freedom(const FreedomLink& link, const double* w, const FreedomColumns& to,
                       Index n) {
  HWY_DYNAMIC_DISPATCH(freedom_lanes)(link, w, to, n);
}
double student_t_single(const StudentTRows& rows, const GaussianTargets& targets) {
  return HWY_DYNAMIC_DISPATCH(single_lanes)(rows, targets);
}
double student_t_linear(const StudentTRows& rows, const GaussianTargets& targets,
                        const StudentTPartners& partners) {
  return HWY_DYNAMIC_DISPATCH(linear_lanes)(rows, targets, partners);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
