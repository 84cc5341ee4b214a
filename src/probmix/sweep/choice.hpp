// The paper does not say which α and β it used on real data. Here they are chosen for each cell (a
// method on a data set) by the NLL of its validation rows.
//
// Settings are compared on the tuning repeats (splits or seeds) that all settings of a cell have,
// or on all repeats that they share if none was for tuning. Runs on other repeats, earlier or
// later, do not change the choice: `reproduce` and `report` choose the same. A tuning run records
// the candidates as {"alpha": [...], "beta": [...], "pooling": [...], "repeats": [...]}, so that a
// report can also recognise an unfinished choice.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/sweep/run_record.hpp"

namespace probmix {

// The keys of the settings in a configuration.
inline const std::vector<std::string> setting_keys = {"alpha", "beta", "pooling"};

struct Choice {
  std::vector<const RunRecord*> runs = {};  // in the order of the records
  std::string remark = {};                  // one line for the reader; usually empty
};

// For each group of runs that agree in `keys`, the runs with the best settings (alpha, beta,
// pooling): the fewest runs without a finite "/validation/nll", then the smallest mean of it, over
// the tuning repeats (key `repeat`) that all settings have. Groups with one setting keep all their
// runs. The remark says if every setting failed on some run, or if the settings have no repeat in
// common (the one with the most runs is then taken).
Choice choose_settings(std::span<const RunRecord> records, const std::vector<std::string>& keys,
                       const std::string& repeat);
std::vector<const RunRecord*> best_settings(std::span<const RunRecord> records,
                                            const std::vector<std::string>& keys,
                                            const std::string& repeat);

// A line on the cells that lack tuning runs, for example after an interruption; empty if none does.
std::string unfinished_choices(std::span<const RunRecord> records,
                               const std::vector<std::string>& keys, const std::string& repeat);

// `first`, plus the records of a file that differ from them only in the repeat.
std::vector<RunRecord> with_other_repeats(std::vector<RunRecord> first,
                                          std::span<const RunRecord> in_file,
                                          const std::vector<std::string>& keys,
                                          const std::string& repeat);

}  // namespace probmix
