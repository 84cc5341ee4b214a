// Random settings of options, for a search (model/fit_model.hpp).
#pragma once

#include "probmix/options/fit_options.hpp"

namespace probmix {

// The setting with this number, resolved for this many training rows. It differs from the given
// options only in some that have their default value and are not in `fixed`. Those of the family
// and of the inputs are never among them: all networks of a model share these.
FitOptions trial(const FitOptions& given, Index rows, Index number, bool pools_log_linearly);

// The options that trials set.
std::vector<std::string> searched_options(const FitOptions& given);

// What it has that the first variant has not, for display: "alpha 0.3, batch 64".
std::string trial_name(const FitOptions& first, const FitOptions& trial);

}  // namespace probmix
