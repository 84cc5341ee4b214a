// The finished runs of a study, one JSON object a line:
//
//   {"probmix":1,"study":"stocks","version":"0.1.0","configuration":{...},"status":"done",
//    "result":{...},"message":"","seconds":1.5}
//
// The configuration is the identity of a run; it holds everything that determines the result. JSON
// has neither NaN nor infinities: these are written as the strings "NaN", "Infinity" and
// "-Infinity" and read as numbers again, wherever they stand in a configuration or a result. All
// other numbers survive bit for bit. "probmix" is the format of the line; "version" that of the
// program, which may be another one and is for the reader to judge (the first files have none).
#pragma once

#include <array>
#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/append_file.hpp"
#include "probmix/base/version.hpp"
#include "probmix/experiment/json.hpp"

namespace probmix {

enum class RunStatus { done, diverged };
inline constexpr std::array<std::string_view, 2> run_status_names = {"done", "diverged"};

struct RunRecord {
  Json configuration = {};
  RunStatus status = RunStatus::done;
  Json result = {};          // null if diverged
  std::string message = {};  // why it diverged
  double seconds = 0;  // what the run took; with the version, all that a repetition may change
  std::string version = std::string(library_version());  // that made the run; empty: unknown
};

// The same text for the same keys and values, in whatever order the keys are.
std::string run_identity(const Json& configuration);

// What a file gives back for this record: text that is not UTF-8 is replaced. A string that would
// be taken for a number (see above) is an Error.
RunRecord as_read_back(const RunRecord& record);

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
