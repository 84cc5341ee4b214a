// The closed forms of the risk: whole batches in double lanes, for the families whose loss is a
// handful of sums. They are faster than scalar_risk.hpp and numerically at least as good (Gaussian
// in mean and precision, categorical by log-sum-exp); tests/mix/batched_risk_test.cpp compares
// both.
//
// A family gets such a route by the three functions below, which risk.cpp finds by their names.
#pragma once

#include "probmix/family/families.hpp"
#include "probmix/mix/risk_call.hpp"

namespace probmix {

// Gaussian: all but pooling two densities of several responses linearly (which does not split into
// coordinates).
template <class Real>
bool has_batched_risk(const Gaussian& family, const RiskCall<Real>& call) {
  return call.sums_logs() &&
         (!call.pairs.fused || call.pooling == Pooling::log_linear || family.d == 1);
}
Index batched_risk_memory(const Gaussian& family, Index rows);
template <class Real>
double batched_risk(const Gaussian& family, const RiskCall<Real>& call);

template <class Real>
bool has_batched_risk(const Categorical&, const RiskCall<Real>& call) {
  return call.sums_logs();
}
Index batched_risk_memory(const Categorical& family, Index rows);
template <class Real>
double batched_risk(const Categorical& family, const RiskCall<Real>& call);

// Student's t of one response: all there is, as it cannot be pooled log-linearly.
template <class Real>
bool has_batched_risk(const StudentT& family, const RiskCall<Real>& call) {
  return call.sums_logs() && family.d == 1 &&
         (!call.pairs.fused || call.pooling == Pooling::linear);
}
Index batched_risk_memory(const StudentT& family, Index rows);
template <class Real>
double batched_risk(const StudentT& family, const RiskCall<Real>& call);

}  // namespace probmix
