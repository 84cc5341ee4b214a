// The finished runs of a study, one line each (run_record.hpp), in a file that survives a crash.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "probmix/base/append_file.hpp"
#include "probmix/sweep/run_record.hpp"

namespace probmix {

// A results file, open and locked for this process. Throws one-line Errors that name the file, the
// line and a remedy; a rejected file is left unchanged.
class ResultsFile {
 public:
  // Opens or creates the file. An incomplete last line, as after a kill, is removed, and its run
  // must be repeated. Any other line that is not a record of this study and format is an Error.
  ResultsFile(std::filesystem::path path, std::string study);

  // The records in the file when it was opened, in order; a configuration may occur more than once.
  const std::vector<RunRecord>& records() const { return records_; }

  // Adds a record; once this returns, the record survives a crash. May be called from any thread.
  void append(const RunRecord& record);

 private:
  void read_records();

  AppendFile file_;
  std::string study_;
  std::vector<RunRecord> records_;
  std::mutex mutex_;
};

}  // namespace probmix
