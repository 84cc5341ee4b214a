// Time series: a table of numbers whose rows have ascending dates at regular distances.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct TimeSeries {
  std::string source;              // for messages
  std::vector<std::int64_t> time;  // seconds since 1970 (data/date.hpp), ascending
  std::vector<std::string> columns;
  Matrix<double> values;  // rows × columns

  Index rows() const { return values.rows(); }
  std::string date(Index row) const;
  // The position of a column; throws a UsageError that lists the names there are.
  Index column(std::string_view name) const;
};

struct SeriesOptions {
  std::string date_column = "Date";
  std::vector<std::string> columns = {};  // empty: all others
  bool sort = false;                      // else unsorted dates are an error
  double max_gap_days = 0;                // 0: by the rule of data/gaps.hpp
  bool allow_gaps = false;
};

// Throws an Error of one line that names the lines and dates for dates that are malformed, doubled
// or unsorted, for gaps between them, and for fields that are not numbers.
TimeSeries read_time_series(const std::filesystem::path& path, const SeriesOptions& options = {});

}  // namespace probmix
