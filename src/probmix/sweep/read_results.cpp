#include "probmix/sweep/read_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>

#include "probmix/base/error.hpp"
#include "probmix/base/read_file.hpp"
#include "probmix/sweep/choice.hpp"
#include "probmix/sweep/study_layout.hpp"

namespace probmix {

namespace {

constexpr std::size_t largest_file = std::size_t{1} << 30;

// The runs of all files by study, with remarks on anything odd.
class Collection {
 public:
  void add(const std::filesystem::path& file) {
    const std::string content = read_file(file, largest_file);
    std::string_view rest = content;
    std::size_t number = 1;
    for (; rest.find('\n') != rest.npos; ++number) {
      const std::string_view text = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(text.size() + 1);
      ParsedRun run = parse_run(text, number == 1);
      check(run.fault.empty(), "'{}', line {}: {}", file.string(), number, run.fault);
      const bool known = std::ranges::count(study_layouts(), run.study, &StudyLayout::name) > 0;
      check(known, "'{}', line {}: this version of probmix does not know the study {}",
            file.string(), number, json_text(run.study));
      run.record.place = fmt::format("'{}', line {}", file.string(), number);
      add(std::move(run));
    }
    if (!rest.empty()) {
      remarks_.push_back(fmt::format(
          "'{}': the last line is incomplete, as after a kill, and was left out", file.string()));
    }
    check(number > 1, "'{}' holds no finished run", file.string());
  }

  Results results() {
    if (other_version_ > 0) {
      remarks_.push_back(
          fmt::format("{} of {} runs were made by another version of probmix than {}: the "
                      "arithmetic may differ",
                      other_version_, total_, build_version()));
    }
    if (contradictions_ > 0) {
      remarks_.push_back(
          fmt::format("{} runs occur more than once with different results; the first counts",
                      contradictions_));
    }
    Results results{.remarks = std::move(remarks_)};
    for (const StudyLayout& layout : study_layouts()) {
      const auto found = studies_.find(layout.name);
      if (found != studies_.end())
        results.studies.push_back({layout.name, std::move(found->second)});
    }
    return results;
  }

 private:
  void add(ParsedRun run) {
    std::vector<RunRecord>& records = studies_[run.study];
    const std::string identity = run.study + run_identity(run.record.configuration);
    const auto [known, is_new] = positions_.emplace(identity, records.size());
    if (!is_new) {
      if (run_identity(Json{{"", records[known->second].result}}) !=
          run_identity(Json{{"", run.record.result}})) {
        ++contradictions_;
      }
      return;
    }
    ++total_;
    if (run.record.version != build_version()) ++other_version_;
    records.push_back(std::move(run.record));
  }

  std::map<std::string, std::vector<RunRecord>> studies_;
  std::unordered_map<std::string, std::size_t> positions_;
  std::vector<std::string> remarks_;
  std::size_t total_ = 0;
  std::size_t other_version_ = 0;
  std::size_t contradictions_ = 0;
};

}  // namespace

namespace {

// The options that must be the same in all runs of a study; options of a network and facts of a
// data set only among runs with that network and data set.
class AgreedOptions {
 public:
  explicit AgreedOptions(const StudyLayout& layout)
      : repeat_(layout.repeat), free_(layout.cell_keys()) {
    for (const char* const key : {"dataset", "arch"}) {
      if (std::ranges::count(layout.keys, key) > 0) places_.emplace_back(key);
    }
    free_.insert(free_.end(), setting_keys.begin(), setting_keys.end());
    // In format 1 every split has a different fingerprint.
    if (layout.repeat == "split") free_.emplace_back("fingerprint");
    free_.push_back(layout.repeat);
  }

  struct Difference {
    const RunRecord* other;
    std::string key;
    Json value, other_value;
  };

  // The first difference from the runs added so far.
  std::optional<Difference> difference(const RunRecord& record) const {
    const std::string place = place_of(record);
    for (const auto& [key, value] : record.configuration.items()) {
      const auto known = first_.find(place + key);
      if (known == first_.end() || known->second->configuration[key] == value) continue;
      return Difference{known->second, key, value, known->second->configuration[key]};
    }
    return {};
  }

  // The record must outlive this.
  void add(const RunRecord& record) {
    const std::string place = place_of(record);
    for (const auto& [key, value] : record.configuration.items()) {
      if (std::ranges::count(free_, key) == 0) first_.emplace(place + key, &record);
    }
  }

 private:
  std::string place_of(const RunRecord& record) const {
    const Json& configuration = record.configuration;
    for (const std::string& key : {repeat_, std::string("method")}) {
      check(configuration.contains(key), "{}: the run has no {}", name_of(record), key);
    }
    const Json& method = configuration["method"];
    check(method.is_string() && std::ranges::count(method_names, method.get<std::string>()) == 1,
          "{}: the run has the unknown method {}", name_of(record), json_text(method));
    std::string place;
    for (const std::string& key : places_) {
      check(configuration.contains(key), "{}: the run has no {}", name_of(record), key);
      place += json_text(configuration[key]) + " ";
    }
    return place;
  }

  std::string repeat_;
  std::vector<std::string> free_;
  std::vector<std::string> places_;
  std::map<std::string, const RunRecord*> first_;  // the first run with each option at each place
};

}  // namespace

void check_comparable(const StudyRecords& study) {
  AgreedOptions options(study_layout(study.study));
  for (const RunRecord& record : study.records) {
    if (const auto found = options.difference(record)) {
      throw Error(fmt::format(
          "{} has {} {}, but {} has {}: these runs of the study \"{}\" cannot be compared; make "
          "separate reports",
          name_of(record), found->key, json_text(found->value), name_of(*found->other),
          json_text(found->other_value), study.study));
    }
    options.add(record);
  }
}

void check_extends(const std::string& study, std::span<const RunRecord> in_file,
                   std::span<const StudyRun> runs) {
  std::vector<RunRecord> planned;
  for (const StudyRun& run : runs) planned.push_back({.configuration = run.configuration});
  AgreedOptions options(study_layout(study));
  for (const RunRecord& record : planned) options.add(record);
  for (const RunRecord& record : in_file) {
    if (const auto found = options.difference(record)) {
      throw UsageError(fmt::format(
          "{} has {} {}, but the new runs have {}: no report could compare them; choose another "
          "file (`out`)",
          name_of(record), found->key, json_text(found->value), json_text(found->other_value)));
    }
  }
}

namespace {

// Sorts by the study's keys, method, settings and repeat, since runs finish in random order. Throws
// if two runs agree in all of these: they would count twice.
void sort_records(StudyRecords& study) {
  const StudyLayout& layout = study_layout(study.study);
  std::vector<std::string> keys = layout.cell_keys();
  keys.insert(keys.end(), setting_keys.begin(), setting_keys.end());
  keys.push_back(layout.repeat);
  const auto place = [&](const RunRecord& record) {
    Json values = Json::array();
    for (const std::string& key : keys) {
      const Json value = record.configuration.contains(key) ? record.configuration[key] : Json();
      if (key == "method") {
        values.push_back(std::ranges::find(method_names, value.get<std::string>()) -
                         method_names.begin());
      } else {
        values.push_back(value);
      }
    }
    return values;
  };
  std::ranges::stable_sort(study.records, {}, place);
  const auto twice = std::ranges::adjacent_find(study.records, {}, place);
  if (twice == study.records.end()) return;
  throw Error(fmt::format(
      "{} and {} are two runs of {} ({} {}), one of which lacks options that the other has; make "
      "separate reports",
      name_of(*twice), name_of(*std::next(twice)),
      twice->configuration["method"].get<std::string>(), layout.repeat,
      exact_json_text(twice->configuration[layout.repeat])));
}

}  // namespace

Results read_results(const std::vector<std::filesystem::path>& files) {
  Collection collection;
  for (const std::filesystem::path& file : files) collection.add(file);
  Results results = collection.results();
  for (StudyRecords& study : results.studies) {
    check_comparable(study);
    sort_records(study);
    const StudyLayout& layout = study_layout(study.study);
    if (!layout.chooses) continue;
    const Choice choice = choose_settings(study.records, layout.cell_keys(), layout.repeat);
    for (const std::string& remark :
         {choice.remark, unfinished_choices(study.records, layout.cell_keys(), layout.repeat)}) {
      if (!remark.empty()) results.remarks.push_back(study.study + ": " + remark);
    }
  }
  return results;
}

}  // namespace probmix
