// The risk of Gaussians, a coordinate at a time: their losses add up.
#include <algorithm>

#include "probmix/kernel/gaussian_risk.hpp"
#include "probmix/mix/batched_risk.hpp"

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

// The targets of one draw in one coordinate, and what partners gain.
struct Items {
  Items(Carve& carve, Index rows)
      : c(carve.take(rows)),
        pull_j(carve.take(rows)),
        dprecision_j(carve.take(rows)),
        y(carve.take(rows)),
        spread(carve.take(rows)),
        lambda(carve.take(rows)) {}
  static constexpr Index arrays = 6;

  double *c, *pull_j, *dprecision_j;
  double *y, *spread, *lambda;  // where the targets do not already have them in this order
};

template <class Real>
class GaussianRisk {
 public:
  GaussianRisk(const Gaussian& family, const RiskCall<Real>& call)
      : family_(family),
        call_(call),
        carve_(call.memory),
        at_(carve_, call.out.rows),
        items_(carve_, call.out.rows) {}

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
    double* const s = items_.pull_j;  // free until the first loss
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
    if (!pairs.fused) return kernel::gaussian_single(rows, pack_targets(q, {0, call_.draws}));
    double loss = 0;
    kernel::GaussianPartners partners{pairs.partner, pairs.lambda, items_.pull_j,
                                      items_.dprecision_j};
    for (Index k = 0; k < call_.draws; ++k) {
      const Draws draw{k, k + 1};
      if (call_.draws > 1) {
        for_targets(draw,
                    [&](Index item, Index, Index m) { items_.lambda[item] = pairs.lambda[m]; });
        partners.lambda = items_.lambda;
      }
      if (linear()) {
        for (Index a = 0; a < call_.targets.atoms(); ++a) {
          loss += kernel::gaussian_linear(rows, pack_atom(q, a, draw), partners);
          scatter();
        }
      } else {
        loss += kernel::gaussian_log_linear(rows, pack_targets(q, draw), partners);
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
      pull[j] += items_.pull_j[b];
      dprecision[j] += items_.dprecision_j[b];
    }
  }

  struct Draws {
    Index first, last;
  };

  // use(item, b, m) for the targets m of the given draws of all pairs b; items count them.
  template <class Use>
  void for_targets(Draws draws, Use use) const {
    const Index count = call_.pairs.count;
    if (call_.draws == 1) {
      for (Index b = 0; b < count; ++b) use(b, b, b);
      return;
    }
    Index item = 0;
    for (Index b = 0; b < count; ++b) {
      for (Index k = draws.first; k < draws.last; ++k) use(item++, b, b * call_.draws + k);
    }
  }

  Index count(Draws draws) const { return call_.pairs.count * (draws.last - draws.first); }

  kernel::GaussianTargets pack_atom(Index q, Index a, Draws draws) {
    const View<const double> weight = call_.targets.weight;
    const View<const double> y = call_.targets.y;
    double* const c = items_.c;
    for_targets(draws,
                [&](Index item, Index b, Index m) { c[item] = call_.share(b) * weight(m, a); });
    const bool all_draws = draws.last - draws.first == call_.draws;
    const bool in_order = all_draws && weight.cols == 1 && y.cols == 1;
    if (in_order) return {count(draws), c, y.data, nullptr};
    double* const to = items_.y;
    for_targets(draws, [&](Index item, Index, Index m) { to[item] = y(m * weight.cols + a, q); });
    return {count(draws), c, to, nullptr};
  }

  // The loss of a Gaussian only needs a target's total weight, mean and variance.
  kernel::GaussianTargets pack_targets(Index q, Draws draws) {
    const TargetsView& targets = call_.targets;
    const Index atoms = targets.atoms();
    if (atoms == 1) return pack_atom(q, 0, draws);
    for_targets(draws, [&](Index item, Index b, Index m) {
      const double* const weight = targets.weight.row(m);
      double total = 0;
      double sum = 0;
      double squares = 0;
      for (Index a = 0; a < atoms; ++a) {
        if (weight[a] == 0) continue;
        total += weight[a];
        sum += weight[a] * targets.y(m * atoms + a, q);
      }
      const double mean = total == 0 ? 0 : sum / total;
      for (Index a = 0; a < atoms; ++a) {
        if (weight[a] == 0) continue;
        const double apart = targets.y(m * atoms + a, q) - mean;
        squares += weight[a] * apart * apart;
      }
      items_.c[item] = call_.share(b) * total;
      items_.y[item] = mean;
      items_.spread[item] = total == 0 ? 0 : squares / total;
    });
    return {count(draws), items_.c, items_.y, items_.spread};
  }

  const Gaussian& family_;
  const RiskCall<Real>& call_;
  Carve carve_;
  Coordinate at_;
  Items items_;
};

}  // namespace

Index batched_risk_memory(const Gaussian&, Index rows) {
  return (Coordinate::arrays + Items::arrays) * rows;
}

template <class Real>
double batched_risk(const Gaussian& family, const RiskCall<Real>& call) {
  return GaussianRisk<Real>(family, call)();
}

template double batched_risk(const Gaussian&, const RiskCall<float>&);
template double batched_risk(const Gaussian&, const RiskCall<double>&);

}  // namespace probmix
