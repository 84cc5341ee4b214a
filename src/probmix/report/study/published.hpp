// The default recipe beside published figures of other methods, and beside the marginal density.
#pragma once

#include <optional>
#include <string>

#include "probmix/report/page/table.hpp"
#include "probmix/sweep/study_layout.hpp"

namespace probmix::report {

// A row for each published method with this score, then ours; a column for each data set. Empty if
// nothing is published for these cells.
std::optional<Table> published_table(const StudyLayout& layout, std::span<const CellSummary> cells,
                                     std::size_t score);

// On how many data sets the mean NLL is below the best published one, of methods without and with
// pretraining. Empty if nothing is published for these cells.
std::string published_verdict(const StudyLayout& layout, std::span<const CellSummary> cells);

// On which tables the NLL is above that of the marginal density, the mean coverage of the 90 %
// interval and the sum of the seconds.
std::string marginal_verdict(const StudyLayout& layout, std::span<const CellSummary> cells);

}  // namespace probmix::report
