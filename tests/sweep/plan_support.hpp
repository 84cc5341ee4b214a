// Plans of studies, run in memory.
#pragma once

#include "probmix/sweep/plan.hpp"
#include "probmix/sweep/sweep.hpp"

namespace probmix::test {

inline std::vector<RunRecord> records_of(const std::vector<StudyRun>& runs, Index threads = 1) {
  return Sweep("", "").run(runs, {.threads = threads});
}

// For settings chosen on these records.
inline std::vector<StudyRun> best_runs(const StudyPlan& plan, std::span<const RunRecord> records) {
  const StudyLayout& layout = study_layout(plan.name);
  return best_runs(plan, choose_settings(records, layout.cell_keys(), layout.repeat));
}

inline std::vector<const Method*> methods_named(std::initializer_list<std::string_view> names) {
  std::vector<const Method*> found;
  for (const std::string_view name : names) found.push_back(&find_method(name));
  return found;
}

inline std::vector<const Method*> all_methods() {
  std::vector<const Method*> all;
  for (const Method& method : methods) all.push_back(&method);
  return all;
}

inline double mean_of(const CellSummary& cell, const StudyLayout& layout, std::string_view score) {
  for (std::size_t k = 0; k < layout.scores.size(); ++k) {
    if (layout.scores[k].key == score) return cell.scores[k].mean;
  }
  throw Error("no score " + std::string(score));
}

}  // namespace probmix::test
