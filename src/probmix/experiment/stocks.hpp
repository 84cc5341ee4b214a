// The paper's financial forecasts: from W days of open, high, low and close prices the density of
// the close H days later. NLL and RMSE are in standardised units.
//
// The paper leaves the split, α, β, the batch and the variance floor open; the preset is explained
// in docs/results.
#pragma once

#include <cstdint>
#include <string>

#include "probmix/data/window_split.hpp"
#include "probmix/data/windows.hpp"
#include "probmix/experiment/configuration.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/fit.hpp"

namespace probmix {

struct StockStudy {
  SeriesOptions series;
  WindowOptions windows{.features = {"Open", "High", "Low", "Close"}};
  WindowSplitOptions split;
  Index members = 100;  // draws of z of a prediction
  std::uint64_t seed = 1;
  MixOptions mix;
  TrainOptions train{.epochs = 2000, .optimiser = {.learning_rate = 0.0005}};
  Architecture architecture{.kind = ArchitectureKind::lstm};
  FamilyOptions family{.positive = {Positive::Kind::exp, 1e-4}};
};

// One stock, cut into windows and split: the same for all runs and methods.
struct StockData {
  std::string name;
  TimeSeries series = {};
  Windows windows = {};
  WindowSplit split = {};
};

// Reads NAME.csv in the directory of the option --data, or of PROBMIX_DATA if it is empty. Throws
// an Error of one line that says what is missing or wrong.
StockData read_stock(const std::string& directory, const std::string& name,
                     const StockStudy& study);

// Throws a UsageError for what can be told to be wrong for this method before any training.
void check_stock_run(const StockStudy& study, const StockData& data, const Method& method);

// What a run is known by: dataset (its name, and a fingerprint of its numbers), arch, method, run and
// every option.
Json stock_configuration(const StockStudy& study, const StockData& data, const Method& method,
                         Index run);

// Run number `run` (0, 1, ...) of a method: {"train": {"nll", "draws_nll", "rmse"}, "validation",
// "test", "best_epoch"}. The first run also holds what is drawn of it (stock_pictures.hpp).
Json run_stock(const StockStudy& study, const StockData& data, const Method& method, Index run);

}  // namespace probmix
