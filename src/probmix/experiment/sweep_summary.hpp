// The records of a sweep, summed up.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/experiment/results_file.hpp"
#include "probmix/metric/summary.hpp"

namespace probmix {

// The records whose configurations agree in some keys.
struct RunGroup {
  Json keys;                           // these keys and their values
  std::vector<const RunRecord*> done;  // those that did not diverge
  std::size_t diverged = 0;

  // Mean and standard error of a number of the results, over those that are done. The number is
  // named by a JSON pointer: "/nll", "/ood/nll".
  MeanSe summary(const std::string& metric) const;
};

// The groups in the order of their first records, which must outlive them.
std::vector<RunGroup> group_runs(std::span<const RunRecord> records,
                                 const std::vector<std::string>& keys);

}  // namespace probmix
