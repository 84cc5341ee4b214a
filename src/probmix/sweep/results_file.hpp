// The finished runs of a study, one line each (run_record.hpp), in a file that survives a crash.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "probmix/base/append_file.hpp"
#include "probmix/sweep/run_record.hpp"

namespace probmix {

// A results file, open and locked for this process. Throws Errors of one line that name the file,
// the line and a remedy; a file that is refused is left as it is.
class ResultsFile {
 public:
  // Opens or creates the file. A last line that was cut by a kill is removed; its run is to be
  // repeated. Any other line that is not a record of this study and format is refused.
  ResultsFile(std::filesystem::path path, std::string study);

  // What the file held when it was opened, in its order; a configuration may occur more than once.
  const std::vector<RunRecord>& records() const { return records_; }

  // Adds a record that survives a crash from then on. May be called from any thread.
  void append(const RunRecord& record);

 private:
  void read_records();

  AppendFile file_;
  std::string study_;
  std::vector<RunRecord> records_;
  std::mutex mutex_;
};

}  // namespace probmix
