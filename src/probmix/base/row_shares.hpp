// How rows are divided among threads. A share is one thread's unit of work, processed in tiles that
// fit the cache. Neither depends on the number of threads: rows are summed within each share and
// then over the shares in order, so the sums are the same to the last bit for any thread count.
#pragma once

#include <algorithm>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Rows {
  Index first = 0;
  Index count = 0;
};

// Part `k` of `parts` nearly equal parts of the rows; parts start at multiples of `granule` rows
// (16: whole cache lines of any matrix).
inline Rows part_of(Rows rows, Index parts, Index k, Index granule = 16) {
  const auto start = [&](Index p) {
    return p == parts ? rows.count : rows.count * p / parts / granule * granule;
  };
  return {rows.first + start(k), start(k + 1) - start(k)};
}

inline constexpr Index max_shares = 16;

// A share of fewer rows is not worth the gradient that each share accumulates on its own. Rows that
// are sequences (`steps` > 1) are more work each, so their shares may be smaller.
inline Index share_count(Index rows, Index steps = 1) {
  return std::clamp<Index>(rows / (steps == 1 ? 256 : 128), 1, max_shares);
}

// The most rows of a tile: tiles start and end at granules, so one may exceed `wanted`.
inline Index highest_tile(Index wanted, Index granule = 16) { return wanted + granule; }

// Calls work(tile) for the tiles of a share, each of about `wanted` rows, below highest_tile().
template <class Work>
void for_tiles(Rows share, Index wanted, Work&& work, Index granule = 16) {
  const Index tiles = std::max<Index>(1, (share.count + wanted - 1) / wanted);
  for (Index t = 0; t < tiles; ++t) {
    const Rows tile = part_of(share, tiles, t, granule);
    if (tile.count > 0) work(tile);
  }
}

}  // namespace probmix
