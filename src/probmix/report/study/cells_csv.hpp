// The numbers of a study for other programs.
#pragma once

#include <span>
#include <string>

#include "probmix/sweep/study_layout.hpp"

namespace probmix::report {

// One line per cell: its keys, the number of runs and of those that diverged, and for each score
// the mean, standard deviation (_sd), standard error (_se), and the paper's figure (_paper) with
// its spread (_paper_spread). A field without a value is empty.
std::string cells_csv(const StudyLayout& layout, std::span<const CellSummary> cells);

}  // namespace probmix::report
