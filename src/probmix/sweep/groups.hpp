// The records of a study, put together by what their configurations have in common.
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
  Json keys = {};                           // these keys and their values
  std::vector<const RunRecord*> done = {};  // those that did not diverge
  Index diverged = 0;

  // A number of the results that are done, in their order. It is named by a JSON pointer: "/nll",
  // "/ood/nll".
  std::vector<double> values(const std::string& metric) const;
  MeanSe summary(const std::string& metric) const { return mean_se(values(metric)); }
};

std::vector<const RunRecord*> pointers_to(std::span<const RunRecord> records);

// The groups in the order of their first records, which must outlive them. A configuration without
// one of the keys makes no use of that option: it stands in the groups of all values that the
// others have, and if none has any, of null.
std::vector<RunGroup> group_runs(const std::vector<const RunRecord*>& records,
                                 const std::vector<std::string>& keys);

}  // namespace probmix
