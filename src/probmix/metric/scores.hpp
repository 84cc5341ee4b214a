// How good predicted densities are on given responses.
#pragma once

#include <span>

#include "probmix/base/matrix.hpp"
#include "probmix/family/families.hpp"
#include "probmix/family/members.hpp"
#include "probmix/metric/outputs_view.hpp"

namespace probmix {

struct Scores {
  double nll = 0;        // −log of the predictive density: of the mixture of all members
  double draws_nll = 0;  // −log of the density of a single member, averaged over the members
  double mse = 0;        // of the predictive mean (classes: of the probabilities, the Brier score)
};

// Means over the rows of y, weighted unless `weight` is empty. `out` holds the network's outputs,
// the rows of all members for each row of y.
Scores score(const Family& family, const OutputsView& out, const Members& members,
             View<const double> y, std::span<const double> weight = {});

}  // namespace probmix
