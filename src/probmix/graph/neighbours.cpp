#include "probmix/graph/neighbours.hpp"

#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/graph/search.hpp"

namespace probmix {

DistinctRows::DistinctRows(View<const float> x) : x_(x), order_(static_cast<std::size_t>(x.rows)) {
  const auto compare = [&](std::uint32_t a, std::uint32_t b) {
    return std::lexicographical_compare_three_way(x.row(a), x.row(a) + x.cols, x.row(b),
                                                  x.row(b) + x.cols);
  };
  std::iota(order_.begin(), order_.end(), 0U);
  std::sort(order_.begin(), order_.end(), [&](std::uint32_t a, std::uint32_t b) {
    const auto order = compare(a, b);
    return order != 0 ? order < 0 : a < b;
  });
  for (std::size_t at = 0; at < order_.size(); ++at) {
    if (at == 0 || compare(order_[at - 1], order_[at]) != 0) start_.push_back(at);
  }
  start_.push_back(order_.size());
}

void DistinctRows::store(Index u, std::span<const Candidate> nearest, Neighbours& out) const {
  for (const std::uint32_t row : members(u)) {
    std::uint32_t* next = out.flat.data() + static_cast<Index>(row) * out.k;
    std::uint32_t* const end = next + out.k;
    for (const Candidate& candidate : nearest) {
      if (next == end) break;
      if (candidate.row != row) *next++ = candidate.row;
    }
  }
}

Neighbours k_nearest(View<const float> x, Index k, Search search) {
  check_usage(k >= 1 && k < x.rows,
              "K (number of neighbours) must lie in [1, n-1] with n = {} rows, but it is {}",
              x.rows, k);
  check_usage(x.rows <= std::numeric_limits<std::uint32_t>::max(),
              "nearest neighbours are limited to 2^32 - 1 rows, but there are {}", x.rows);
  for (Index row = 0; row < x.rows; ++row) {
    for (Index col = 0; col < x.cols; ++col) {
      check(std::isfinite(x(row, col)),
            "nearest neighbours need finite features, but row {}, feature {} is {}", row + 1,
            col + 1, x(row, col));
    }
  }

  Neighbours out{x.rows, k, std::vector<std::uint32_t>(static_cast<std::size_t>(x.rows * k))};
  const DistinctRows distinct(x);
  const bool try_tree = search != Search::scan && x.cols > 0;
  if (!try_tree || !search_tree(distinct, out, search == Search::automatic)) {
    search_scan(distinct, out);
  }
  return out;
}

}  // namespace probmix
