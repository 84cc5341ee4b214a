// The marginal density: what one predicts without looking at x. A model that is worse has learned
// nothing.
#pragma once

#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"

namespace probmix {

// The network outputs of the density that fits these responses best, as a network would give them
// for every row. Deterministic; of many rows it takes some thousand at equal distances.
std::vector<double> fit_marginal(const Family& family, View<const double> y);

// The mean NLL of responses under such outputs.
double marginal_nll(const Family& family, const std::vector<double>& outputs, View<const double> y);

}  // namespace probmix
