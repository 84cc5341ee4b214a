// The risk of fused densities for fused targets, and its gradient: the expected negative
// log-likelihood of the paper, for every family, pooling and criterion at once.
//
// With p̃_k the density of draw k of pair b (density.hpp), and atoms ỹ_a of weight w_ka
// (targets.hpp):
//   mean-log:  loss_b = −1/K Σ_ka w_ka log p̃_k(ỹ_a),   r_ka = w_ka / K,
//   log-mean:  loss_b = −log 1/K Σ_ka w_ka p̃_k(ỹ_a),   r_ka ∝ w_ka p̃_k(ỹ_a), Σ r = 1,
// and for both ∂loss_b/∂φ̃_k = −Σ_a r_ka ∂log p̃_k(ỹ_a)/∂φ̃_k, for exponential families
// Σ_a r_ka (∇A(φ̃_k) − T(ỹ_a)).
#pragma once

#include <string_view>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/mix/risk_call.hpp"
#include "probmix/mix/targets.hpp"

namespace probmix {

// Throws a UsageError for a family that is not exponential, whose densities cannot be pooled
// log-linearly.
[[noreturn]] void throw_not_poolable(std::string_view family);
void check_poolable(const Family& family, Pooling pooling);

class Risk {
 public:
  Risk(const Family& family, Pooling pooling, Criterion criterion, int draws);

  // The memory of one call at a time, for at most `max_rows` output rows.
  class Scratch {
   public:
    Scratch(const Risk& risk, Index max_rows);

   private:
    friend Risk;
    Index max_rows_;
    AlignedVector<double> memory_;
  };

  // (1 / pairs.total) Σ_b weight_b loss_b over pairs.count pairs; pairs of weight 0 are left out,
  // and so are atoms of weight 0. Overwrites dout, which has the shape of `out`, with the gradient
  // of this sum, unless it is null (only the value is wanted).
  //
  // Throws as check_poolable() does if pairs are fused.
  // Several threads may call one Risk, each with a Scratch of its own.
  template <class Real>
  double operator()(View<const Real> out, const Pairs& pairs, const TargetsView& targets,
                    Real* dout, Scratch& scratch) const;

 private:
  Family family_;
  Pooling pooling_;
  Criterion criterion_;
  Index draws_;
};

}  // namespace probmix
