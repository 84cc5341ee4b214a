// The toy regression as a table and as a page with pictures.
#pragma once

#include <span>
#include <string>

#include "probmix/experiment/toy_study.hpp"
#include "probmix/report/table.hpp"

namespace probmix {

Table toy_table(std::span<const ToySummary> summaries);

std::string toy_page(const ToyRegression& study, Index runs, std::span<const ToySummary> summaries);

}  // namespace probmix
