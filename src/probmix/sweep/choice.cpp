#include "probmix/sweep/choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/matrix.hpp"

namespace probmix {

namespace {

using Runs = std::vector<const RunRecord*>;
using Settings = std::map<std::string, Runs>;  // keyed by the settings' values

// The values of some keys, as text; null for a missing key (an option that the method ignores).
std::string values_of(const Json& configuration, const std::vector<std::string>& keys) {
  Json values = Json::object();
  for (const std::string& key : keys) {
    values[key] = configuration.contains(key) ? configuration[key] : Json();
  }
  return run_identity(values);
}

std::map<std::string, Settings> cells_of(std::span<const RunRecord> records,
                                         const std::vector<std::string>& keys) {
  std::map<std::string, Settings> cells;
  for (const RunRecord& record : records) {
    const Json& configuration = record.configuration;
    cells[values_of(configuration, keys)][values_of(configuration, setting_keys)].push_back(
        &record);
  }
  return cells;
}

// "NVDA lstm mix".
std::string cell_name(const RunRecord& run, const std::vector<std::string>& keys) {
  std::string name;
  for (const std::string& key : keys) {
    if (!run.configuration.contains(key)) continue;
    const Json& value = run.configuration[key];
    if (!name.empty()) name += ' ';
    name += value.is_string() ? value.get<std::string>() : exact_json_text(value);
  }
  return name;
}

// The names of cells to report: "NVDA lstm mix and 3 more".
struct Names {
  std::string first;
  Index count = 0;

  void add(const std::string& name) {
    if (count++ == 0) first = name;
  }
  std::string text() const {
    return count == 1 ? first : fmt::format("{} and {} more", first, count - 1);
  }
};

double validation_nll(const RunRecord& run) {
  static const Json::json_pointer pointer("/validation/nll");
  if (run.status != RunStatus::done) return std::numeric_limits<double>::infinity();
  check(run.result.contains(pointer) && run.result[pointer].is_number(),
        "{}: the result has no number /validation/nll", name_of(run));
  return run.result[pointer];
}

// How good settings are on the repeats that are compared; smaller is better.
struct Judgement {
  Index failures = 0;  // runs without a finite NLL
  double sum = 0;      // of the finite NLLs
  Index fewer_runs = 0;

  auto operator<=>(const Judgement&) const = default;
};

// The runs of the best settings, with their judgement.
std::pair<const Runs*, Judgement> best_of(const Settings& settings,
                                          const std::set<std::string>& common,
                                          const std::string& repeat) {
  const Runs* best = nullptr;
  Judgement smallest;
  for (const auto& [name, runs] : settings) {
    Judgement judgement;
    if (common.empty()) judgement.fewer_runs = -std::ssize(runs);
    for (const RunRecord* run : runs) {
      if (!common.contains(values_of(run->configuration, {repeat}))) continue;
      const double nll = validation_nll(*run);
      if (std::isfinite(nll)) {
        judgement.sum += nll;
      } else {
        ++judgement.failures;
      }
    }
    if (best == nullptr || judgement < smallest) {
      best = &runs;
      smallest = judgement;
    }
  }
  return {best, smallest};
}

std::set<std::string> common_repeats(const Settings& settings, const std::string& repeat) {
  std::map<std::string, std::size_t> seen;  // number of settings that have the repeat
  for (const auto& [name, runs] : settings) {
    for (const RunRecord* run : runs) ++seen[values_of(run->configuration, {repeat})];
  }
  std::set<std::string> common;
  for (const auto& [name, count] : seen) {
    if (count == settings.size()) common.insert(name);
  }
  return common;
}

// The repeats named in a run's tuning note.
std::set<std::string> noted_repeats(const Json& tuning, const std::string& repeat) {
  std::set<std::string> repeats;
  for (const Json& value : tuning["repeats"]) {
    repeats.insert(values_of({{repeat, value}}, {repeat}));
  }
  return repeats;
}

// The tuning repeats named in any note; empty without notes.
std::set<std::string> tuning_repeats(const Settings& settings, const std::string& repeat) {
  std::set<std::string> repeats;
  for (const auto& [name, runs] : settings) {
    for (const RunRecord* run : runs) {
      if (run->tuning.is_null()) continue;
      repeats.merge(noted_repeats(run->tuning, repeat));
    }
  }
  return repeats;
}

// The repeats on which settings are compared: the tuning repeats that all settings have, or all
// repeats that they share if there are none.
std::set<std::string> compared_repeats(const Settings& settings, const std::string& repeat) {
  const std::set<std::string> common = common_repeats(settings, repeat);
  const std::set<std::string> noted = tuning_repeats(settings, repeat);
  std::set<std::string> both;
  std::ranges::set_intersection(common, noted, std::inserter(both, both.end()));
  return both.empty() ? common : both;
}

// True if every setting in the run's note has a run on every tuning repeat.
bool has_all_tuning_runs(const RunRecord& noted, const Settings& settings,
                         const std::string& repeat) {
  const auto is_of_note = [&](const RunRecord& run) {
    return std::ranges::all_of(setting_keys, [&](const std::string& key) {
      if (!run.configuration.contains(key) || !noted.tuning.contains(key)) return true;
      const Json& values = noted.tuning[key];
      return std::ranges::find(values, run.configuration[key]) != values.end();
    });
  };
  std::size_t expected = noted.tuning["repeats"].size();
  for (const std::string& key : setting_keys) {
    if (noted.configuration.contains(key) && noted.tuning.contains(key)) {
      expected *= noted.tuning[key].size();
    }
  }
  const std::set<std::string> repeats = noted_repeats(noted.tuning, repeat);
  std::size_t found = 0;
  for (const auto& [name, runs] : settings) {
    found += static_cast<std::size_t>(std::ranges::count_if(runs, [&](const RunRecord* run) {
      return is_of_note(*run) && repeats.contains(values_of(run->configuration, {repeat}));
    }));
  }
  return found >= expected;
}

}  // namespace

Choice choose_settings(std::span<const RunRecord> records, const std::vector<std::string>& keys,
                       const std::string& repeat) {
  Choice choice;
  Names failed, apart;
  for (const auto& [cell, settings] : cells_of(records, keys)) {
    const Runs* best = &settings.begin()->second;
    if (settings.size() > 1) {
      const std::set<std::string> common = compared_repeats(settings, repeat);
      Judgement judgement;
      std::tie(best, judgement) = best_of(settings, common, repeat);
      if (common.empty()) apart.add(cell_name(*best->front(), keys));
      if (judgement.failures > 0) failed.add(cell_name(*best->front(), keys));
    }
    choice.runs.insert(choice.runs.end(), best->begin(), best->end());
  }
  std::ranges::sort(choice.runs);  // by address: the records are in one array
  if (failed.count > 0) {
    choice.remark = fmt::format(
        "no setting of {} has a finite validation NLL on every {} that is compared; the one with "
        "the fewest failures is used",
        failed.text(), repeat);
  }
  if (apart.count > 0) {
    choice.remark += fmt::format(
        "{}the settings of {} have no {} in common to compare them on; the one with the most runs "
        "is used",
        choice.remark.empty() ? "" : "; ", apart.text(), repeat);
  }
  return choice;
}

std::vector<const RunRecord*> best_settings(std::span<const RunRecord> records,
                                            const std::vector<std::string>& keys,
                                            const std::string& repeat) {
  return choose_settings(records, keys, repeat).runs;
}

std::string unfinished_choices(std::span<const RunRecord> records,
                               const std::vector<std::string>& keys, const std::string& repeat) {
  Names unfinished;
  for (const auto& [cell, settings] : cells_of(records, keys)) {
    std::map<std::string, const RunRecord*> notes;  // one run for each distinct note
    for (const auto& [name, runs] : settings) {
      for (const RunRecord* run : runs) {
        if (!run->tuning.is_null()) notes.emplace(run_identity(run->tuning), run);
      }
    }
    // Renamed, since Clang 14 cannot capture a structured binding.
    const bool complete = std::ranges::all_of(notes, [&, &runs = settings](const auto& note) {
      return has_all_tuning_runs(*note.second, runs, repeat);
    });
    if (!complete) unfinished.add(cell_name(*settings.begin()->second.front(), keys));
  }
  if (unfinished.count == 0) return "";
  return fmt::format(
      "the choice of settings for {} is unfinished: tuning runs are missing, and with them other "
      "settings might be chosen",
      unfinished.text());
}

std::vector<RunRecord> with_other_repeats(std::vector<RunRecord> first,
                                          std::span<const RunRecord> in_file,
                                          const std::vector<std::string>& keys,
                                          const std::string& repeat) {
  std::vector<std::string> compared = keys;
  compared.insert(compared.end(), setting_keys.begin(), setting_keys.end());
  std::set<std::string> asked, known;
  std::vector<std::string> all = compared;
  all.push_back(repeat);
  for (const RunRecord& record : first) {
    asked.insert(values_of(record.configuration, compared));
    known.insert(values_of(record.configuration, all));
  }
  for (const RunRecord& record : in_file) {
    if (!asked.contains(values_of(record.configuration, compared))) continue;
    if (known.insert(values_of(record.configuration, all)).second) first.push_back(record);
  }
  return first;
}

}  // namespace probmix
