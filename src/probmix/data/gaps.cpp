#include "probmix/data/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

namespace probmix {

Distances measure_distances(std::span<const std::int64_t> time) {
  std::vector<std::int64_t> sorted;
  for (std::size_t i = 1; i < time.size(); ++i) sorted.push_back(time[i] - time[i - 1]);
  std::ranges::sort(sorted, std::greater());
  const std::size_t n = sorted.size();
  const std::size_t aside = std::max(n / 100, std::min<std::size_t>(3, n / 8));

  Distances distances;
  distances.usual = sorted[n / 2];
  distances.longest = sorted[aside];
  const auto near = std::ranges::count_if(
      sorted, [&](std::int64_t d) { return 3 * std::abs(d - distances.usual) <= distances.usual; });
  distances.regular = 2 * static_cast<std::size_t>(near) >= n;
  return distances;
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
