// With the fused precision p̃ = λ p_i + (1−λ) p_j, weights w_i = λ p_i / p̃, w_j = 1 − w_i, mean
// m = w_i µ_i + w_j µ_j, and for a target of mean y and variance v, ρ = y − m:
//   loss     = ½ (p̃ (v + ρ²) − log p̃) + ½ log 2π
//   ∂loss/∂µ_i = −λ p_i ρ
//   ∂loss/∂p_i = λ ((m − µ_i) ρ + ½ (v + ρ² − 1/p̃)),   m − µ_i = w_j (µ_j − µ_i).
// λ = 1 gives the same bits as row i alone.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/gaussian_risk.cpp"
#include "probmix/kernel/gaussian_risk.hpp"

#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes64-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

constexpr double half_log_2pi = 0.91893853320467274178;

// The loss without its constant.
HWY_INLINE Vec64 half_quadratic(Vec64 precision, Vec64 square, Vec64 log_precision) {
  return hn::Mul(constant64(0.5), hn::MulSub(precision, square, log_precision));
}

// y += v where the mask holds.
template <class L>
HWY_INLINE void add_where(hn::Mask<Lanes64> mask, L lanes, Vec64 v, double* y) {
  lanes.store(hn::Add(lanes.load(y), hn::IfThenElseZero(mask, v)), y);
}

// ρ² + v.
template <class L>
HWY_INLINE Vec64 square_of(L lanes, Vec64 rho, const double* spread, Index b) {
  return spread == nullptr ? hn::Mul(rho, rho) : hn::MulAdd(rho, rho, lanes.load(spread + b));
}

double single_lanes(const GaussianRows& rows, const GaussianTargets& targets) {
  const bool wants_gradient = rows.pull != nullptr;
  Vec64 loss = hn::Zero(Lanes64());
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const Vec64 p = lanes.load(rows.precision + b);
    const Vec64 c = lanes.load(targets.c + b);
    const auto counts = is_not_zero(c);
    const Vec64 rho = hn::Sub(lanes.load(targets.y + b), lanes.load(rows.mean + b));
    const Vec64 square = square_of(lanes, rho, targets.spread, b);
    const Vec64 value = hn::Add(half_quadratic(p, square, log(p)), constant64(half_log_2pi));
    loss = hn::Add(loss, hn::IfThenElseZero(counts, hn::Mul(c, value)));
    if (!wants_gradient) return;
    const Vec64 widen = hn::Mul(constant64(0.5), hn::Sub(square, hn::Div(constant64(1.0), p)));
    add_where(counts, lanes, hn::Mul(c, rho), rows.pull + b);
    add_where(counts, lanes, hn::Mul(c, widen), rows.dprecision + b);
  });
  return sum_of_lanes(loss);
}

double log_linear_lanes(const GaussianRows& rows, const GaussianTargets& targets,
                        const GaussianPartners& partners) {
  const Lanes64 d;
  const bool wants_gradient = rows.pull != nullptr;
  const Vec64 one = constant64(1.0);
  Vec64 loss = hn::Zero(d);
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const VecI64 partner = lanes.load(partners.partner + b);
    const Vec64 lambda = lanes.load(partners.lambda + b);
    const Vec64 rest = hn::Sub(one, lambda);
    const Vec64 mu_i = lanes.load(rows.mean + b);
    const Vec64 mu_j = hn::GatherIndex(d, rows.mean, partner);
    const Vec64 p_i = hn::Mul(lambda, lanes.load(rows.precision + b));
    const Vec64 p_j = hn::Mul(rest, hn::GatherIndex(d, rows.precision, partner));
    const Vec64 p = hn::Add(p_i, p_j);
    const Vec64 variance = hn::Div(one, p);
    const Vec64 w_i = hn::Mul(p_i, variance);
    const Vec64 w_j = hn::Mul(p_j, variance);
    // From the mean of the larger weight: exact where the other has none.
    const Vec64 apart = hn::Sub(mu_j, mu_i);
    const Vec64 mean = hn::IfThenElse(hn::Ge(p_i, p_j), hn::MulAdd(w_j, apart, mu_i),
                                      hn::NegMulAdd(w_i, apart, mu_j));

    const Vec64 c = lanes.load(targets.c + b);
    const auto counts = is_not_zero(c);
    const Vec64 rho = hn::Sub(lanes.load(targets.y + b), mean);
    const Vec64 square = square_of(lanes, rho, targets.spread, b);
    const Vec64 value = hn::Add(half_quadratic(p, square, log(p)), constant64(half_log_2pi));
    loss = hn::Add(loss, hn::IfThenElseZero(counts, hn::Mul(c, value)));
    if (!wants_gradient) return;
    const Vec64 widen = hn::Mul(constant64(0.5), hn::Sub(square, variance));
    const Vec64 along = hn::Mul(apart, rho);
    const Vec64 c_i = hn::Mul(c, lambda);
    const Vec64 c_j = hn::Mul(c, rest);
    add_where(counts, lanes, hn::Mul(c_i, rho), rows.pull + b);
    add_where(counts, lanes, hn::Mul(c_i, hn::MulAdd(w_j, along, widen)), rows.dprecision + b);
    lanes.store(hn::IfThenElseZero(counts, hn::Mul(c_j, rho)), partners.pull_j + b);
    lanes.store(hn::IfThenElseZero(counts, hn::Mul(c_j, hn::NegMulAdd(w_i, along, widen))),
                partners.dprecision_j + b);
  });
  return sum_of_lanes(loss);
}

// The member with mean µ and precision p: its residual, and log p(y) without the constant.
struct LinearMember {
  Vec64 precision, rho, square, log_density;

  HWY_INLINE LinearMember(Vec64 y, Vec64 mean, Vec64 p, Vec64 log_p)
      : precision(p),
        rho(hn::Sub(y, mean)),
        square(hn::Mul(rho, rho)),
        log_density(hn::Neg(half_quadratic(p, square, log_p))) {}

  HWY_INLINE Vec64 widen() const {
    return hn::Mul(constant64(0.5), hn::Sub(square, hn::Div(constant64(1.0), precision)));
  }
};

double linear_lanes(const GaussianRows& rows, const GaussianTargets& targets,
                    const GaussianPartners& partners) {
  const Lanes64 d;
  const bool wants_gradient = rows.pull != nullptr;
  LogWeights weights;
  Vec64 loss = hn::Zero(d);
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const VecI64 partner = lanes.load(partners.partner + b);
    weights.update(lanes.load(partners.lambda + b));
    const Vec64 y = lanes.load(targets.y + b);
    const LinearMember i(y, lanes.load(rows.mean + b), lanes.load(rows.precision + b),
                         lanes.load(rows.log_precision + b));
    const LinearMember j(y, hn::GatherIndex(d, rows.mean, partner),
                         hn::GatherIndex(d, rows.precision, partner),
                         hn::GatherIndex(d, rows.log_precision, partner));
    const LogMixture mixture(weights, i.log_density, j.log_density);

    const Vec64 c = lanes.load(targets.c + b);
    const auto counts = is_not_zero(c);
    const Vec64 value = hn::Sub(constant64(half_log_2pi), mixture.sum);
    loss = hn::Add(loss, hn::IfThenElseZero(counts, hn::Mul(c, value)));
    if (!wants_gradient) return;
    const Vec64 c_i = hn::Mul(c, mixture.share_a);
    const Vec64 c_j = hn::Mul(c, mixture.share_b);
    add_where(counts, lanes, hn::Mul(c_i, i.rho), rows.pull + b);
    add_where(counts, lanes, hn::Mul(c_i, i.widen()), rows.dprecision + b);
    lanes.store(hn::IfThenElseZero(counts, hn::Mul(c_j, j.rho)), partners.pull_j + b);
    lanes.store(hn::IfThenElseZero(counts, hn::Mul(c_j, j.widen())), partners.dprecision_j + b);
  });
  return sum_of_lanes(loss);
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(single_lanes);
HWY_EXPORT(log_linear_lanes);
HWY_EXPORT(linear_lanes);

double gaussian_single(const GaussianRows& rows, const GaussianTargets& targets) {
  return HWY_DYNAMIC_DISPATCH(single_lanes)(rows, targets);
}
double gaussian_log_linear(const GaussianRows& rows, const GaussianTargets& targets,
                           const GaussianPartners& partners) {
  return HWY_DYNAMIC_DISPATCH(log_linear_lanes)(rows, targets, partners);
}
double gaussian_linear(const GaussianRows& rows, const GaussianTargets& targets,
                       const GaussianPartners& partners) {
  return HWY_DYNAMIC_DISPATCH(linear_lanes)(rows, targets, partners);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
