// Time in charts: days since 1970-01-01 here, milliseconds in Vega; where lines break.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "probmix/base/json.hpp"

namespace probmix::report {

// Where a line or band breaks instead of being drawn through: before each index returned, the step
// of time exceeds the median step by more than half of it and by more than four days. Weekends and
// holidays of daily data pass, a week without windows does not; of weekly or monthly windows a
// single missing one breaks. Steps that are not finite do not count.
std::vector<std::size_t> time_gaps(std::span<const double> time);

// The values with a NaN, at which a chart breaks, before each gap.
std::vector<double> broken(std::span<const double> values, std::span<const std::size_t> gaps);

// The times, in milliseconds, of broken values: a break lies in its gap, as Vega-Lite sorts lines
// by time.
std::vector<double> broken_times(std::span<const double> days, std::span<const std::size_t> gaps);

double milliseconds(double day);

// A field of milliseconds on an axis of dates. The first label tells the year, others what changed.
Json time_axis(std::string_view field);

}  // namespace probmix::report
