#include "probmix/sweep/groups.hpp"

#include <algorithm>
#include <unordered_map>

#include "probmix/base/error.hpp"

namespace probmix {

std::optional<double> number_of(const RunRecord& run, const std::string& metric) {
  if (metric == "seconds") return run.seconds;
  const Json::json_pointer pointer(metric);
  if (!run.result.contains(pointer) || !run.result[pointer].is_number()) return {};
  return run.result[pointer].get<double>();
}

bool RunGroup::has(const std::string& metric) const {
  return std::ranges::all_of(
      done, [&](const RunRecord* run) { return number_of(*run, metric).has_value(); });
}

std::vector<double> RunGroup::values(const std::string& metric) const {
  std::vector<double> values;
  for (const RunRecord* run : done) {
    const std::optional<double> value = number_of(*run, metric);
    check(value.has_value(), "{}: the result has no number {}", name_of(*run), metric);
    values.push_back(*value);
  }
  return values;
}

std::vector<const RunRecord*> pointers_to(std::span<const RunRecord> records) {
  std::vector<const RunRecord*> pointers;
  for (const RunRecord& record : records) pointers.push_back(&record);
  return pointers;
}

namespace {

// The values of a key, each once, in the order of their first records.
std::vector<Json> values_of(const std::vector<const RunRecord*>& records, const std::string& key) {
  std::vector<Json> values;
  for (const RunRecord* record : records) {
    if (!record->configuration.contains(key)) continue;
    const Json& value = record->configuration[key];
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  }
  if (values.empty()) values.emplace_back();
  return values;
}

}  // namespace

std::vector<RunGroup> group_runs(const std::vector<const RunRecord*>& records,
                                 const std::vector<std::string>& keys) {
  std::vector<std::vector<Json>> all_values;
  for (const std::string& key : keys) all_values.push_back(values_of(records, key));
  std::vector<RunGroup> groups;
  std::unordered_map<std::string, std::size_t> positions;
  for (const RunRecord* record : records) {
    std::vector<Json> places = {Json::object()};  // the keys of the groups it belongs to
    for (std::size_t k = 0; k < keys.size(); ++k) {
      const Json& configuration = record->configuration;
      const std::vector<Json> values = configuration.contains(keys[k])
                                           ? std::vector<Json>{configuration[keys[k]]}
                                           : all_values[k];
      std::vector<Json> more;
      for (const Json& place : places) {
        for (const Json& value : values) {
          more.push_back(place);
          more.back()[keys[k]] = value;
        }
      }
      places = std::move(more);
    }
    for (Json& place : places) {
      const auto [found, is_new] = positions.emplace(run_identity(place), groups.size());
      if (is_new) groups.push_back({.keys = std::move(place)});
      RunGroup& group = groups[found->second];
      if (record->status == RunStatus::done) {
        group.done.push_back(record);
      } else {
        ++group.diverged;
      }
    }
  }
  return groups;
}

}  // namespace probmix
