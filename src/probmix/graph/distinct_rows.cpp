// Grouping of equal rows, by sorting.
#include <numeric>

#include "probmix/graph/search.hpp"

namespace probmix {

DistinctRows::DistinctRows(View<const float> x) : x_(x), order_(to_size(x.rows)) {
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare_three_way(x.row(a), x.row(a) + x.cols, x.row(b),
                                                  x.row(b) + x.cols);
  };
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
    const auto order = compare(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  for (std::uint32_t at = 0; at < order_.size(); ++at) {
    if (at == 0 || compare(order_[at - 1], order_[at]) != 0) {
      groups_.push_back({order_[at], at, 0});
    }
    ++groups_.back().count;
  }
  std::ranges::sort(groups_, {}, &Group::first);
}

void DistinctRows::store(Index u, std::span<const Candidate> nearest, Neighbours& out) const {
  NearestSets sets(1, out.k + 1);
  NearestSet rows = sets[0];
  for (const Candidate& candidate : nearest) {
    for (const std::uint32_t row : members(candidate.row)) {
      if (!rows.offer({candidate.distance, row})) break;  // the rest are no better
    }
  }
  const auto sorted = rows.sorted();
  for (const std::uint32_t row : members(u)) {
    std::uint32_t* next = out.flat.data() + static_cast<Index>(row) * out.k;
    std::uint32_t* const end = next + out.k;
    for (const Candidate& candidate : sorted) {
      if (next == end) break;
      if (candidate.row != row) *next++ = candidate.row;
    }
  }
}

}  // namespace probmix
