// A series for tests of windows.
#pragma once

#include "probmix/data/date.hpp"
#include "probmix/data/time_series.hpp"

namespace probmix::test {

// Daily; the value of row r, column c is 10 r + c, so that every one is known by its value.
inline TimeSeries numbered_series(Index rows) {
  TimeSeries series;
  series.source = "series";
  series.columns = {"Open", "High", "Close"};
  series.values = Matrix<double>(rows, 3);
  for (Index r = 0; r < rows; ++r) {
    series.time.push_back(r * day_seconds);
    for (Index c = 0; c < 3; ++c) series.values(r, c) = static_cast<double>(10 * r + c);
  }
  return series;
}

}  // namespace probmix::test
