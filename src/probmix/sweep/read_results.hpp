// Results files for reading only: of any number of studies and shards, put together.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "probmix/sweep/run_record.hpp"
#include "probmix/sweep/study.hpp"

namespace probmix {

struct StudyRecords {
  std::string study;
  std::vector<RunRecord> records;
};

struct Results {
  std::vector<StudyRecords> studies = {};  // in the order of study_layouts()
  std::vector<std::string> remarks = {};   // what a reader should know, one line each
};

// A run that occurs more than once counts once, the first time. A last line that was cut by a kill
// is left out. Throws an Error of one line, with file and line, for all else that is no run of a
// known study, and for runs of a study that cannot be compared, as they differ in an option that
// is not among those that the study varies.
Results read_results(const std::vector<std::filesystem::path>& files);

// The last check of the above.
void check_comparable(const StudyRecords& study);

// The same before runs are added to a file: throws a UsageError if those that it holds differ from
// the new ones in an option that the study does not vary.
void check_extends(const std::string& study, std::span<const RunRecord> in_file,
                   std::span<const StudyRun> runs);

}  // namespace probmix
