// A score with the paper's figure beside it.
#pragma once

#include <optional>
#include <string>

#include "probmix/paper/printed.hpp"
#include "probmix/report/study/section.hpp"

namespace probmix::report {

// Whether the paper prints standard errors with this score, not deviations; ours then show the
// same.
bool has_errors(const Section& section, std::size_t score);

// "2.41 ± 0.10 [3.37 ± 0.47] ▾": ours, the paper's in brackets, and where the means differ by more
// than the paper's spread, whether ours is below or above.
std::string beside_paper(const MeanSe& ours, const std::optional<PaperFigure>& paper,
                         bool with_error);

}  // namespace probmix::report
