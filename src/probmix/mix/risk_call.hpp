// What one call of the risk is given, whichever route computes it (scalar_risk.hpp, any family;
// batched_risk.hpp, the closed forms).
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/mix/targets.hpp"

namespace probmix {

// The pairs of a call, and the output rows their densities are made of. For pair b and draw k, with
// m = b K + k:
//   fused == false: the density of output row m;
//   fused == true:  output rows b and partner[b], pooled with lambda[m].
struct Pairs {
  Index count = 0;
  Index total = 0;                 // the risk is a mean over this many; for a tile, more than count
  const double* weight = nullptr;  // [count], null: all 1
  bool fused = false;
  const Index* partner = nullptr;  // [count]
  const double* lambda = nullptr;  // [count K]

  // The factor of loss b.
  double factor(Index b) const {
    return (weight == nullptr ? 1.0 : weight[b]) / static_cast<double>(total);
  }
};

template <class Real>
struct RiskCall {
  Pooling pooling;
  Criterion criterion;
  Index draws;  // K
  View<const Real> out;
  Pairs pairs;
  TargetsView targets;
  Real* dout;      // as `out`, overwritten; null: only the value is wanted
  double* memory;  // as much as the route asks for

  bool wants_gradient() const { return dout != nullptr; }
  // The weight of a target of pair b in the risk, mean-log.
  double share(Index b) const {
    const double equal = 1 / static_cast<double>(pairs.total * draws);
    return pairs.weight == nullptr ? equal : equal * pairs.weight[b];
  }
  // The loss of a pair is then a weighted sum of −log p̃_k(ỹ_a).
  bool sums_logs() const {
    return criterion == Criterion::mean_log || (draws == 1 && targets.atoms() == 1);
  }
};

// Hands out parts of a block of memory.
class Carve {
 public:
  explicit Carve(double* memory) : next_(memory) {}
  double* take(Index n) {
    double* const part = next_;
    next_ += n;
    return part;
  }

 private:
  double* next_;
};

}  // namespace probmix
