// Sliding windows of a series: `window` rows in, one value `horizon` rows later out.
#pragma once

#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/data/time_series.hpp"

namespace probmix {

struct WindowOptions {
  Index window = 42;
  Index horizon = 21;
  std::vector<std::string> features = {};  // empty: all columns
  std::string target = "Close";
};

// Window i has the rows first[i] ... first[i] + window − 1 of the series; its target is the row
// target[i] = first[i] + window − 1 + horizon. Windows ascend in time, one for each first row.
struct Windows {
  std::string source;  // of the series, for messages
  Index window = 0;
  Index horizon = 0;
  Index channels = 0;
  Matrix<double> x;  // windows × (window · channels), step by step: all channels of a step together
  Matrix<double> y;  // windows × 1
  std::vector<Index> first;
  std::vector<Index> target;

  Index count() const { return x.rows(); }
};

Windows make_windows(const TimeSeries& series, const WindowOptions& options = {});

}  // namespace probmix
