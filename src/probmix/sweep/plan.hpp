// A study before it is run: cells, settings of the mix and repeats (splits or seeds).
#pragma once

#include <string>
#include <vector>

#include "probmix/sweep/choice.hpp"
#include "probmix/sweep/study.hpp"
#include "probmix/sweep/study_layout.hpp"

namespace probmix {

struct StudyPlan {
  std::string name;  // one of study_layouts()
  std::vector<StudyCell> cells = {};
  std::vector<MixOptions> settings = {};
  std::vector<Index> repeats = {};
  // In a study that chooses settings (StudyLayout::chooses), these repeats compare them, and only
  // the best setting of a cell is run on all repeats. Empty: every setting is run on all repeats.
  std::vector<Index> tuning = {};

  // Whether there are validation rows to choose settings on.
  bool has_validation = true;

  bool tunes() const {
    return study_layout(name).chooses && settings.size() > 1 && !tuning.empty();
  }
};

// The runs to start with: the tuning runs if the plan tunes, otherwise all. Throws a UsageError for
// settings that a cell rejects, and for several settings without validation rows.
std::vector<StudyRun> first_runs(const StudyPlan& plan);

// RunRecord::tuning for the first runs: the values of each setting, and the repeats. Null if the
// plan does not tune.
Json tuning_note(const StudyPlan& plan);

// The runs of each cell with the settings chosen for it (choice.hpp).
std::vector<StudyRun> best_runs(const StudyPlan& plan, const Choice& choice);

}  // namespace probmix
