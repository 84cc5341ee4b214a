// A time series with its forecasts: the mean and the bands of each predictive density, at the date
// it is for.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/report/page/range.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

struct SeriesPicture {
  std::string title;
  std::string caption;
  // The series; times here and below are days since 1970-01-01, ascending.
  std::vector<double> time, value;
  // One prediction per window, at the date of its target.
  std::vector<double> target_time, mean, lower95, lower50, upper50, upper95;
  // First day of the test period, which is shaded; infinity if there is none.
  double test_from = std::numeric_limits<double>::infinity();
  std::string y_label;
  // Set it to the same in pictures to be compared (see common_y_range).
  std::optional<Range> y_range;
  // First day of the validation period, if there is a separate one before test_from.
  std::optional<double> validation_from = std::nullopt;
};

// A y range for all pictures: the series, and bands up to half its extent beyond it.
Range common_y_range(std::span<const SeriesPicture> pictures);

// Throws if vectors that belong together differ in length, or times descend.
Figure series_chart(const SeriesPicture& picture);

// A legend for all pictures, to be shown once above them.
std::vector<LegendItem> series_legend(std::span<const SeriesPicture> pictures);

}  // namespace probmix::report
