// Checks that the dates of a series are regularly spaced. Windows count rows, so a gap would change
// what a window and its horizon mean.
//
// The rule. Daily rows, and rows by the minute or hour with nights between them, are counted in
// days; only the days of the week on which the series usually has rows count. More than four of
// these days missing in a row is a gap (an exchange closes for a day or two, and closed for four in
// 2001); for a series with rows on all seven days, more than two. All other series (hourly without
// nights, weekly, monthly, quarterly) are counted in steps of the usual length: more than two rows
// missing is a gap. In addition, at most a tenth of all days or rows may be missing (exchanges have
// holidays on 3 to 7 % of weekdays), but always as many as a single gap may have. Rows missing
// within a day are not noticed. How often a step length occurs does not matter; otherwise many gaps
// would excuse each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct Distances {
  std::int64_t usual = 0;  // seconds; the median
  bool regular = true;     // at least half of the steps are within a third of the usual one
  bool by_days = false;    // counted in days; else in steps of the usual length
  // Days of the week with rows at least half as often as the day that has them most often.
  std::array<bool, 7> days = {};

  Index days_a_week() const;
  // The number of days or rows that may be missing in a row.
  Index allowed() const { return by_days && days_a_week() < 7 ? 4 : 2; }
};

// The times must ascend, and be at least two.
Distances measure_distances(std::span<const std::int64_t> time);

struct Gaps {
  Index first = -1;  // the first gap follows this row
  Index count = 0;
  Index missing = 0;       // days or rows in total
  Index most_missing = 0;  // the most that is accepted
};

// By the rule above.
Gaps find_gaps(std::span<const std::int64_t> time, const Distances& distances);

// Only steps longer than `limit` seconds are gaps.
Gaps find_gaps(std::span<const std::int64_t> time, double limit);

// The positions that follow a gap: a step longer than `max_days` or, if that is 0, one that breaks
// the rule. Irregular times have none then.
std::vector<Index> rows_after_gaps(std::span<const std::int64_t> time, double max_days);

// What is wrong with times that should be regular and without gaps, with the remedy; empty if they
// are fine. With `max_days` above 0, only longer steps are wrong.
std::string gap_fault(std::span<const std::int64_t> time, double max_days);

}  // namespace probmix
