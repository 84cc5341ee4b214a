// The results of a study as a table: one row per cell, the best of each group marked.
#pragma once

#include <span>

#include "probmix/report/page/table.hpp"
#include "probmix/sweep/study_layout.hpp"

namespace probmix::report {

Table study_table(const StudyLayout& layout, std::span<const CellSummary> cells);

// A score of a cell: mean ± standard error.
std::string score_text(const CellSummary& cell, std::size_t score);

// Why the mean of a cell is not comparable with others: " (1 diverged, 7 of 10 splits)"; else
// empty.
std::string doubt_text(const StudyLayout& layout, const CellSummary& cell);

// A value of a configuration, for people: "1e-32", "log-linear", "128,32".
std::string value_text(const Json& value);

}  // namespace probmix::report
