// The targets of a call as the kernels take them: arrays with an entry for each target of some
// draws.
#pragma once

#include "probmix/kernel/gaussian_risk.hpp"
#include "probmix/mix/risk_call.hpp"

namespace probmix {

template <class Real>
class PackedTargets {
 public:
  struct Draws {
    Index first, last;
  };

  PackedTargets(const RiskCall<Real>& call, Carve& carve)
      : call_(call),
        c_(carve.take(call.out.rows)),
        y_(carve.take(call.out.rows)),
        spread_(carve.take(call.out.rows)),
        lambda_(carve.take(call.out.rows)) {}
  static constexpr Index arrays = 4;  // of as many numbers as there are output rows

  Draws all_draws() const { return {0, call_.draws}; }

  // λ of one draw of all pairs.
  const double* lambda(Index draw) const {
    if (call_.draws == 1) return call_.pairs.lambda;
    for_targets({draw, draw + 1},
                [&](Index item, Index, Index m) { lambda_[item] = call_.pairs.lambda[m]; });
    return lambda_;
  }

  // Atom a of response q.
  kernel::GaussianTargets atom(Index q, Index a, Draws draws) const {
    const View<const double> weight = call_.targets.weight;
    const View<const double> y = call_.targets.y;
    for_targets(draws,
                [&](Index item, Index b, Index m) { c_[item] = call_.share(b) * weight(m, a); });
    const bool has_all_draws = draws.last - draws.first == call_.draws;
    const bool in_order = has_all_draws && weight.cols == 1 && y.cols == 1;
    if (in_order) return {count(draws), c_, y.data, nullptr};
    for_targets(draws, [&](Index item, Index, Index m) { y_[item] = y(m * weight.cols + a, q); });
    return {count(draws), c_, y_, nullptr};
  }

  // All atoms of response q, as their total weight, mean and variance.
  kernel::GaussianTargets moments(Index q, Draws draws) const {
    const TargetsView& targets = call_.targets;
    const Index atoms = targets.atoms();
    if (atoms == 1) return atom(q, 0, draws);
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
      c_[item] = call_.share(b) * total;
      y_[item] = mean;
      spread_[item] = total == 0 ? 0 : squares / total;
    });
    return {count(draws), c_, y_, spread_};
  }

 private:
  // use(item, b, m) for the targets m of the given draws of all pairs b; items count them.
  template <class Use>
  void for_targets(Draws draws, Use use) const {
    const Index pairs = call_.pairs.count;
    if (call_.draws == 1) {
      for (Index b = 0; b < pairs; ++b) use(b, b, b);
      return;
    }
    Index item = 0;
    for (Index b = 0; b < pairs; ++b) {
      for (Index k = draws.first; k < draws.last; ++k) use(item++, b, b * call_.draws + k);
    }
  }

  Index count(Draws draws) const { return call_.pairs.count * (draws.last - draws.first); }

  const RiskCall<Real>& call_;
  double *c_, *y_, *spread_, *lambda_;
};

}  // namespace probmix
