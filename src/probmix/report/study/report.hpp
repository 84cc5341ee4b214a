// The report on one or more studies, made from their results alone: a page, and its tables for
// other programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/report/page/table.hpp"
#include "probmix/sweep/read_results.hpp"

namespace probmix::report {

// The numbers of a study's cells.
struct StudyCells {
  std::string name;  // of a file: "uci-cells"
  std::string csv;
};

// The same studies run with other options, to be compared with the results of the report.
struct Variant {
  std::string name;  // shown if the options alone do not distinguish the variant
  std::vector<StudyRecords> studies;
};

struct Report {
  std::string html = {};
  std::vector<NamedTable> tables = {};
  std::vector<StudyCells> cells = {};     // one for each study
  std::vector<std::string> remarks = {};  // for the reader, such as repeats that are missing
};

// `remarks` go to the top of the page. Throws an Error unless there is at least one study, each
// with at least one run, and each variant shares a study with the results.
Report make_report(std::span<const StudyRecords> studies, std::span<const std::string> remarks = {},
                   std::span<const Variant> variants = {});

}  // namespace probmix::report
