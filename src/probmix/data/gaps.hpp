// Are the dates of a series at regular distances? Windows count rows, so a gap would shift what a
// window and its horizon mean.
//
// The rule. Rows by the day, and rows by the minute or hour with nights between them, are counted
// in days: those days of the week count on which the series usually has rows. More than four of
// them missing in a row is a gap (an exchange closes for a day or two, and closed for four in
// 2001); of series with rows on all seven days, more than two. All other rows, by the hour without
// nights, by the week, month or quarter, are counted in usual distances: more than two rows missing
// is a gap. Besides, no more than a tenth of the days, or rows, may be missing in all (exchanges
// have holidays on 3 to 7 % of weekdays), but as many as one gap may be. What is missing within a
// day is not seen. How often a distance occurs does not count, or many gaps would excuse each
// other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Distances {
  std::int64_t usual = 0;  // seconds: the median
  bool regular = true;     // at least half of the distances are within a third of the usual one
  bool by_days = false;    // counted in days; else in usual distances
  // Those of the week that have rows at least half as often as the one that has them most often.
  std::array<bool, 7> days = {};

  Index days_a_week() const;
  // So many days, or rows, may be missing in a row.
  Index allowed() const { return by_days && days_a_week() < 7 ? 4 : 2; }
};

// Of ascending times, at least two.
Distances measure_distances(std::span<const std::int64_t> time);

struct Gaps {
  Index first = -1;  // the first gap is between this row and the next
  Index count = 0;
  Index missing = 0;       // days or rows, in all
  Index most_missing = 0;  // of these are accepted
};

// By the rule above.
Gaps find_gaps(std::span<const std::int64_t> time, const Distances& distances);

// Distances of more than `limit` seconds are gaps, and nothing else counts.
Gaps find_gaps(std::span<const std::int64_t> time, double limit);

// The positions that follow a gap: a distance of more than `max_days`, or, if that is 0, one that
// breaks the rule; irregular times have none.
std::vector<Index> rows_after_gaps(std::span<const std::int64_t> time, double max_days);

// What is wrong with times that should be regular and without gaps, with the remedy; empty if
// nothing is. With `max_days` above 0 only longer distances are wrong.
std::string gap_fault(std::span<const std::int64_t> time, double max_days);

}  // namespace probmix
