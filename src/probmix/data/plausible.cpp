#include "probmix/data/plausible.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace probmix {
namespace {

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

}  // namespace

PlausibleRange plausible_range(std::span<const double> values) {
  constexpr double furthest = 1e5;
  constexpr double most_absurd = 0.01;  // of the values
  const auto [low, high] = std::ranges::minmax(values);
  std::vector<double> sorted(values.begin(), values.end());
  const double median = median_of(sorted);
  std::vector<double> distances;
  for (const double value : values) {
    if (value != median) distances.push_back(std::abs(value / 2 - median / 2));  // no overflow
  }
  if (distances.empty()) return {low, high};
  const double limit = furthest * median_of(distances);
  PlausibleRange range{median, median};
  std::size_t absurd = 0;
  for (const double value : values) {
    if (std::abs(value / 2 - median / 2) > limit) {
      ++absurd;
    } else {
      range.low = std::min(range.low, value);
      range.high = std::max(range.high, value);
    }
  }
  const bool is_few = static_cast<double>(absurd) <=
                      std::max(1.0, most_absurd * static_cast<double>(values.size()));
  return is_few ? range : PlausibleRange{low, high};
}

}  // namespace probmix
