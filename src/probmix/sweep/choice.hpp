// The paper does not say which α and β it used on real data: they are chosen here, for each method
// on each data set (a cell), by the NLL of validation rows.
//
// The choice is made on the repeats (splits or seeds) for tuning that all settings of a cell have,
// or on all that they have if none was for tuning. What is run afterwards, or was before, on other
// repeats does not change it: `reproduce` and `report` choose the same. Runs for tuning note among
// what is chosen, as {"alpha": [...], "beta": [...], "pooling": [...], "repeats": [...]}, which
// also lets a report tell a choice that was not finished.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/sweep/run_record.hpp"

namespace probmix {

// What settings are called in a configuration.
inline const std::vector<std::string> setting_keys = {"alpha", "beta", "pooling"};

struct Choice {
  std::vector<const RunRecord*> runs = {};  // in the order of the records
  std::string remark = {};                  // what a reader should know, on one line; mostly empty
};

// Of the runs whose configurations agree in `keys`, those with the best settings (alpha, beta,
// pooling): the fewest runs without a finite "/validation/nll", then the smallest mean of it, over
// the repeats (key `repeat`) for tuning that all settings have. Groups with one setting keep all
// their runs. If every setting failed on some run, or there is no repeat that all have (then the
// one with the most runs is taken), the remark says so.
Choice choose_settings(std::span<const RunRecord> records, const std::vector<std::string>& keys,
                       const std::string& repeat);
std::vector<const RunRecord*> best_settings(std::span<const RunRecord> records,
                                            const std::vector<std::string>& keys,
                                            const std::string& repeat);

// Empty, or a line on the cells that lack runs for tuning, as after a kill.
std::string unfinished_choices(std::span<const RunRecord> records,
                               const std::vector<std::string>& keys, const std::string& repeat);

// `first`, and those of a file that differ from them in the repeat alone.
std::vector<RunRecord> with_other_repeats(std::vector<RunRecord> first,
                                          std::span<const RunRecord> in_file,
                                          const std::vector<std::string>& keys,
                                          const std::string& repeat);

}  // namespace probmix
