// The records of a study, grouped by values of their configurations.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/metric/summary.hpp"
#include "probmix/sweep/run_record.hpp"

namespace probmix {

// A number of a finished run: of its result if `metric` is a JSON pointer ("/nll", "/ood/nll"), or
// "seconds", its duration. Nothing if the result has no such number.
std::optional<double> number_of(const RunRecord& run, const std::string& metric);

// The records whose configurations agree in some keys.
struct RunGroup {
  Json keys = {};                           // these keys with their values
  std::vector<const RunRecord*> done = {};  // the runs that did not diverge
  Index diverged = 0;

  // One number of each run in `done`, in order.
  std::vector<double> values(const std::string& metric) const;
  // Whether all that are done have it.
  bool has(const std::string& metric) const;
  MeanSe summary(const std::string& metric) const { return mean_se(values(metric)); }
};

std::vector<const RunRecord*> pointers_to(std::span<const RunRecord> records);

// Groups in the order of their first records, which must outlive them. A configuration without one
// of the keys does not use that option: it belongs to the groups of all values that other records
// have, or to the group of null if no record has one.
std::vector<RunGroup> group_runs(const std::vector<const RunRecord*>& records,
                                 const std::vector<std::string>& keys);

}  // namespace probmix
