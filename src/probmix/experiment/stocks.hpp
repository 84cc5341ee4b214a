// The paper's financial forecasts: from W days of open, high, low and close prices the density of
// the close H days later. NLL and RMSE are in standardised units.
//
// The paper leaves the split, α, β, the batch and the variance floor open; the preset is explained
// in docs/results.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/data/window_split.hpp"
#include "probmix/data/windows.hpp"
#include "probmix/experiment/study.hpp"
#include "probmix/experiment/trial.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix {

// The windows whose mean and deviation standardise prices: those of training, or all, which looks
// ahead; docs/results/stocks.md shows that the paper's figures are nearer to the latter.
enum class ScaleBy { training, all };
inline constexpr std::array<std::string_view, 2> scale_by_names = {"training", "all"};

struct StockStudy {
  SeriesOptions series;
  WindowOptions windows{.features = {"Open", "High", "Low", "Close"}};
  WindowSplitOptions split;
  ScaleBy scale_by = ScaleBy::training;
  std::uint64_t seed = 1;
  TrialOptions trial{.train = {.epochs = 2000, .optimiser = {.learning_rate = 0.0005}}};
  Architecture architecture{.kind = ArchitectureKind::lstm};
  FamilyOptions family{.positive = {Positive::Kind::exp, 1e-4}};
};

// One stock, cut into windows and split: the same for all runs and methods.
struct StockData {
  std::string name;
  TimeSeries series = {};
  Windows windows = {};
  WindowSplit split = {};
  std::vector<Index> scaling_windows = {};  // by number: whose mean and deviation are taken
};

// Reads NAME.csv in the directory of the option --data, or of PROBMIX_DATA if it is empty. Throws
// an Error of one line that says what is missing or wrong.
StockData read_stock(const std::string& directory, const std::string& name,
                     const StockStudy& study);

// What a run is known by: dataset (its name, and a fingerprint of its numbers), arch, method, run
// and every option.
Json configuration_of(const StockStudy& study, const StockData& data, const Method& method,
                      Index run);

// Run number `run` (0, 1, ...) of a method: {"train", "validation", "test"} with the scores of
// each, and what the training says of itself. The first run also holds what is drawn of it
// (stock_pictures.hpp).
Json run_stock(const StockStudy& study, const StockData& data, const Method& method, Index run);

// One cell for each architecture, stock and method; its repeats are runs. The data must outlive
// them.
std::vector<StudyCell> stock_cells(const StockStudy& study,
                                   const std::vector<ArchitectureKind>& architectures,
                                   const std::vector<StockData>& stocks,
                                   const std::vector<const Method*>& chosen);

}  // namespace probmix
