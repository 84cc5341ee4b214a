// The toy regression as a table and as a page with pictures.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "probmix/experiment/toy_study.hpp"
#include "probmix/report/table.hpp"

namespace probmix {

Table toy_table(std::span<const ToySummary> summaries);

// Every choice that determines the results, by the names of the command line's options.
std::vector<std::pair<std::string, std::string>> toy_configuration(const ToyRegression& study,
                                                                   Index runs);

std::string toy_page(const ToyRegression& study, Index runs, std::span<const ToySummary> summaries);

}  // namespace probmix
