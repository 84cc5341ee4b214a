// The risk of every family, pooling and criterion, one density at a time: the route of all cases
// that have no closed form in batched_risk.hpp, and the naive twin of those that have.
#pragma once

#include "probmix/family/families.hpp"
#include "probmix/mix/risk_call.hpp"

namespace probmix {

// Numbers of memory that a call with `rows` output rows needs.
Index scalar_risk_memory(const Family& family, Index rows);

template <class Real>
double scalar_risk(const Family& family, const RiskCall<Real>& call);
template <>
double scalar_risk(const Family& family, const RiskCall<double>& call);
template <>
double scalar_risk(const Family& family, const RiskCall<float>& call);

}  // namespace probmix
