#include "probmix/sweep/results_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "probmix/base/error.hpp"

namespace probmix {

ResultsFile::ResultsFile(std::filesystem::path path, std::string study)
    : file_(std::move(path)), study_(std::move(study)) {
  read_records();
}

void ResultsFile::read_records() {
  const std::string name = file_.path().string();
  const std::string content = file_.read();
  std::string_view rest = content;
  std::size_t number = 1;
  for (; rest.find('\n') != rest.npos; ++number) {
    const std::string_view text = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(text.size() + 1);
    ParsedRun run = parse_run(text, number == 1);
    check(run.fault.empty(), "'{}', line {}: {}", name, number, run.fault);
    check(run.study == study_,
          "'{}', line {}: the run belongs to the study {}, not to {}; choose another path", name,
          number, json_text(run.study), json_text(study_));
    check(!run.is_old,
          "'{}', line {}: an older version of probmix made this run, with other inputs and scores; "
          "reports can be made of the file, but no runs can be added; choose another path",
          name, number);
    run.record.place = fmt::format("'{}', line {}", name, number);
    records_.push_back(std::move(run.record));
  }
  if (rest.empty()) return;
  check(begins_a_line(rest, study_),
        "'{}', line {}: the last line is incomplete and not a run of the study {}; delete it, or "
        "choose another path",
        name, number, json_text(study_));
  file_.truncate(content.size() - rest.size());
}

void ResultsFile::append(const RunRecord& record) {
  const std::string line = to_line(study_, record);
  const std::lock_guard lock(mutex_);
  file_.append(line);
}

}  // namespace probmix
