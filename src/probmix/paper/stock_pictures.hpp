// Data for the charts of a run: the predictive bands of every window, and the densities with the
// best and the worst NLL among the training and among the test windows. Prices are in the units of
// the data.
#pragma once

#include "probmix/sweep/study_data.hpp"

namespace probmix {

// {"series": {"name", "time": [days since 1970], "value", "test_from", "validation_from"},
//  "bands": {"time", "mean", "lower95", "lower50", "upper50", "upper95"},
//  "densities": [{"part", "which": "best" or "worst", "time", "nll", "observed", "y", "density"}]}
// "test_from" is the day of the first test target, and "validation_from", if validation is a
// separate period, that of its first target; either may be missing. The NLL is in standardised
// units.
Json stock_pictures(const StudyData::Case& at, const ModelFit& fit, const Model& model);

}  // namespace probmix
