#include "probmix/report/axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "probmix/report/text.hpp"

namespace probmix {

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
  // Too narrow for distinct pixels in double precision counts as a single value, too wide would
  // overflow.
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

std::vector<Tick> nice_ticks(Range range, int count) {
  range = drawable(range);
  const double rough = range.size() / std::max(1, count);
  const int exponent = static_cast<int>(std::floor(std::log10(rough)));
  const double unit = std::pow(10.0, exponent);
  const double fraction = rough / unit;
  // Nearest of 1, 2, 5, 10 on a logarithmic scale.
  const double nice = fraction < std::sqrt(2.0)    ? 1
                      : fraction < std::sqrt(10.0) ? 2
                      : fraction < std::sqrt(50.0) ? 5
                                                   : 10;
  const double step = nice * unit;
  const int digits = nice == 10 ? exponent + 1 : exponent;
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  const bool scientific = largest >= 1e5 || digits < -4;
  const int precision = std::max(1, static_cast<int>(std::floor(std::log10(largest))) - digits + 1);
  std::vector<Tick> ticks;
  // A tolerance, so that an end of the range that is a tick up to rounding counts.
  const double last = std::floor(range.high / step + 1e-9);
  for (double k = std::ceil(range.low / step - 1e-9); k <= last; ++k) {
    const double value = k == 0 ? 0.0 : k * step;
    ticks.push_back({value, scientific ? fmt::format("{:.{}g}", value, precision)
                                       : format_fixed(value, std::max(0, -digits))});
  }
  return ticks;
}

}  // namespace probmix
