// What the scores of a model mean, in sentences.
#pragma once

#include <string>
#include <vector>

#include "probmix/model/beside_baseline.hpp"
#include "probmix/model/slices.hpp"
#include "probmix/model/worst_rows.hpp"
#include "probmix/report/page/table.hpp"

namespace probmix::report {

std::vector<std::string> verdict(const EvaluationBeside& found, const Target& target);

// A row for each part, which says whether its 90 % intervals hold; `column` made the parts.
Table slices_table(const std::vector<SlicedEvaluator::Part>& parts, const std::string& column,
                   const Target& target);

Table worst_table(const std::vector<WorstRow>& rows, const Target& target);

}  // namespace probmix::report
