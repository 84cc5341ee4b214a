#include "probmix/experiment/plan.hpp"

#include <algorithm>
#include <unordered_set>

#include "probmix/base/error.hpp"
#include "probmix/experiment/choice.hpp"

namespace probmix {

namespace {

// What RunRecord::tuning holds: the values of each setting, and the repeats.
Json tuning_of(const StudyPlan& plan) {
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

}  // namespace

Study first_runs(const StudyPlan& plan) {
  check_usage(!plan.tunes() || plan.has_validation,
              "several settings are compared on validation rows: give --validation more than 0, or "
              "--alpha, --beta and --pooling one value each");
  for (const StudyCell& cell : plan.cells) {
    for (const MixOptions& mix : plan.settings) cell.check(mix);
  }
  Study study(plan.name);
  if (plan.tunes()) study.set_tuning(tuning_of(plan));
  for (const StudyCell& cell : plan.cells) {
    study.add(cell, plan.settings, plan.tunes() ? plan.tuning : plan.repeats);
  }
  return study;
}

Study best_runs(const StudyPlan& plan, std::span<const RunRecord> first) {
  const StudyView& view = study_view(plan.name);
  std::unordered_set<std::string> best;
  for (const RunRecord* run : best_settings(first, view.cell_keys(), view.repeat)) {
    best.insert(run_identity(run->configuration));
  }
  Study study(plan.name);
  for (const StudyCell& cell : plan.cells) {
    const auto settings = std::ranges::find_if(plan.settings, [&](const MixOptions& mix) {
      return best.contains(run_identity(cell.run(mix, plan.tuning.front()).configuration));
    });
    check(settings != plan.settings.end(), "the study has no runs of {} to choose from", cell.name);
    study.add(cell, {*settings}, plan.repeats);
  }
  return study;
}

}  // namespace probmix
