#include "probmix/experiment/study.hpp"

#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/experiment/run_record.hpp"

namespace probmix {

std::vector<StudyCell> shard_of(const std::vector<StudyCell>& cells, Shard shard) {
  check_usage(shard.count >= 1 && shard.number >= 1 && shard.number <= shard.count,
              "a shard is one of 1/n, 2/n, ..., n/n, not {}/{}", shard.number, shard.count);
  std::vector<StudyCell> part;
  for (Index k = shard.number - 1; k < std::ssize(cells); k += shard.count) {
    part.push_back(cells[to_size(k)]);
  }
  return part;
}

void Study::add(StudyRun run) {
  if (!runs_.emplace(run_identity(run.configuration), std::move(run.execute)).second) return;
  configurations_.push_back(std::move(run.configuration));
}

void Study::add(const StudyCell& cell, const std::vector<MixOptions>& settings,
                const std::vector<Index>& repeats) {
  for (const MixOptions& mix : settings) {
    for (const Index repeat : repeats) add(cell.run(mix, repeat));
  }
}

Json Study::execute(const Json& configuration) const {
  const auto run = runs_.find(run_identity(configuration));
  check(run != runs_.end(), "no run of the study '{}' has the configuration {}", name_,
        configuration.dump());
  return run->second();
}

}  // namespace probmix
