// The numbers printed in the paper, for comparison with ours (docs/results/paper).
#pragma once

#include <optional>
#include <string_view>

#include "probmix/sweep/study_layout.hpp"

namespace probmix {

struct PaperFigure {
  double mean = 0;
  double spread = 0;  // a standard deviation, or if is_error a standard error
  bool is_error = false;
  bool comparable = true;  // false: scaled by an unknown factor, so only the order compares
};

// What the paper prints for a score (its key in the layout) of a cell, if anything.
std::optional<PaperFigure> paper_figure(const StudyLayout& layout, std::string_view score,
                                        const CellSummary& cell);

}  // namespace probmix
