// Dates to label an axis with: x counts days since 1970-01-01.
#pragma once

#include <string>
#include <vector>

#include "probmix/report/axis.hpp"

namespace probmix {

// "2020-04-08"; the number itself outside of the years 1 to 9999.
std::string day_text(double days);

// Starts of years, half-years, quarters or months, or days of a month, inside the range and at
// least size / count apart. A tick tells what changed: "2020" at a new year, "Apr" at a new month,
// else the day; the first one tells all: "2019-04", "2019-04-08". Numbers outside of the years 1
// to 9999.
std::vector<Tick> date_ticks(Range range, int count);

}  // namespace probmix
