#include "probmix/sweep/study.hpp"

#include <unordered_set>

#include "probmix/base/error.hpp"
#include "probmix/sweep/run_record.hpp"

namespace probmix {

std::vector<StudyCell> shard_of(const std::vector<StudyCell>& cells, Shard shard) {
  check_usage(shard.count >= 1 && shard.number >= 1 && shard.number <= shard.count,
              "a shard must be one of 1/n, 2/n, ..., n/n, not {}/{}", shard.number, shard.count);
  std::vector<StudyCell> part;
  for (Index k = shard.number - 1; k < std::ssize(cells); k += shard.count) {
    part.push_back(cells[to_size(k)]);
  }
  return part;
}

void add_runs(const StudyCell& cell, const std::vector<MixOptions>& settings,
              const std::vector<Index>& repeats, std::vector<StudyRun>& runs) {
  std::unordered_set<std::string> known;
  for (const MixOptions& mix : settings) {
    for (const Index repeat : repeats) {
      StudyRun run = cell.run(mix, repeat);
      if (known.insert(run_identity(run.configuration)).second) runs.push_back(std::move(run));
    }
  }
}

}  // namespace probmix
