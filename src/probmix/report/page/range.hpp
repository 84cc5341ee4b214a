// The range of values that a chart shows.
#pragma once

#include <span>

namespace probmix::report {

struct Range {
  double low = 0;
  double high = 0;

  double size() const { return high - low; }
  // Grows to hold a value; non-finite values are ignored. Start from Range::nothing().
  void include(double value);
  void include(std::span<const double> values);
  static Range nothing();
};

// The range itself if it can be drawn; otherwise (empty, not finite, too narrow or too wide) a
// similar one that can.
Range drawable(Range range);

// The range of the data and of the edges of bands, with a margin. Bands extend it by at most half
// the extent of the data on each side, so that one method that explodes does not flatten the
// others. {0, 1} without data.
Range data_and_bands(Range data, std::span<const std::span<const double>> edges);

}  // namespace probmix::report
