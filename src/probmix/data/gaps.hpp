// Are the dates of a series at regular distances? Windows count rows, so a gap would shift what a
// window and its horizon mean.
#pragma once

#include <cstdint>
#include <span>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Distances {
  std::int64_t usual = 0;    // seconds: the median
  std::int64_t longest = 0;  // the longest regular one, see measure_distances
  bool regular = true;       // at least half of the distances are within a third of the usual one
};

// Of ascending times, at least two. The longest regular distance is the largest after 1 % of the
// distances have been set aside, or three if that is more, but never more than one in eight: it
// knows weekends and holidays, yet not the gaps themselves.
Distances measure_distances(std::span<const std::int64_t> time);

// A distance above this is a gap: three times the longest regular one. Daily prices, with at most 4
// or 5 days over holidays, have gaps from 13 days on (exchanges have closed for a week and more).
inline std::int64_t gap_limit(const Distances& distances) { return 3 * distances.longest; }

struct Gaps {
  Index first = -1;  // the first gap is between this row and the next
  Index count = 0;
};

Gaps find_gaps(std::span<const std::int64_t> time, double limit);

}  // namespace probmix
