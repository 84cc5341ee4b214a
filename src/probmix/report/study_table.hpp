// The results of a study as a table: a row for each cell, the best of its group marked.
#pragma once

#include <span>

#include "probmix/report/table.hpp"
#include "probmix/sweep/views.hpp"

namespace probmix {

Table study_table(const StudyView& view, std::span<const CellSummary> cells);

// A score of a cell: mean ± standard error.
std::string score_text(const CellSummary& cell, std::size_t score);

// Why the mean of a cell does not compare with others: " (1 diverged, 7 of 10 splits)", or nothing.
std::string doubt_text(const StudyView& view, const CellSummary& cell);

// A value of a configuration, for people: α = 1e-32, log-linear.
std::string value_text(const Json& value);

}  // namespace probmix
