#include "probmix/data/window_split.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/data/split.hpp"

namespace probmix {
namespace {

std::string_view keep_remedy(Straddling straddling) {
  return straddling == Straddling::drop
             ? ", or keep the windows that straddle its beginning (--straddling keep)"
             : "";
}

std::string counted_rows(Index n) { return fmt::format("{} {}", n, n == 1 ? "row" : "rows"); }

// Moves the windows of `from` whose target is at or after `boundary` to the result, or drops them.
std::vector<Index> take_later(const Windows& windows, Index boundary, Straddling straddling,
                              std::vector<Index>& from, Index& dropped) {
  std::vector<Index> later;
  std::erase_if(from, [&](Index i) {
    if (windows.target[to_size(i)] < boundary) return false;
    if (windows.first[to_size(i)] >= boundary || straddling == Straddling::keep) {
      later.push_back(i);
    } else {
      ++dropped;
    }
    return true;
  });
  return later;
}

// Moves the last windows in time from the training to the validation part.
void hold_out_last(const Windows& windows, const WindowSplitOptions& options, WindowSplit& split) {
  const auto n = static_cast<Index>(split.train.size());
  const auto share = static_cast<Index>(std::llround(options.validation * static_cast<double>(n)));
  const Index first = split.train[to_size(n - std::clamp<Index>(share, 1, n - 1))];
  split.validation_from = windows.target[to_size(first)];
  split.validation =
      take_later(windows, split.validation_from, options.straddling, split.train, split.dropped);
  check(!split.validation.empty(),
        "{}: no window lies inside of the validation period: a share of {} makes it {}, and a "
        "window of {} with a horizon of {} needs {}; raise --validation, lower --window or "
        "--horizon{}",
        windows.source, options.validation, counted_rows(split.boundary - split.validation_from),
        windows.window, windows.horizon, windows.window + windows.horizon,
        keep_remedy(options.straddling));
}

void hold_out_random(const WindowSplitOptions& options, std::uint64_t seed, WindowSplit& split) {
  const std::vector<Index> all = split.train;
  const Split parts = random_split(static_cast<Index>(all.size()), options.validation, seed);
  const auto pick = [&](const std::vector<Index>& positions) {
    std::vector<Index> picked;
    for (const Index p : positions) picked.push_back(all[to_size(p)]);
    return picked;
  };
  split.train = pick(parts.train);
  split.validation = pick(parts.validation);
}

}  // namespace

WindowSplit split_windows(const Windows& windows, Index series_rows,
                          const WindowSplitOptions& options, std::uint64_t seed) {
  check_usage(options.test >= 0 && options.test < 1, "the test share must lie in [0, 1), not {}",
              options.test);
  check_usage(options.validation >= 0 && options.validation < 1,
              "the validation share must lie in [0, 1), not {}", options.validation);
  check(windows.count() >= 1 && windows.target.back() < series_rows,
        "{}: {} windows do not belong to a series of {} rows", windows.source, windows.count(),
        series_rows);
  const auto test_rows =
      static_cast<Index>(std::llround(options.test * static_cast<double>(series_rows)));

  WindowSplit split;
  split.boundary = series_rows - test_rows;
  split.validation_from = split.boundary;
  for (Index i = 0; i < windows.count(); ++i) split.train.push_back(i);
  split.test = take_later(windows, split.boundary, options.straddling, split.train, split.dropped);
  check(!split.test.empty() || options.test == 0,
        "{}: no window lies inside of the test period: a share of {} makes it {} of {}, and a "
        "window of {} with a horizon of {} needs {}; raise --test, lower --window or --horizon{}",
        windows.source, options.test, counted_rows(test_rows), series_rows, windows.window,
        windows.horizon, windows.window + windows.horizon, keep_remedy(options.straddling));
  const Index needed = options.validation > 0 ? 2 : 1;
  const Index before = std::ssize(split.train);
  check(before >= needed,
        "{}: {} before the test period, which begins at row {} of {}, but training{} needs {}; "
        "lower --test {}, --window {} or --horizon {}",
        windows.source, before == 1 ? "1 window lies" : fmt::format("{} windows lie", before),
        split.boundary + 1, series_rows, needed == 2 ? " with validation" : "", needed,
        options.test, windows.window, windows.horizon);
  if (options.validation > 0) {
    if (options.validation_rows == WindowValidation::last) {
      hold_out_last(windows, options, split);
    } else {
      hold_out_random(options, seed, split);
    }
  }
  return split;
}

}  // namespace probmix
