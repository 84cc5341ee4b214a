// A finished run of a study, as a line of JSON:
//
//   {"probmix":3,"study":"stocks","version":"0.1.0, GCC 12.2.0, AVX2","configuration":{...},
//    "status":"done","result":{...},"message":"","seconds":1.5,"check":"9c04..."}
//
// The configuration identifies a run: it holds everything that determines the result. JSON has
// neither NaN nor infinities: in a configuration or a result, these are written as the strings
// "NaN", "Infinity" and "-Infinity" and read back as numbers. All other numbers survive bit for
// bit. "probmix" is the format of the line; "version" is that of the program, which may differ
// between lines (the first files have none). A run made to choose settings also has "tuning"
// (choice.hpp). "check" is a hash of the line up to it (base/checked_line.hpp); formats 1 and 2
// have none.
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
  double seconds = 0;        // duration; repeating a run may change only this and the version
  std::string version = build_version();  // of the program that made the run; empty: unknown
  Json tuning = {};        // the candidates if it was made to choose settings; else null
  std::string place = {};  // "'FILE', line N" if it was read from a file; else empty
};

// A text that is the same for the same keys and values, whatever the order of the keys.
std::string run_identity(const Json& configuration);

// For messages: where the run was read, or its method if nowhere.
std::string name_of(const RunRecord& record);

// The record as a file would give it back: text that is not UTF-8 is replaced. A string that would
// be read as a number (see above) is an Error.
RunRecord as_read_back(const RunRecord& record);

std::string to_line(const std::string& study, const RunRecord& record);

// Whether the text may be the beginning of a line that was cut short.
bool begins_a_line(std::string_view text, const std::string& study);

// One line of a file. The first one (`is_first`) shows whether it is a results file at all.
struct ParsedRun {
  std::string fault = {};  // why it is not a run, and what to do about it; empty if it is one
  std::string study = {};
  bool is_old = false;  // format 1: the file can be read, but not extended
  RunRecord record = {};
};
ParsedRun parse_run(std::string_view line, bool is_first);

}  // namespace probmix
