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

// Part `k` of `parts` nearly equal parts of the rows; parts start at multiples of 16 rows (whole
// cache lines of any matrix).
inline Rows part_of(Rows rows, Index parts, Index k) {
  const auto start = [&](Index p) {
    return p == parts ? rows.count : rows.count * p / parts / 16 * 16;
  };
  return {rows.first + start(k), start(k + 1) - start(k)};
}

inline constexpr Index max_shares = 16;

// Shares of fewer rows are not worth the gradient that each one sums up on its own.
inline Index share_count(Index rows) { return std::clamp<Index>(rows / 256, 1, max_shares); }

// Calls work(tile) for the tiles of a share, of at most `most` rows (or 16).
template <class Work>
void for_tiles(Rows share, Index most, Work&& work) {
  const Index tiles = std::max<Index>(1, (share.count + most - 1) / most);
  for (Index t = 0; t < tiles; ++t) {
    const Rows tile = part_of(share, tiles, t);
    if (tile.count > 0) work(tile);
  }
}

}  // namespace probmix
