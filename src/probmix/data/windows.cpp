#include "probmix/data/windows.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"

namespace probmix {

Windows make_windows(const TimeSeries& series, const WindowOptions& options) {
  constexpr Index kLongest = 1'000'000;
  check_range("the window (in rows)", options.window, 1, kLongest);
  check_range("the horizon (in rows)", options.horizon, 1, kLongest);  // 0 would be an input
  const Index target = series.column(options.target);
  std::vector<Index> features;
  for (const std::string& name : options.features.empty() ? series.columns : options.features) {
    features.push_back(series.column(name));
    check_usage(std::ranges::count(features, features.back()) == 1,
                "the feature {} is asked for twice", in_quotes(name));
  }
  const Index count = series.rows() - options.window - options.horizon + 1;
  check(count >= 1,
        "{}: a window of {} rows and a horizon of {} need {} rows, but the series has {}; shorten "
        "the window or the horizon",
        series.source, options.window, options.horizon, options.window + options.horizon,
        series.rows());

  Windows windows;
  windows.source = series.source;
  windows.window = options.window;
  windows.horizon = options.horizon;
  windows.channels = static_cast<Index>(features.size());
  windows.x = Matrix<double>(count, options.window * windows.channels);
  windows.y = Matrix<double>(count, 1);
  for (Index i = 0; i < count; ++i) {
    double* x = windows.x.row(i);
    for (Index r = i; r < i + options.window; ++r) {
      for (const Index c : features) *x++ = series.values(r, c);
    }
    windows.first.push_back(i);
    windows.target.push_back(i + options.window - 1 + options.horizon);
    windows.y(i, 0) = series.values(windows.target.back(), target);
  }
  return windows;
}

}  // namespace probmix
