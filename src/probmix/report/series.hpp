// Predictions of a time series over time: the series, and at the date of each target the mean and
// the bands of its predictive density.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probmix/report/axis.hpp"

namespace probmix {

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
  // Equal in pictures that are to be compared (see common_y_range).
  std::optional<Range> y_range;
  // First day of the validation period, if it is a period of its own before test_from.
  std::optional<double> validation_from = std::nullopt;
};

// Where a line or band breaks instead of being drawn through: before each index returned, the step
// of time exceeds the median step by more than half of it and by more than four days. Weekends and
// holidays of daily data pass, a week without windows does not; of weekly or monthly windows a
// single missing one breaks. Steps that are not finite do not count.
std::vector<std::size_t> time_gaps(std::span<const double> time);

// A y range for all pictures: it holds the series, and bands up to half its extent beyond it.
Range common_y_range(std::span<const SeriesPicture> pictures);

// Throws if vectors that belong together differ in length, or times descend.
std::string series_chart(const SeriesPicture& picture);

// The legend of what occurs in the pictures, to be shown once above them.
std::string series_legend(std::span<const SeriesPicture> pictures);

}  // namespace probmix
