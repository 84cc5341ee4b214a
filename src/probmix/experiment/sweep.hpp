// A study as a list of runs: each is a configuration, from which one function makes a result. The
// runs are executed in parallel, those already in the results file are not repeated, and each is
// added to the file as soon as it is finished. A study that was killed thus goes on where it was,
// and gives the very same records (but for their seconds) as one that was not.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/experiment/results_file.hpp"

namespace probmix {

class Sweep {
 public:
  // A configuration is an object that holds everything that determines the result, seeds included;
  // two equal ones are an Error. With an empty path the records stay in memory. Runs of the file
  // that are not in this list are left alone, so that a study may be extended, or run in parts.
  // `tuning` is written with the runs that are made (RunRecord::tuning).
  Sweep(std::string study, std::vector<Json> configurations, const std::filesystem::path& file,
        Json tuning = {});

  // Records that are there from elsewhere, such as an earlier sweep without a file.
  void know(const std::vector<RunRecord>& records);

  // What the file held when it was opened, runs that are not in the list too.
  std::vector<RunRecord> in_file() const;

  std::size_t total() const { return configurations_.size(); }
  // How many are finished: before run(), those that the file held.
  std::size_t done() const;

  using Execute = std::function<Json(const Json& configuration)>;

  // Executes the runs that are not yet done, on `threads` threads, and returns the records of all
  // in the order of the list. A Diverged of `execute` makes the run `diverged`, which counts as
  // done. Any other exception stops the sweep and is thrown again: it may be of the moment (memory,
  // files). What is finished by then is kept, and run() may be called again. `finished` is called
  // after each run, from any thread.
  std::vector<RunRecord> run(const Execute& execute, Index threads,
                             const std::function<void()>& finished);

 private:
  std::vector<Json> configurations_;
  std::vector<std::optional<RunRecord>> records_;
  std::optional<ResultsFile> file_;
  Json tuning_;
};

}  // namespace probmix
