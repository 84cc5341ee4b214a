// The weights of a mixture of given densities under which rows are most likely.
#pragma once

#include <span>
#include <vector>

namespace probmix {

// Maximises Σ_r v_r log Σ_c w_c p_c(r) over weights w that sum to 1, by expectation maximisation:
// the problem is concave, so it finds the global maximum. `log_density` holds log p_c(r), one
// vector for each component; `row_weight` holds v, empty: all equal.
std::vector<double> mixing_weights(std::span<const std::vector<double>> log_density,
                                   std::span<const double> row_weight = {});

// Weights below this share of all, or below half of the largest if that is less, become 0; the
// others then sum to 1.
std::vector<double> without_negligible(std::vector<double> weights, double negligible = 0.01);

}  // namespace probmix
