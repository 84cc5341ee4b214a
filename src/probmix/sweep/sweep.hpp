// Executes the runs of a study in parallel. Runs that are already in the results file are not
// repeated, and each is added to the file as soon as it is finished: a study that was killed goes
// on where it was, and gives the very same records (but for their seconds) as one that was not.
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
  // With an empty path the records stay in memory. Runs of the file that nobody asks for are left
  // alone, so that a study may be extended, or run in parts.
  Sweep(std::string study, const std::filesystem::path& file);

  // What the file held when it was opened.
  std::span<const RunRecord> in_file() const;

  // How many of these runs are finished: in the file, or executed before.
  std::size_t count_done(std::span<const StudyRun> runs) const;

  struct Execution {
    Json tuning = {};  // written with the runs that are made (RunRecord::tuning)
    Index threads = 1;
    std::function<void()> finished = [] {};  // called after each run, from any thread
  };

  // Executes the runs that are not finished and returns the records of all in their order. Two runs
  // with the same configuration are an Error. A run that throws Diverged is recorded as such, which
  // counts as finished. Any other exception stops the sweep and is thrown again: it may be of the
  // moment (memory, files). What is finished by then is kept, and run() may be called again.
  std::vector<RunRecord> run(std::span<const StudyRun> runs, const Execution& execution);

 private:
  std::optional<ResultsFile> file_;
  std::unordered_map<std::string, RunRecord> done_;  // by the identities of the runs
};

}  // namespace probmix
