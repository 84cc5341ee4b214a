#include "probmix/sweep/plan.hpp"

#include <algorithm>
#include <unordered_set>

#include "probmix/base/error.hpp"

namespace probmix {

Json tuning_note(const StudyPlan& plan) {
  if (!plan.tunes()) return {};
  Json tuning;
  const auto add = [&](const char* key, const Json& value) {
    Json& values = tuning[key];
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  for (const MixOptions& mix : plan.settings) {
    add("alpha", mix.alpha);
    add("beta", mix.beta);
    add("pooling", pooling_names[static_cast<std::size_t>(mix.pooling)]);
  }
  tuning["repeats"] = plan.tuning;
  return tuning;
}

std::vector<StudyRun> first_runs(const StudyPlan& plan) {
  check_usage(!plan.tunes() || plan.has_validation,
              "several settings are compared on validation rows: set `validation` above 0, or give "
              "`alpha`, `beta` and `pooling` one value each");
  for (const StudyCell& cell : plan.cells) {
    for (const MixOptions& mix : plan.settings) cell.check(mix);
  }
  std::vector<StudyRun> runs;
  for (const StudyCell& cell : plan.cells) {
    add_runs(cell, plan.settings, plan.tunes() ? plan.tuning : plan.repeats, runs);
  }
  return runs;
}

std::vector<StudyRun> best_runs(const StudyPlan& plan, const Choice& choice) {
  std::unordered_set<std::string> best;
  for (const RunRecord* run : choice.runs) best.insert(run_identity(run->configuration));
  std::vector<StudyRun> runs;
  for (const StudyCell& cell : plan.cells) {
    const auto settings = std::ranges::find_if(plan.settings, [&](const MixOptions& mix) {
      return best.contains(run_identity(cell.run(mix, plan.tuning.front()).configuration));
    });
    check(settings != plan.settings.end(), "the study has no runs of {} to choose from", cell.name);
    add_runs(cell, {*settings}, plan.repeats, runs);
  }
  return runs;
}

}  // namespace probmix
