// A study as a list of runs, each with the configuration that identifies it and a function that
// computes its result.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/base/matrix.hpp"
#include "probmix/mix/options.hpp"

namespace probmix {

struct StudyRun {
  Json configuration;  // identifies the run: everything that determines its result
  // Throws Diverged if training fails. A result's "seconds" replace the duration of the run.
  std::function<Json()> execute;
};

// A method on a data set with a network. Its runs differ in the settings of the mix and in the
// split, fold or seed (`repeat`).
struct StudyCell {
  std::string name;
  // Throws a UsageError for settings that training would reject.
  std::function<void(const MixOptions& settings)> check;
  std::function<StudyRun(const MixOptions& settings, Index repeat)> run;
};

// Part `number` (1, 2, ..., count) of a study that is spread over several machines.
struct Shard {
  Index number = 1;
  Index count = 1;
};

// Throws a UsageError unless 1 <= number <= count. Whole cells are dealt out in turn, so that the
// settings of a cell can be compared on one machine.
std::vector<StudyCell> shard_of(const std::vector<StudyCell>& cells, Shard shard);

// Adds the distinct runs of a cell: a method that ignores an option has one run for all its values.
void add_runs(const StudyCell& cell, const std::vector<MixOptions>& settings,
              const std::vector<Index>& repeats, std::vector<StudyRun>& runs);

}  // namespace probmix
