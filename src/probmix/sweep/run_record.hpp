// A finished run of a study, as a line of JSON:
//
//   {"probmix":2,"study":"stocks","version":"0.1.0, GCC 12.2.0,
//   AVX2","configuration":{...},"status":"done",
//    "result":{...},"message":"","seconds":1.5}
//
// The configuration is the identity of a run; it holds everything that determines the result. JSON
// has neither NaN nor infinities: these are written as the strings "NaN", "Infinity" and
// "-Infinity" and read as numbers again, wherever they stand in a configuration or a result. All
// other numbers survive bit for bit. "probmix" is the format of the line; "version" that of the
// program, which may be another one and is for the reader to judge (the first files have none). A
// run that was made to choose settings has besides "tuning" (choice.hpp).
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "probmix/base/json.hpp"
#include "probmix/kernel/build.hpp"

namespace probmix {

enum class RunStatus { done, diverged };
inline constexpr std::array<std::string_view, 2> run_status_names = {"done", "diverged"};

struct RunRecord {
  Json configuration = {};
  RunStatus status = RunStatus::done;
  Json result = {};          // null if diverged
  std::string message = {};  // why it diverged
  double seconds = 0;  // what the run took; with the version, all that a repetition may change
  std::string version = build_version();  // of the program that made the run; empty: unknown
  Json tuning = {};        // for which choice among settings it was made; null: for none
  std::string place = {};  // "'FILE', line N", where it was read; empty: nowhere
};

// The same text for the same keys and values, in whatever order the keys are.
std::string run_identity(const Json& configuration);

// For messages: where it was read, or else its method.
std::string name_of(const RunRecord& record);

// What a file gives back for this record: text that is not UTF-8 is replaced. A string that would
// be taken for a number (see above) is an Error.
RunRecord as_read_back(const RunRecord& record);

std::string to_line(const std::string& study, const RunRecord& record);

// What every line of a study starts with.
std::string line_start(const std::string& study);

// One line of a file, whose first lines (`is_first`) tell whether it is a results file at all.
struct ParsedRun {
  std::string fault = {};  // why it is no run, and what to do about it; empty if it is one
  std::string study = {};
  bool is_old = false;  // of format 1: to be read, but not to be added to
  RunRecord record = {};
};
ParsedRun parse_run(std::string_view line, bool is_first);

}  // namespace probmix
