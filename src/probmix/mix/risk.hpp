// The risk of fused densities for fused targets, and its gradient: the expected negative
// log-likelihood of the paper, for every family, pooling and criterion at once.
//
// With p̃_k the density of draw k of pair b (density.hpp), and atoms ỹ_a of weight w_ka
// (targets.hpp):
//   mean-log:  loss_b = −1/K Σ_ka w_ka log p̃_k(ỹ_a),   r_ka = w_ka / K,
//   log-mean:  loss_b = −log 1/K Σ_ka w_ka p̃_k(ỹ_a),   r_ka ∝ w_ka p̃_k(ỹ_a), Σ r = 1,
// and for both ∂loss_b/∂φ̃_k = Σ_a r_ka (∇A(φ̃_k) − T(ỹ_a)).
#pragma once

#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"
#include "probmix/mix/density.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/mix/targets.hpp"

namespace probmix {

class Risk {
 public:
  Risk(const Family& family, Pooling pooling, Criterion criterion, int draws, Index max_rows);

  // Mean over `count` pairs of weight_b loss_b (weight null: all 1). Overwrites dout, which has the
  // shape of `out`, unless it is null (only the value is wanted).
  template <class Real>
  double operator()(View<const Real> out, const Pairs& pairs, Index count, const Targets& targets,
                    const double* weight, Real* dout);

 private:
  Family family_;
  Pooling pooling_;
  Criterion criterion_;
  Index draws_;
  Index naturals_;
  Matrix<double> phi_;           // natural parameters of the output rows
  Matrix<double> dphi_;          // and their gradients
  std::vector<double> scratch_;  // of the densities of one draw
  std::vector<double> row_;      // one output row and its gradient, in double
};

}  // namespace probmix
