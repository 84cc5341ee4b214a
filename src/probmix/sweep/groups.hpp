// The records of a study, grouped by values of their configurations.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/metric/summary.hpp"
#include "probmix/sweep/run_record.hpp"

namespace probmix {

// The records whose configurations agree in some keys.
struct RunGroup {
  Json keys = {};                           // these keys with their values
  std::vector<const RunRecord*> done = {};  // the runs that did not diverge
  Index diverged = 0;

  // One number from each result in `done`, in order. `metric` is a JSON pointer: "/nll",
  // "/ood/nll".
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
