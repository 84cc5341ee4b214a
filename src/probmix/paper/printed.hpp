// The figures that the paper prints, to stand beside ours (docs/results/paper).
#pragma once

#include <optional>
#include <string_view>

#include "probmix/sweep/study_layout.hpp"

namespace probmix {

struct PaperFigure {
  double mean = 0;
  double spread = 0;  // a standard deviation, or error:
  bool is_error = false;
  bool comparable = true;  // in value; else it has an unknown factor, and only orders compare
};

// What the paper prints for a score (its key in the layout) of a cell, if anything.
std::optional<PaperFigure> paper_figure(const StudyLayout& layout, std::string_view score,
                                        const CellSummary& cell);

}  // namespace probmix
