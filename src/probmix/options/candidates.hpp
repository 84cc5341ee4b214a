// The variants of a training that its preset tries. Their networks are all mixed, with weights that
// the held-out rows choose.
#pragma once

#include <vector>

#include "probmix/options/fit_options.hpp"

namespace probmix {

// Whether held-out rows can choose between variants and families, and the preset wants it.
bool held_out_rows_choose(const FitOptions& options);

// Each variant is resolved for this many training rows, and differs from the first only in options
// that were not given. Just the first if no rows are held out, or with the preset fast.
std::vector<FitOptions> candidates(const FitOptions& options, Index rows);

// The options that were not given and that the preset therefore varies; empty: none.
std::vector<std::string> varied_options(const FitOptions& options);

// What distinguishes a variant from the others, for display: "encode none".
std::vector<std::string> candidate_names(const std::vector<FitOptions>& candidates);

}  // namespace probmix
