// Series: which rows a prediction sees, and how date gaps and boundaries are treated.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "probmix/base/matrix.hpp"

namespace probmix {

// A prediction sees `window` rows in file order and predicts the target of the row that is
// `horizon` rows after the last of them. A plain table has window 1 and horizon 0.
struct SeriesShape {
  Index window = 1;
  Index horizon = 0;
  std::string time = {};   // a column that must increase; empty: none
  std::string group = {};  // a column; windows stay within one of its values

  static constexpr Index longest = 1 << 20;  // limit of window and of horizon, in rows

  bool is_series() const { return window > 1 || horizon > 0; }
};

// Whether parts of the table are held out by time rather than at random: for a series, and for a
// table with times and no groups.
inline bool is_split_in_time(const SeriesShape& shape) {
  return shape.is_series() || (!shape.time.empty() && shape.group.empty());
}

// What to do about gaps between dates (data/gaps.hpp): no window reaches across them, they are an
// error, or they are ignored.
enum class GapRule { split, refuse, ignore };
inline constexpr std::array<std::string_view, 3> gap_rule_names = {"split", "refuse", "ignore"};

// Windows near the boundary between a training period and the held-out period after it.
//   known  train only on windows whose targets were known when the first forecast of the held-out
//          period was made
//   drop   leave out held-out windows that begin before their period
//   keep   use all windows
enum class Straddling { known, drop, keep };
inline constexpr std::array<std::string_view, 3> straddling_names = {"known", "drop", "keep"};

// The windows whose mean and standard deviation standardise the columns. `all` includes held-out
// windows, which looks ahead; docs/results/stocks.md shows that the paper's figures are closer to
// that.
enum class ScaleBy { training, all };
inline constexpr std::array<std::string_view, 2> scale_by_names = {"training", "all"};

struct SeriesRules {
  GapRule gaps = GapRule::split;
  double max_gap_days = 0;  // longer steps between rows are gaps; 0: the rule of gaps.hpp
  Straddling straddling = Straddling::known;
  ScaleBy scale_by = ScaleBy::training;
};

}  // namespace probmix
