// The paper's financial forecasts: W days of open, high, low and close prices predict the density
// of the close H days later. NLL and RMSE are in standardised units.
//
// The paper leaves the split, α, β, the batch and the variance floor open; the preset is explained
// in docs/results.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "probmix/sweep/study_data.hpp"

namespace probmix {

inline constexpr std::string_view stock_files =
    "a directory with files such as stocks/GOOG.csv: daily Open, High, Low and Close from "
    "2019-01-02 to 2020-12-31, for example from Yahoo Finance, with the header "
    "Date,Open,High,Low,Close and ISO dates in ascending order";

FitOptions stock_options();

struct StockSplit {
  double test = 0.2;  // the test period, as a share of the rows, taken from the end
  bool sort = false;  // sort rows by date; if false, unsorted rows are an error
};

// Reads stocks/NAME.csv, or NAME.csv, in a directory. Repeats are runs with different seeds. The
// first run also records data for charts (stock_pictures.hpp). Throws a one-line Error that says
// what is missing or wrong.
std::shared_ptr<const StudyData> read_stock(const std::filesystem::path& directory,
                                            const std::string& name, const StockSplit& split,
                                            const FitOptions& options);

}  // namespace probmix
