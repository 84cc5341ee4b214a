#include "probmix/experiment/sweep_summary.hpp"

#include <unordered_map>

#include "probmix/base/error.hpp"

namespace probmix {

MeanSe RunGroup::summary(const std::string& metric) const {
  const Json::json_pointer pointer(metric);
  std::vector<double> values;
  for (const RunRecord* run : done) {
    const bool found = run->result.contains(pointer) && run->result[pointer].is_number();
    check(found, "the result of the run {} has no number {}", run_identity(run->configuration),
          metric);
    values.push_back(run->result[pointer]);
  }
  return mean_se(values);
}

std::vector<RunGroup> group_runs(std::span<const RunRecord> records,
                                 const std::vector<std::string>& keys) {
  std::vector<RunGroup> groups;
  std::unordered_map<std::string, std::size_t> positions;
  for (const RunRecord& record : records) {
    Json values = Json::object();
    for (const std::string& key : keys) {
      check(record.configuration.contains(key), "the configuration of the run {} has no key '{}'",
            run_identity(record.configuration), key);
      values[key] = record.configuration[key];
    }
    const auto [found, is_new] = positions.emplace(run_identity(values), groups.size());
    if (is_new) groups.push_back({.keys = values, .done = {}, .diverged = 0});
    RunGroup& group = groups[found->second];
    if (record.status == RunStatus::done) {
      group.done.push_back(&record);
    } else {
      ++group.diverged;
    }
  }
  return groups;
}

}  // namespace probmix
