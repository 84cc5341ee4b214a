// Tables and results for other programs. The best values are bold where the format knows that.
#pragma once

#include <span>
#include <string>

#include "probmix/report/table.hpp"
#include "probmix/sweep/views.hpp"

namespace probmix {

std::string csv_table(const Table& table);       // RFC 4180, with \n
std::string markdown_table(const Table& table);  // as on GitHub
// A tabular; its first line names the packages it needs: booktabs for rules, amssymb for ▴ and ▾.
std::string latex_table(const Table& table);

// Every cell of a study, a number in each field: what it is known by, runs, diverged, and of each
// score the mean, standard deviation (_sd) and error (_se), and the paper's figure (_paper) with
// its spread (_paper_spread). A field without a value is empty.
std::string csv_cells(const StudyView& view, std::span<const CellSummary> cells);

}  // namespace probmix
