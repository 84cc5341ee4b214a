// Ranges of values, and round numbers to label them with.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace probmix {

struct Range {
  double low = 0;
  double high = 0;

  double size() const { return high - low; }
  // Grows to hold a value; one that is not finite is ignored. Start from Range::nothing().
  void include(double value);
  void include(std::span<const double> values);
  static Range nothing();
};

struct Tick {
  double value = 0;
  std::string label;
};

// The range itself if it can be drawn, else (empty, not finite, too narrow, too wide) a near one
// that can.
Range drawable(Range range);

// The data with edges of bands, these only up to half the extent of the data beyond it, so that one
// method that explodes does not flatten the others, and a margin. A range of nothing gives {0, 1}.
Range data_and_bands(Range data, std::span<const std::span<const double>> edges);

// Multiples of 1, 2 or 5 times a power of ten inside the range, about `count` of them, with labels
// of equal digits.
std::vector<Tick> nice_ticks(Range range, int count);

}  // namespace probmix
