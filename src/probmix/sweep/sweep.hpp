// Executes the runs of a study in parallel. Runs already in the results file are not repeated, and
// each run is added to the file as soon as it finishes: a study that was killed resumes where it
// stopped and gives the same records (except for their seconds) as one that was not.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/sweep/results_file.hpp"
#include "probmix/sweep/study.hpp"

namespace probmix {

class Sweep {
 public:
  // With an empty path the records stay in memory. Other runs in the file are left alone, so that a
  // study can be extended, or run in parts.
  Sweep(std::string study, const std::filesystem::path& file);

  // The records in the file when it was opened.
  std::span<const RunRecord> in_file() const;

  // How many of these runs are finished: in the file, or executed by this object.
  std::size_t count_done(std::span<const StudyRun> runs) const;

  struct Execution {
    Json tuning = {};  // stored with the executed runs (RunRecord::tuning)
    Index threads = 1;
    std::function<void()> finished = [] {};  // called after each run, from any thread
  };

  // Executes the unfinished runs and returns the records of all, in order. Two runs with the same
  // configuration are an Error. A run that throws Diverged is recorded as diverged and counts as
  // finished. Any other exception stops the sweep and is rethrown, as its cause may be temporary
  // (memory, files). Runs finished by then are kept, and run() may be called again.
  std::vector<RunRecord> run(std::span<const StudyRun> runs, const Execution& execution);

 private:
  std::optional<ResultsFile> file_;
  std::unordered_map<std::string, RunRecord> done_;  // keyed by run identity
};

}  // namespace probmix
