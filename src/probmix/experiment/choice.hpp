// The paper does not say which α and β it used on real data: they are chosen here, for each method
// on each data set, by the NLL of validation rows.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/experiment/run_record.hpp"

namespace probmix {

// What settings are called in a configuration.
inline const std::vector<std::string> setting_keys = {"alpha", "beta", "pooling"};

// Of the runs whose configurations agree in `keys`, those with the best settings (alpha, beta,
// pooling): the smallest mean of "/validation/nll" over the repeats (key `repeat`) that all
// settings have. Settings with a diverged run among these lose against all others. Groups with one
// setting keep all their runs; settings without a common repeat are an Error. In the order of the
// records.
std::vector<const RunRecord*> best_settings(std::span<const RunRecord> records,
                                            const std::vector<std::string>& keys,
                                            const std::string& repeat);

}  // namespace probmix
