// How rows are shared out. A share is what one thread does at a time; it is worked through in
// tiles that stay in the cache. Neither depends on the number of threads: sums over rows are taken
// share by share and then over the shares in their order, so their bits do not either.
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

// Shares of fewer rows are not worth the gradient that each one sums up on its own; rows that are
// sequences, of so many steps, are more work each.
inline Index share_count(Index rows, Index steps = 1) {
  return std::clamp<Index>(rows / (steps == 1 ? 256 : 128), 1, max_shares);
}

// A tile may be a little higher than was asked for, as it starts and ends at granules.
inline Index highest_tile(Index wanted, Index granule = 16) { return wanted + granule; }

// Calls work(tile) for the tiles of a share, of about `wanted` rows and less than highest_tile.
template <class Work>
void for_tiles(Rows share, Index wanted, Work&& work, Index granule = 16) {
  const Index tiles = std::max<Index>(1, (share.count + wanted - 1) / wanted);
  for (Index t = 0; t < tiles; ++t) {
    const Rows tile = part_of(share, tiles, t, granule);
    if (tile.count > 0) work(tile);
  }
}

}  // namespace probmix
