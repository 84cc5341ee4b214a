// A series of rows: which rows a prediction sees, and what is done about dates and boundaries.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "probmix/base/matrix.hpp"

namespace probmix {

// A prediction sees `window` rows in the order of the file, and is for the row that follows the
// last of them by `horizon`. A plain table: 1 row, and its own target.
struct SeriesShape {
  Index window = 1;
  Index horizon = 0;
  std::string time = {};   // a column that must ascend; empty: none
  std::string group = {};  // a column: windows do not reach from one of its values into the next

  static constexpr Index longest = 1 << 20;  // window or horizon, in rows

  bool is_series() const { return window > 1 || horizon > 0; }
};

// Parts of the table are held out by time rather than at random: of a series, and of a table with
// times and no groups.
inline bool is_split_in_time(const SeriesShape& shape) {
  return shape.is_series() || (!shape.time.empty() && shape.group.empty());
}

// Dates that are further apart than usual (data/gaps.hpp): no window reaches across them, they are
// an error, or they are ignored.
enum class GapRule { split, refuse, ignore };
inline constexpr std::array<std::string_view, 3> gap_rule_names = {"split", "refuse", "ignore"};

// Windows near the boundary between a period that is learned from and the period held out after it.
//   known  windows are not learned from if their targets were unknown when the first forecast of
//          the held-out period was made
//   drop   held-out windows that begin before their period are left out
//   keep   all are used
enum class Straddling { known, drop, keep };
inline constexpr std::array<std::string_view, 3> straddling_names = {"known", "drop", "keep"};

// The windows whose mean and deviation standardise the columns. All: those held out too, which
// looks ahead; docs/results/stocks.md shows that the paper's figures are nearer to that.
enum class ScaleBy { training, all };
inline constexpr std::array<std::string_view, 2> scale_by_names = {"training", "all"};

struct SeriesRules {
  GapRule gaps = GapRule::split;
  double max_gap_days = 0;  // longer distances between two rows are gaps; 0: the rule of gaps.hpp
  Straddling straddling = Straddling::known;
  ScaleBy scale_by = ScaleBy::training;
};

}  // namespace probmix
