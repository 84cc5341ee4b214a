// Time in charts: days since 1970-01-01 here, milliseconds in Vega; and where lines break.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "probmix/base/json.hpp"

namespace probmix::report {

// The indices before which a line or band breaks: where the step of time exceeds the median step by
// more than half of it and by more than four days. Weekends and holidays in daily data do not break
// a line, a week without windows does, and so does a single missing week or month in weekly or
// monthly data. Steps that are not finite are ignored.
std::vector<std::size_t> time_gaps(std::span<const double> time);

// The values with a NaN inserted at each gap, where a chart breaks its line.
std::vector<double> broken(std::span<const double> values, std::span<const std::size_t> gaps);

// The times of broken values in milliseconds; the NaN gets a time inside the gap, as Vega-Lite
// sorts lines by time.
std::vector<double> broken_times(std::span<const double> days, std::span<const std::size_t> gaps);

double milliseconds(double day);

// A field of milliseconds on an axis of dates. The first label has the year, the others what
// changed.
Json time_axis(std::string_view field);

}  // namespace probmix::report
