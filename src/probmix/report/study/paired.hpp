// The same repeats (splits or seeds) before and after a change.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

#include "probmix/sweep/study_layout.hpp"

namespace probmix::report {

// The finite scores of finished runs, by their repeats.
using RepeatScores = std::map<std::string, double>;
RepeatScores repeat_scores(const StudyLayout& layout, std::size_t score,
                           std::span<const RunRecord* const> runs);

// Over the repeats that both have.
struct PairedChange {
  std::size_t pairs = 0;
  double before = 0, after = 0;  // means
  MeanSe difference;             // after − before

  // By two standard errors of the difference or more; −1: smaller, 1: larger, 0: neither.
  int direction() const;
};
PairedChange paired_change(const RepeatScores& before, const RepeatScores& after);

}  // namespace probmix::report
