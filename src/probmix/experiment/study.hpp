// A study as a declared list of runs: what each is known by, and what makes its result.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/base/matrix.hpp"
#include "probmix/mix/options.hpp"

namespace probmix {

struct StudyRun {
  Json configuration;
  std::function<Json()> execute;
};

// A method on a data set, with a network. Its runs differ in the settings of the mix, and in the
// split or seed (`repeat`).
struct StudyCell {
  std::string name;
  // Throws a UsageError for what can be told to be wrong with settings before any training.
  std::function<void(const MixOptions& settings)> check;
  std::function<StudyRun(const MixOptions& settings, Index repeat)> run;
};

// Part `number` (1, 2, ..., count) of a study that is spread over several machines.
struct Shard {
  Index number = 1;
  Index count = 1;
};

// Throws a UsageError unless 1 <= number <= count. The cells are dealt out in turn, so that the
// settings of one can be compared on one machine.
std::vector<StudyCell> shard_of(const std::vector<StudyCell>& cells, Shard shard);

class Study {
 public:
  explicit Study(std::string name) : name_(std::move(name)) {}

  // Adds a run, unless it is there already: methods that make no use of an option have one run for
  // all its values.
  void add(StudyRun run);
  // All settings and repeats of a cell.
  void add(const StudyCell& cell, const std::vector<MixOptions>& settings,
           const std::vector<Index>& repeats);

  // For which choice among settings the runs are made (choice.hpp); null: for none.
  void set_tuning(Json tuning) { tuning_ = std::move(tuning); }

  const std::string& name() const { return name_; }
  const Json& tuning() const { return tuning_; }
  // In the order in which the runs were added.
  const std::vector<Json>& configurations() const { return configurations_; }
  // The result of one of them.
  Json execute(const Json& configuration) const;

 private:
  std::string name_;
  Json tuning_;
  std::vector<Json> configurations_;
  std::unordered_map<std::string, std::function<Json()>> runs_;  // by their identities
};

}  // namespace probmix
