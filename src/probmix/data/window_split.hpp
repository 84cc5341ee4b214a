// Chronological splits of windows that leak nothing from the test period into training.
//
// The test period is the last share of the series' rows. A window is test if its target lies in it;
// all rows of the others lie before it. A test window straddles if its inputs begin before the
// test period.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "probmix/data/windows.hpp"

namespace probmix {

enum class Straddling { drop, keep };  // keep: as test (or validation) windows
inline constexpr std::array<std::string_view, 2> straddling_names = {"drop", "keep"};

enum class WindowValidation { random, last };  // any of the windows before the test, or the last
inline constexpr std::array<std::string_view, 2> window_validation_names = {"random", "last"};

struct WindowSplitOptions {
  double test = 0.2;        // of the rows of the series
  double validation = 0.2;  // of the windows that are not test; 0, here and for test: no such part
  Straddling straddling = Straddling::drop;
  WindowValidation validation_rows = WindowValidation::random;
};

// Windows by number, ascending.
struct WindowSplit {
  Index boundary = 0;         // first row of the test period
  Index validation_from = 0;  // first row of a validation period; `boundary` if there is none
  std::vector<Index> train;
  std::vector<Index> validation;
  std::vector<Index> test;
  Index dropped = 0;
};

// Random validation windows overlap with training windows in time, so their score is optimistic.
// The last ones obey the rule of the test period, with the first validation target as its
// beginning. A part that is asked for but empty is an Error that says what to change.
WindowSplit split_windows(const Windows& windows, Index series_rows,
                          const WindowSplitOptions& options, std::uint64_t seed);

}  // namespace probmix
