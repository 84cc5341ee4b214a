// A study before it is run: cells, settings of the mix and repeats (splits or seeds).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/experiment/run_record.hpp"
#include "probmix/experiment/study.hpp"
#include "probmix/experiment/views.hpp"

namespace probmix {

struct StudyPlan {
  std::string name;  // one of study_views()
  std::vector<StudyCell> cells = {};
  std::vector<MixOptions> settings = {};
  std::vector<Index> repeats = {};
  // Where settings are chosen (StudyView::chooses) they are compared on these repeats, and only the
  // best of a cell goes through all. Empty: all settings go through all repeats.
  std::vector<Index> tuning = {};

  // There are validation rows by which settings can be chosen.
  bool has_validation = true;

  bool tunes() const { return study_view(name).chooses && settings.size() > 1 && !tuning.empty(); }
};

// The runs that do not depend on any others': all of them, or, if the plan tunes, those on the
// repeats for tuning. Throws a UsageError for settings that a cell refuses, and for several where
// there is no validation.
Study first_runs(const StudyPlan& plan);

// The runs of the best settings of each cell, given the records of the first runs, and of further
// repeats if there are any (choice.hpp).
Study best_runs(const StudyPlan& plan, std::span<const RunRecord> first);

}  // namespace probmix
