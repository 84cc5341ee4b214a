// The K nearest other rows of every row of a table.
//
// Nearness is Euclidean distance, computed in double from the float features. Only the row itself
// is left out: its duplicates are neighbours at distance 0. Rows at equal distance are taken in the
// order of their numbers, so the result is one function of the data, whatever searched for it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Neighbours {
  Index rows = 0;
  Index k = 0;
  std::vector<std::uint32_t> flat;  // rows × k, nearest first

  std::span<const std::uint32_t> of(Index row) const {
    return {flat.data() + row * k, static_cast<std::size_t>(k)};
  }
};

// How to search; the answer is the same. `tree` is fast for data of few dimensions, `scan` compares
// all pairs, `automatic` tries the tree and changes to the scan if that is faster.
enum class Search { automatic, tree, scan };

// Throws a UsageError unless 1 <= k < x.rows, an Error if a value is not finite. Time: for the scan
// O(rows² cols); memory: O(rows (k + 1)) beyond x.
Neighbours k_nearest(View<const float> x, Index k, Search search = Search::automatic);

}  // namespace probmix
