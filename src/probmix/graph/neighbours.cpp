#include "probmix/graph/neighbours.hpp"

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/graph/searches.hpp"

namespace probmix {

namespace {

// A pair of the scan costs about as much as cols + 20 multiply-adds; this many take 10 s on a core.
constexpr double most_work = 4e11;

}  // namespace

// At least the forest's own work: an exact search that costs less is preferred.
double most_exact_pairs(Index size, Index cols) {
  const Forest forest;
  const auto forest_pairs = static_cast<double>(size * forest.trees * forest.leaf_rows);
  return std::max(most_work / static_cast<double>(cols + 20), forest_pairs);
}

Search search_by(Search search, const DistinctRows& distinct, Neighbours& out, Index threads,
                 double limit) {
  const auto size = static_cast<double>(distinct.size());
  const bool exact = search == Search::automatic ? size * size <= limit : search != Search::forest;
  if (search != Search::scan && search != Search::forest && distinct.cols() > 0) {
    const double most_pairs = search == Search::tree ? std::numeric_limits<double>::infinity()
                              : exact                ? size * size
                                                     : limit;
    if (search_tree(distinct, out, threads, most_pairs)) return Search::tree;
  }
  if (exact) {
    search_scan(distinct, out, threads);
    return Search::scan;
  }
  search_forest(distinct, out, threads);
  return Search::forest;
}

Neighbours k_nearest(View<const float> x, Index k, Search search, Index threads) {
  check_usage(k >= 1 && k < x.rows,
              "K (number of neighbours) must lie in [1, n-1] with n = {} rows, but it is {}",
              x.rows, k);
  check_usage(x.rows <= std::numeric_limits<std::uint32_t>::max(),
              "nearest neighbours are limited to 2^32 - 1 rows, but there are {}", x.rows);
  check_usage(threads >= 1, "the number of threads must be at least 1, but it is {}", threads);
  for (Index row = 0; row < x.rows; ++row) {
    for (Index col = 0; col < x.cols; ++col) {
      check(std::isfinite(x(row, col)),
            "nearest neighbours need finite features, but row {}, feature {} is {}", row + 1,
            col + 1, x(row, col));
    }
  }

  Neighbours out{x.rows, k, std::vector<std::uint32_t>(to_size(x.rows * k))};
  const DistinctRows distinct(x);
  out.used =
      search_by(search, distinct, out, threads, most_exact_pairs(distinct.size(), distinct.cols()));
  return out;
}

}  // namespace probmix
