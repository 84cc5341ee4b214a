// categorical_risk: log-normalisers, losses and gradients of many pairs, one class after another.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "probmix/kernel/categorical_risk.cpp"
#include "probmix/kernel/categorical_risk.hpp"

#include <hwy/foreach_target.h>

#include "probmix/kernel/lanes64-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace probmix::kernel {
namespace HWY_NAMESPACE {

static_assert(HWY_MAX_BYTES / sizeof(double) <= max_lanes);

// The softmax of one vector of rows; φ_k and e^(φ_k − max) stay in `work`.
class SoftmaxLanes {
 public:
  template <class Load>
  HWY_INLINE SoftmaxLanes(Index classes, double* work, const Load& load)
      : phi_(work), e_(work + classes * static_cast<Index>(hn::Lanes(Lanes64()))) {
    const Lanes64 d;
    Vec64 largest = load(0);
    for (Index k = 0; k < classes; ++k) {
      const Vec64 phi = load(k);
      hn::StoreU(phi, d, phi_ + at(k));
      largest = hn::Max(largest, phi);  // may lose a NaN, which the sum then has
    }
    Vec64 sum = hn::Zero(d);
    for (Index k = 0; k < classes; ++k) {
      const Vec64 e = exp(hn::Sub(phi(k), largest));
      hn::StoreU(e, d, e_ + at(k));
      sum = hn::Add(sum, e);
    }
    scale_ = hn::Div(constant64(1.0), sum);
    log_normaliser_ = hn::Add(largest, log(sum));
  }

  HWY_INLINE Vec64 log_p(Index k) const { return hn::Sub(phi(k), log_normaliser_); }
  HWY_INLINE Vec64 p(Index k) const { return hn::Mul(hn::LoadU(Lanes64(), e_ + at(k)), scale_); }

 private:
  static HWY_INLINE Index at(Index k) { return k * static_cast<Index>(hn::Lanes(Lanes64())); }
  HWY_INLINE Vec64 phi(Index k) const { return hn::LoadU(Lanes64(), phi_ + at(k)); }

  double* phi_;
  double* e_;
  Vec64 scale_, log_normaliser_;
};

void log_softmax_lanes(Index classes, Index n, ClassTable phi, ClassTable log_p, ClassTable p,
                       double* work) {
  for_lanes<double>(n, [&](auto lanes, Index r) HWY_ATTR {
    const SoftmaxLanes softmax(classes, work,
                               [&](Index k) HWY_ATTR { return lanes.load(phi.of(k) + r); });
    for (Index k = 0; k < classes; ++k) {
      lanes.store(softmax.log_p(k), log_p.of(k) + r);
      lanes.store(softmax.p(k), p.of(k) + r);
    }
  });
}

// Σ_k c_k (−log p_k), and Σ_k c_k.
struct ClassLoss {
  Vec64 loss, total;

  HWY_INLINE ClassLoss() : loss(hn::Zero(Lanes64())), total(hn::Zero(Lanes64())) {}
  HWY_INLINE void add(Vec64 c, Vec64 log_p) {
    loss = hn::Sub(loss, hn::IfThenElseZero(is_not_zero(c), hn::Mul(c, log_p)));
    total = hn::Add(total, c);
  }
};

// ∂/∂φ_k, 0 for a target that is left out.
HWY_INLINE Vec64 class_gradient(Vec64 total, Vec64 p, Vec64 c) {
  return hn::IfThenElseZero(is_not_zero(total), hn::MulSub(total, p, c));
}

// The loss of one vector of targets for the logits that load(k) gives; put(k, g) takes ∂/∂φ_k.
template <class L, class Load, class Put>
HWY_INLINE Vec64 class_loss(L lanes, const ClassTargets& targets, Index b, double* work,
                            bool wants_gradient, const Load& load, const Put& put) {
  const SoftmaxLanes softmax(targets.classes, work, load);
  ClassLoss sums;
  for (Index k = 0; k < targets.classes; ++k) {
    sums.add(lanes.load(targets.c.of(k) + b), softmax.log_p(k));
  }
  for (Index k = 0; wants_gradient && k < targets.classes; ++k) {
    put(k, class_gradient(sums.total, softmax.p(k), lanes.load(targets.c.of(k) + b)));
  }
  return sums.loss;
}

double class_single_lanes(const ClassTargets& targets, ClassTable phi, ClassTable dphi,
                          double* work) {
  Vec64 loss = hn::Zero(Lanes64());
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const auto load = [&](Index k) HWY_ATTR { return lanes.load(phi.of(k) + b); };
    const auto put = [&](Index k, Vec64 g) HWY_ATTR {
      lanes.store(hn::Add(lanes.load(dphi.of(k) + b), g), dphi.of(k) + b);
    };
    loss = hn::Add(loss, class_loss(lanes, targets, b, work, dphi.data != nullptr, load, put));
  });
  return sum_of_lanes(loss);
}

double class_log_linear_lanes(const ClassTargets& targets, const ClassPartners& partners,
                              ClassTable phi, ClassTable dphi, ClassTable dphi_j, double* work) {
  const Lanes64 d;
  Vec64 loss = hn::Zero(d);
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const VecI64 partner = lanes.load(partners.partner + b);
    const Vec64 lambda = lanes.load(partners.lambda + b);
    const Vec64 rest = hn::Sub(constant64(1.0), lambda);
    const auto load = [&](Index k) HWY_ATTR {
      return hn::MulAdd(lambda, lanes.load(phi.of(k) + b),
                        hn::Mul(rest, hn::GatherIndex(d, phi.of(k), partner)));
    };
    const auto put = [&](Index k, Vec64 g) HWY_ATTR {
      lanes.store(hn::MulAdd(lambda, g, lanes.load(dphi.of(k) + b)), dphi.of(k) + b);
      lanes.store(hn::Mul(rest, g), dphi_j.of(k) + b);
    };
    loss = hn::Add(loss, class_loss(lanes, targets, b, work, dphi.data != nullptr, load, put));
  });
  return sum_of_lanes(loss);
}

double class_linear_lanes(const ClassTargets& targets, const ClassPartners& partners,
                          ClassTable log_p, ClassTable gained, double* total, ClassTable gained_j,
                          double* total_j) {
  const Lanes64 d;
  const bool wants_gradient = gained.data != nullptr;
  LogWeights weights;
  Vec64 loss = hn::Zero(d);
  for_lanes<double>(targets.count, [&](auto lanes, Index b) HWY_ATTR {
    const VecI64 partner = lanes.load(partners.partner + b);
    weights.update(lanes.load(partners.lambda + b));
    Vec64 total_here = hn::Zero(d);
    Vec64 total_there = hn::Zero(d);
    for (Index k = 0; k < targets.classes; ++k) {
      const Vec64 c = lanes.load(targets.c.of(k) + b);
      const auto counts = is_not_zero(c);
      Vec64 here = hn::Zero(d);
      Vec64 there = hn::Zero(d);
      if (!hn::AllFalse(d, counts)) {
        const LogMixture mixture(weights, lanes.load(log_p.of(k) + b),
                                 hn::GatherIndex(d, log_p.of(k), partner));
        loss = hn::Sub(loss, hn::IfThenElseZero(counts, hn::Mul(c, mixture.sum)));
        here = hn::IfThenElseZero(counts, hn::Mul(c, mixture.share_a));
        there = hn::IfThenElseZero(counts, hn::Mul(c, mixture.share_b));
      }
      if (!wants_gradient) continue;
      total_here = hn::Add(total_here, here);
      total_there = hn::Add(total_there, there);
      lanes.store(hn::Add(lanes.load(gained.of(k) + b), here), gained.of(k) + b);
      lanes.store(there, gained_j.of(k) + b);
    }
    if (!wants_gradient) return;
    lanes.store(hn::Add(lanes.load(total + b), total_here), total + b);
    lanes.store(total_there, total_j + b);
  });
  return sum_of_lanes(loss);
}

void class_linear_backward_lanes(Index classes, Index n, ClassTable p, const double* total,
                                 ClassTable gained, ClassTable dphi) {
  for (Index k = 0; k < classes; ++k) {
    for_lanes<double>(n, [&](auto lanes, Index r) HWY_ATTR {
      lanes.store(class_gradient(lanes.load(total + r), lanes.load(p.of(k) + r),
                                 lanes.load(gained.of(k) + r)),
                  dphi.of(k) + r);
    });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace probmix::kernel
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace probmix::kernel {

HWY_EXPORT(log_softmax_lanes);
HWY_EXPORT(class_single_lanes);
HWY_EXPORT(class_log_linear_lanes);
HWY_EXPORT(class_linear_lanes);
HWY_EXPORT(class_linear_backward_lanes);

void log_softmax(Index classes, Index n, ClassTable phi, ClassTable log_p, ClassTable p,
                 double* work) {
  HWY_DYNAMIC_DISPATCH(log_softmax_lanes)(classes, n, phi, log_p, p, work);
}

double categorical_single(const ClassTargets& targets, ClassTable phi, ClassTable dphi,
                          double* work) {
  return HWY_DYNAMIC_DISPATCH(class_single_lanes)(targets, phi, dphi, work);
}

double categorical_log_linear(const ClassTargets& targets, const ClassPartners& partners,
                              ClassTable phi, ClassTable dphi, ClassTable dphi_j, double* work) {
  return HWY_DYNAMIC_DISPATCH(class_log_linear_lanes)(targets, partners, phi, dphi, dphi_j, work);
}

double categorical_linear(const ClassTargets& targets, const ClassPartners& partners,
                          ClassTable log_p, ClassTable gained, double* total, ClassTable gained_j,
                          double* total_j) {
  return HWY_DYNAMIC_DISPATCH(class_linear_lanes)(targets, partners, log_p, gained, total, gained_j,
                                                  total_j);
}

void categorical_linear_backward(Index classes, Index n, ClassTable p, const double* total,
                                 ClassTable gained, ClassTable dphi) {
  HWY_DYNAMIC_DISPATCH(class_linear_backward_lanes)(classes, n, p, total, gained, dphi);
}

}  // namespace probmix::kernel
#endif  // HWY_ONCE
