// The risk of Gaussians, a coordinate at a time: their losses add up.
#include <algorithm>

#include "probmix/kernel/gaussian_risk.hpp"
#include "probmix/mix/batched_risk.hpp"
#include "probmix/mix/packed_targets.hpp"

namespace probmix {

namespace {

// The rows' densities in one coordinate, and the gradients they gather.
struct Coordinate {
  Coordinate(Carve& carve, Index rows)
      : mean(carve.take(rows)),
        precision(carve.take(rows)),
        slope(carve.take(rows)),
        log_precision(carve.take(rows)),
        pull(carve.take(rows)),
        dprecision(carve.take(rows)) {}
  static constexpr Index arrays = 6;

  double *mean, *precision, *slope, *log_precision, *pull, *dprecision;
};

// What partners gain from one draw.
struct Gains {
  Gains(Carve& carve, Index rows) : pull_j(carve.take(rows)), dprecision_j(carve.take(rows)) {}
  static constexpr Index arrays = 2;

  double *pull_j, *dprecision_j;
};

template <class Real>
class GaussianRisk {
 public:
  GaussianRisk(const Gaussian& family, const RiskCall<Real>& call)
      : family_(family),
        call_(call),
        carve_(call.memory),
        at_(carve_, call.out.rows),
        gains_(carve_, call.out.rows),
        targets_(call, carve_) {}

  double operator()() {
    double loss = 0;
    for (Index q = 0; q < family_.d; ++q) {
      link(q);
      loss += coordinate_loss(q);
      if (call_.wants_gradient()) link_backward(q);
    }
    return loss;
  }

 private:
  bool linear() const { return call_.pairs.fused && call_.pooling == Pooling::linear; }

  kernel::GaussianColumns columns(Index q) const {
    return {call_.out.cols, q, family_.homoscedastic ? family_.d : family_.d + q};
  }

  void link(Index q) {
    const Index n = call_.out.rows;
    double* const s = gains_.pull_j;  // free until the first loss
    kernel::gaussian_split(columns(q), call_.out.data, at_.mean, s, n);
    const Positive& positive = family_.positive;
    kernel::gaussian_link(
        {positive.kind == Positive::Kind::softplus, positive.floor, exp_tangent_from}, s,
        at_.precision, at_.slope, n);
    if (linear()) kernel::gaussian_log_precision(at_.precision, at_.log_precision, n);
    if (call_.wants_gradient()) {
      std::fill_n(at_.pull, n, 0.0);
      // Coordinates that share one s add up: the last one's link_backward sees the sum.
      if (q == 0 || !family_.homoscedastic) std::fill_n(at_.dprecision, n, 0.0);
    }
  }

  void link_backward(Index q) {
    kernel::gaussian_join(columns(q), {at_.precision, at_.pull, at_.slope, at_.dprecision},
                          call_.dout, call_.out.rows);
  }

  double coordinate_loss(Index q) {
    const kernel::GaussianRows rows{at_.mean, at_.precision, at_.log_precision,
                                    call_.wants_gradient() ? at_.pull : nullptr, at_.dprecision};
    const Pairs& pairs = call_.pairs;
    if (!pairs.fused) {
      return kernel::gaussian_single(rows, targets_.moments(q, targets_.all_draws()));
    }
    double loss = 0;
    for (Index k = 0; k < call_.draws; ++k) {
      const kernel::GaussianPartners partners{pairs.partner, targets_.lambda(k), gains_.pull_j,
                                              gains_.dprecision_j};
      if (linear()) {
        for (Index a = 0; a < call_.targets.atoms(); ++a) {
          loss += kernel::gaussian_linear(rows, targets_.atom(q, a, {k, k + 1}), partners);
          scatter();
        }
      } else {
        loss += kernel::gaussian_log_linear(rows, targets_.moments(q, {k, k + 1}), partners);
        scatter();
      }
    }
    return loss;
  }

  void scatter() {
    if (!call_.wants_gradient()) return;
    const Pairs& pairs = call_.pairs;
    double* const pull = at_.pull;
    double* const dprecision = at_.dprecision;
    for (Index b = 0; b < pairs.count; ++b) {
      const Index j = pairs.partner[b];
      pull[j] += gains_.pull_j[b];
      dprecision[j] += gains_.dprecision_j[b];
    }
  }

  const Gaussian& family_;
  const RiskCall<Real>& call_;
  Carve carve_;
  Coordinate at_;
  Gains gains_;
  PackedTargets<Real> targets_;
};

}  // namespace

Index batched_risk_memory(const Gaussian&, Index rows) {
  return (Coordinate::arrays + Gains::arrays + PackedTargets<double>::arrays) * rows;
}

template <class Real>
double batched_risk(const Gaussian& family, const RiskCall<Real>& call) {
  return GaussianRisk<Real>(family, call)();
}

template double batched_risk(const Gaussian&, const RiskCall<float>&);
template double batched_risk(const Gaussian&, const RiskCall<double>&);

}  // namespace probmix
