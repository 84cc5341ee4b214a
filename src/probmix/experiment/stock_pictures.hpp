// What is drawn of a run: the predictive bands of every window, and the densities with the best and
// the worst NLL of the training and of the test windows. Prices are in the units of the data.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "probmix/data/window_scaling.hpp"
#include "probmix/experiment/stocks.hpp"
#include "probmix/family/families.hpp"

namespace probmix {

// The windows of a part of the split with the network's outputs for them.
struct StockPart {
  std::string_view name;
  std::vector<Index> rows;  // windows by number
  Matrix<float> out;        // rows · members × outputs
  Matrix<double> y;         // standardised
};

// {"series": {"name", "time": [days since 1970], "value", "test_from", "validation_from"},
//  "bands": {"time", "mean", "lower95", "lower50", "upper50", "upper95"},
//  "densities": [{"part", "which": "best" or "worst", "time", "nll", "observed", "y", "density"}]}
// The days from which on rows are for test and, if it is a period of its own, for validation may be
// missing.
Json stock_pictures(const StockStudy& study, const StockData& data, const WindowScaler& scaler,
                    const Family& family, Index members, std::span<const StockPart> parts);

}  // namespace probmix
