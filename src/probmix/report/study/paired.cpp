#include "probmix/report/study/paired.hpp"

#include <cmath>
#include <vector>

namespace probmix::report {

RepeatScores repeat_scores(const StudyLayout& layout, std::size_t score,
                           std::span<const RunRecord* const> runs) {
  RepeatScores scores;
  for (const RunRecord* const run : runs) {
    if (run->status != RunStatus::done) continue;
    const std::optional<double> value = number_of(*run, layout.scores[score].pointer);
    if (!value || !std::isfinite(*value)) continue;
    scores[exact_json_text(run->configuration.at(layout.repeat))] = *value;
  }
  return scores;
}

int PairedChange::direction() const {
  if (!(std::abs(difference.mean) >= 2 * difference.se) || difference.mean == 0) return 0;
  return difference.mean < 0 ? -1 : 1;
}

PairedChange paired_change(const RepeatScores& before, const RepeatScores& after) {
  PairedChange change;
  std::vector<double> differences;
  for (const auto& [repeat, value] : after) {
    const auto other = before.find(repeat);
    if (other == before.end()) continue;
    change.before += other->second;
    change.after += value;
    differences.push_back(value - other->second);
  }
  change.pairs = differences.size();
  if (change.pairs == 0) return change;
  change.before /= static_cast<double>(change.pairs);
  change.after /= static_cast<double>(change.pairs);
  change.difference = mean_se(differences);
  return change;
}

}  // namespace probmix::report
