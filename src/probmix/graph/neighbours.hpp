// The K nearest other rows of every row of a table.
//
// Nearness is Euclidean distance, computed in double from the float features. Only the row itself
// is left out: its duplicates are neighbours at distance 0. Rows at equal distance are taken in the
// order of their numbers, so every exact search gives the same result.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

// How to search. `tree` (a kd-tree) is fast for data of few dimensions, `scan` compares all pairs,
// `exact` takes the faster of the two: all three give the same answer. `forest` (random trees) is
// approximate: it may miss some of the nearest rows and return the next nearest instead.
// `automatic` is exact up to a limit of work, beyond which it uses the forest.
enum class Search { automatic, exact, tree, scan, forest };

struct Neighbours {
  Index rows = 0;
  Index k = 0;
  std::vector<std::uint32_t> flat;  // rows × k, nearest first
  Search used = Search::scan;       // tree, scan or forest

  bool exact() const { return used != Search::forest; }
  std::span<const std::uint32_t> of(Index row) const {
    return {flat.data() + row * k, static_cast<std::size_t>(k)};
  }
};

// Time on one core, n distinct rows of d columns (duplicates cost nothing but a sort):
//   scan    n² (d + 20) / (4·10^10 per second): 10^5 rows of 20 columns take 10 s
//   tree    n log n for data of few dimensions, worse than the scan for many
//   forest  n (log n + d): 10^6 rows of 20 columns take about a minute
// `automatic` is exact as long as that takes about 10 s at most (n = 100,000 for d = 20, 46,000 for
// d = 168; any n where the tree is fast), or no longer than the forest. Memory beyond x and the
// result: 16 bytes a row, for the forest 40 + 16 (k + 1) + 4 log2(n / 512).
//
// The forest's recall, that is the share of the true neighbours among those found, for k = 5 and
// independent normal features in 20 columns (the hardest case): 0.99 of 10^5 rows, 0.93 of 10^6.
// With five factors and noise in 20 columns it is 1.00. Distances, order and ties are exact among
// the rows found.
//
// The result depends neither on the number of threads nor on timing. Throws a UsageError unless
// 1 <= k < x.rows and threads >= 1, an Error if a value is not finite.
Neighbours k_nearest(View<const float> x, Index k, Search search = Search::automatic,
                     Index threads = 1);

}  // namespace probmix
