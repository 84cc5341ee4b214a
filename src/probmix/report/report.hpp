// The report of one or several studies, from their results alone: one page, and its tables for
// other programs.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/report/table.hpp"
#include "probmix/sweep/read_results.hpp"

namespace probmix {

struct NamedTable {
  std::string name;  // of a file: "uci-test-nll"
  Table table;
};

struct StudyCells {
  std::string name;  // of a file: "uci-cells"
  std::string csv;
};

struct Report {
  std::string html = {};
  std::vector<NamedTable> tables = {};
  std::vector<StudyCells> cells = {};     // one for each study
  std::vector<std::string> remarks = {};  // what the reader should know: repeats that are missing
};

// `remarks` stand at the top of the page. There must be at least one study, with at least one run.
Report make_report(std::span<const StudyRecords> studies,
                   std::span<const std::string> remarks = {});

}  // namespace probmix
