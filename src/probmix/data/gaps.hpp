// Are the dates of a series at regular distances? Windows count rows, so a gap would shift what a
// window and its horizon mean.
#pragma once

#include <cstdint>
#include <span>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Distances {
  std::int64_t usual = 0;  // seconds: the median
  bool regular = true;     // at least half of the distances are within a third of the usual one
  // Distances of more than twice the usual one are as common as the nights of rows by the minute or
  // hour, or the weekends of daily ones.
  bool has_pauses = false;
};

// Of ascending times, at least two.
Distances measure_distances(std::span<const std::int64_t> time);

// Seconds; a longer distance is a gap. Two rows may be missing, and where there are nights or
// weekends, 12 days are no gap either: exchanges have closed for a week and more. How often a
// distance occurs does not count, or many gaps would excuse each other.
std::int64_t gap_limit(const Distances& distances);

struct Gaps {
  Index first = -1;  // the first gap is between this row and the next
  Index count = 0;
};

Gaps find_gaps(std::span<const std::int64_t> time, double limit);

}  // namespace probmix
