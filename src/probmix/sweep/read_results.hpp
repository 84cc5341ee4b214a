// Reads and merges results files of any number of studies and shards.
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
  std::vector<std::string> remarks = {};   // for the reader, one line each
};

// Of a run that occurs more than once, the first counts. An incomplete last line, as after a kill,
// is left out. Throws a one-line Error with file and line for any other line that is not a run of a
// known study, and for runs of a study that cannot be compared because they differ in an option
// that the study does not vary.
Results read_results(const std::vector<std::filesystem::path>& files);

// The last of these checks alone.
void check_comparable(const StudyRecords& study);

// The same check before runs are added to a file: throws a UsageError if its runs differ from the
// new ones in an option that the study does not vary.
void check_extends(const std::string& study, std::span<const RunRecord> in_file,
                   std::span<const StudyRun> runs);

}  // namespace probmix
