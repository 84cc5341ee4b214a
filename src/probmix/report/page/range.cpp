#include "probmix/report/page/range.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace probmix::report {

Range Range::nothing() {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return {infinity, -infinity};
}

void Range::include(double value) {
  if (!std::isfinite(value)) return;
  low = std::min(low, value);
  high = std::max(high, value);
}

void Range::include(std::span<const double> values) {
  for (double value : values) include(value);
}

Range drawable(Range range) {
  if (!std::isfinite(range.low) || !std::isfinite(range.high)) return {0, 1};
  if (range.low > range.high) std::swap(range.low, range.high);
  // A range too narrow for distinct pixels in double precision is drawn like a single value; one
  // too wide would overflow.
  constexpr double limit = 1e300;
  range = {std::clamp(range.low, -limit, limit), std::clamp(range.high, -limit, limit)};
  const double scale = std::max(std::abs(range.low), std::abs(range.high));
  if (range.size() > 1e-9 * scale && range.size() > 1e-300) return range;
  const double half = scale > 1e-290 ? 0.1 * scale : 0.5;
  return {range.low - half, range.high + half};
}

Range data_and_bands(Range data, std::span<const std::span<const double>> edges) {
  if (data.low > data.high) return {0, 1};
  const double beyond = 0.5 * data.size();
  const Range allowed{data.low - beyond, data.high + beyond};
  for (const auto edge : edges) {
    for (double y : edge) data.include(std::clamp(y, allowed.low, allowed.high));
  }
  const double margin = 0.05 * data.size();
  return {data.low - margin, data.high + margin};
}

}  // namespace probmix::report
