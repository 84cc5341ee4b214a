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
  // Where settings are chosen (StudyLayout::chooses) they are compared on these repeats, and only
  // the best of a cell goes through all. Empty: all settings go through all repeats.
  std::vector<Index> tuning = {};

  // There are validation rows by which settings can be chosen.
  bool has_validation = true;

  bool tunes() const {
    return study_layout(name).chooses && settings.size() > 1 && !tuning.empty();
  }
};

// The runs that do not depend on any others': all of them, or, if the plan tunes, those on the
// repeats for tuning. Throws a UsageError for settings that a cell refuses, and for several where
// there is no validation.
std::vector<StudyRun> first_runs(const StudyPlan& plan);

// What RunRecord::tuning says of the first runs of a plan that tunes: the values of each setting,
// and the repeats. Null for one that does not.
Json tuning_note(const StudyPlan& plan);

// The runs of the settings that were chosen for each cell (choice.hpp).
std::vector<StudyRun> best_runs(const StudyPlan& plan, const Choice& choice);

}  // namespace probmix
