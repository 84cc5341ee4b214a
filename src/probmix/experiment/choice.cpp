#include "probmix/experiment/choice.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "probmix/base/error.hpp"

namespace probmix {

namespace {

using Runs = std::vector<const RunRecord*>;

// The values of some keys, as text; a key that is not there (the method makes no use of it) is
// null.
std::string values_of(const Json& configuration, const std::vector<std::string>& keys) {
  Json values = Json::object();
  for (const std::string& key : keys) {
    values[key] = configuration.contains(key) ? configuration[key] : Json();
  }
  return run_identity(values);
}

double validation_nll(const RunRecord& run) {
  static const Json::json_pointer pointer("/validation/nll");
  if (run.status != RunStatus::done) return std::numeric_limits<double>::infinity();
  check(run.result.contains(pointer) && run.result[pointer].is_number(),
        "the result of the run {} has no number /validation/nll", run_identity(run.configuration));
  const double nll = run.result[pointer];
  return nll == nll ? nll : std::numeric_limits<double>::infinity();
}

// The runs of the best of several settings.
const Runs& best_of(const std::string& cell, const std::map<std::string, Runs>& settings,
                    const std::string& repeat) {
  std::map<std::string, std::size_t> seen;  // in how many settings a repeat occurs
  for (const auto& [name, runs] : settings) {
    for (const RunRecord* run : runs) ++seen[values_of(run->configuration, {repeat})];
  }
  const bool common =
      std::ranges::any_of(seen, [&](const auto& entry) { return entry.second == settings.size(); });
  check(common, "the settings of {} have no {} in common on which they could be compared", cell,
        repeat);
  const Runs* best = nullptr;
  double smallest = 0;
  for (const auto& [name, runs] : settings) {
    double sum = 0;
    for (const RunRecord* run : runs) {
      if (seen[values_of(run->configuration, {repeat})] == settings.size()) {
        sum += validation_nll(*run);
      }
    }
    if (best == nullptr || sum < smallest) {
      best = &runs;
      smallest = sum;
    }
  }
  return *best;
}

}  // namespace

std::vector<const RunRecord*> best_settings(std::span<const RunRecord> records,
                                            const std::vector<std::string>& keys,
                                            const std::string& repeat) {
  std::map<std::string, std::map<std::string, Runs>> cells;
  for (const RunRecord& record : records) {
    const Json& configuration = record.configuration;
    cells[values_of(configuration, keys)][values_of(configuration, setting_keys)].push_back(
        &record);
  }
  Runs chosen;
  for (const auto& [cell, settings] : cells) {
    const Runs& best = best_of(cell, settings, repeat);
    chosen.insert(chosen.end(), best.begin(), best.end());
  }
  std::ranges::sort(chosen);  // records stand in one array
  return chosen;
}

}  // namespace probmix
