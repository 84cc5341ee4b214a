#include "probmix/data/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "probmix/data/date.hpp"

namespace probmix {
namespace {

// At least one on every second of the days, or weeks, that have rows.
bool has_pauses(std::span<const std::int64_t> time, std::int64_t usual) {
  const std::int64_t period = 2 * usual < day_seconds ? day_seconds : 7 * day_seconds;
  Index periods = 1;
  Index pauses = 0;
  for (std::size_t i = 1; i < time.size(); ++i) {
    periods += time[i] / period != time[i - 1] / period;
    pauses += time[i] - time[i - 1] > 2 * usual;
  }
  return 2 * pauses >= periods;
}

}  // namespace

Distances measure_distances(std::span<const std::int64_t> time) {
  std::vector<std::int64_t> sorted;
  for (std::size_t i = 1; i < time.size(); ++i) sorted.push_back(time[i] - time[i - 1]);
  std::ranges::sort(sorted);
  const std::int64_t usual = sorted[(sorted.size() - 1) / 2];
  const auto near = std::ranges::count_if(
      sorted, [&](std::int64_t d) { return 3 * std::abs(d - usual) <= usual; });
  return {.usual = usual,
          .regular = 2 * near >= std::ssize(sorted),
          .has_pauses = has_pauses(time, usual)};
}

std::int64_t gap_limit(const Distances& distances) {
  return std::max(3 * distances.usual, distances.has_pauses ? 12 * day_seconds : 0);
}

Gaps find_gaps(std::span<const std::int64_t> time, double limit) {
  Gaps gaps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (static_cast<double>(time[i] - time[i - 1]) <= limit) continue;
    if (gaps.count++ == 0) gaps.first = static_cast<Index>(i) - 1;
  }
  return gaps;
}

}  // namespace probmix
