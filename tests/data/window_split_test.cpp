#include "probmix/data/window_split.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "data/windows_support.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<Index>;

Numbers range(Index begin, Index end) {
  Numbers numbers;
  for (Index i = begin; i < end; ++i) numbers.push_back(i);
  return numbers;
}

WindowSplit split(Index rows, const WindowOptions& window, const WindowSplitOptions& options,
                  std::uint64_t seed = 1) {
  return split_windows(make_windows(numbered_series(rows), window), rows, options, seed);
}

// Two years of trading days, 42 rows in, 21 rows ahead: 443 windows; 101 rows are the test period.
TEST(WindowSplit, StraddlingWindowsAreDroppedOrTested) {
  const WindowSplit drop = split(505, {}, {.validation = 0});
  EXPECT_EQ(drop.boundary, 404);
  EXPECT_EQ(drop.train, range(0, 342));   // the last target is row 403
  EXPECT_EQ(drop.test, range(404, 443));  // the first row is row 404
  EXPECT_EQ(drop.dropped, 62);
  EXPECT_TRUE(drop.validation.empty());
  EXPECT_EQ(drop.validation_from, drop.boundary);

  const WindowSplit keep = split(505, {}, {.validation = 0, .straddling = Straddling::keep});
  EXPECT_EQ(keep.train, drop.train);
  EXPECT_EQ(keep.test, range(342, 443));
  EXPECT_EQ(keep.dropped, 0);
}

TEST(WindowSplit, RandomValidationIsAShareOfTheRest) {
  const WindowSplit s = split(505, {}, {});
  EXPECT_EQ(s.validation.size(), 68u);
  EXPECT_EQ(s.validation_from, s.boundary);  // no period of its own
  EXPECT_EQ(s.test, range(404, 443));
  EXPECT_EQ(s.dropped, 62);
  EXPECT_TRUE(std::ranges::is_sorted(s.train));
  EXPECT_TRUE(std::ranges::is_sorted(s.validation));
  Numbers all = s.train;
  all.insert(all.end(), s.validation.begin(), s.validation.end());
  std::ranges::sort(all);
  EXPECT_EQ(all, range(0, 342));
  EXPECT_NE(s.validation, range(274, 342));
  EXPECT_EQ(split(505, {}, {}).validation, s.validation);
  EXPECT_NE(split(505, {}, {}, 2).validation, s.validation);
}

TEST(WindowSplit, LastValidationObeysTheSameRule) {
  const WindowSplit keep =
      split(505, {}, {.straddling = Straddling::keep, .validation_rows = WindowValidation::last});
  EXPECT_EQ(keep.train, range(0, 274));
  EXPECT_EQ(keep.validation, range(274, 342));
  EXPECT_EQ(keep.dropped, 0);
  // The first validation target is row 274 + 62 = 336.
  const WindowSplit drop = split(505, {}, {.validation_rows = WindowValidation::last});
  EXPECT_EQ(drop.train, range(0, 274));
  EXPECT_EQ(drop.validation, range(336, 342));
  EXPECT_EQ(drop.validation_from, 336);
  EXPECT_EQ(keep.validation_from, 336);
  EXPECT_EQ(drop.test, range(404, 443));
  EXPECT_EQ(drop.dropped, 62 + 62);
}

// The definition itself, over many shapes: no row of a later part is in an earlier one, and with
// `drop` no row is in two of them.
TEST(WindowSplit, NothingLeaks) {
  int splits = 0;
  for (const Index rows : {20, 47, 100}) {
    for (const Index window : {1, 3, 8}) {
      for (const Index horizon : {1, 4}) {
        for (const double share : {0.1, 0.3, 0.5}) {
          for (const Straddling straddling : {Straddling::drop, Straddling::keep}) {
            const Windows w =
                make_windows(numbered_series(rows), {.window = window, .horizon = horizon});
            WindowSplit s;
            try {
              s = split_windows(w, rows,
                                {.test = share,
                                 .validation = share,
                                 .straddling = straddling,
                                 .validation_rows = WindowValidation::last},
                                1);
            } catch (const Error&) {
              continue;  // an empty part
            }
            ++splits;
            Index last_train = 0;
            Index first_validation = rows;
            for (const Index i : s.train) last_train = std::max(last_train, w.target[to_size(i)]);
            for (const Index i : s.validation) {
              const Index first =
                  straddling == Straddling::drop ? w.first[to_size(i)] : w.target[to_size(i)];
              first_validation = std::min(first_validation, first);
              EXPECT_LT(w.target[to_size(i)], s.boundary);
            }
            EXPECT_LT(last_train, first_validation);
            EXPECT_LT(last_train, s.boundary);
            for (const Index i : s.test) {
              EXPECT_GE(w.target[to_size(i)], s.boundary);
              if (straddling == Straddling::drop) {
                EXPECT_GE(w.first[to_size(i)], s.boundary);
              }
            }
            EXPECT_EQ(s.train.size() + s.validation.size() + s.test.size() + to_size(s.dropped),
                      to_size(w.count()));
            EXPECT_EQ(s.dropped > 0, straddling == Straddling::drop);
          }
        }
      }
    }
  }
  EXPECT_GT(splits, 60);
}

TEST(WindowSplit, NoTestPeriodIfNoneIsAskedFor) {
  const WindowSplit s = split(20, {.window = 4, .horizon = 2}, {.test = 0, .validation = 0});
  EXPECT_EQ(s.boundary, 20);
  EXPECT_EQ(s.train, range(0, 15));
  EXPECT_TRUE(s.test.empty());
}

TEST(WindowSplit, EmptyPartsSayWhatToChange) {
  const auto message = [](Index rows, const WindowSplitOptions& options) {
    return message_of<Error>([&] { split(rows, {.window = 4, .horizon = 2}, options); });
  };
  EXPECT_EQ(message(20, {.test = 0.2}),
            "series: no window lies inside of the test period: a share of 0.2 makes it 4 rows of "
            "20, and a window of 4 with a horizon of 2 needs 6; raise --test, lower --window or "
            "--horizon, or keep the windows that straddle its beginning (--straddling keep)");
  EXPECT_EQ(message(20, {.test = 0.01, .straddling = Straddling::keep}),
            "series: no window lies inside of the test period: a share of 0.01 makes it 0 rows of "
            "20, and a window of 4 with a horizon of 2 needs 6; raise --test, lower --window or "
            "--horizon");
  EXPECT_EQ(message(20, {.test = 0.8, .validation = 0}),
            "series: 0 windows lie before the test period, which begins at row 5 of 20, but "
            "training needs 1; lower --test 0.8, --window 4 or --horizon 2");
  EXPECT_EQ(message(20, {.test = 0.7}),
            "series: 1 window lies before the test period, which begins at row 7 of 20, but "
            "training with validation needs 2; lower --test 0.7, --window 4 or --horizon 2");
  EXPECT_EQ(message(40, {.validation = 0.1, .validation_rows = WindowValidation::last}),
            "series: no window lies inside of the validation period: a share of 0.1 makes it 3 "
            "rows, and a window of 4 with a horizon of 2 needs 6; raise --validation, lower "
            "--window or --horizon, or keep the windows that straddle its beginning (--straddling "
            "keep)");
  EXPECT_EQ(message(20, {.test = 0.7, .validation = 0}), "no error");
}

TEST(WindowSplit, RefusesWrongShares) {
  const auto message = [](const WindowSplitOptions& options) {
    return message_of<UsageError>([&] { split(100, {.window = 4, .horizon = 2}, options); });
  };
  EXPECT_EQ(message({.test = 1}), "the test share must lie in [0, 1), not 1");
  EXPECT_EQ(message({.test = -0.1}), "the test share must lie in [0, 1), not -0.1");
  EXPECT_EQ(message({.test = std::numeric_limits<double>::quiet_NaN()}),
            "the test share must lie in [0, 1), not nan");
  EXPECT_EQ(message({.validation = 1}), "the validation share must lie in [0, 1), not 1");
  const Windows w = make_windows(numbered_series(100));
  EXPECT_EQ(message_of<Error>([&] { split_windows(w, 99, {}, 1); }),
            "series: 38 windows do not belong to a series of 99 rows");
}

}  // namespace
}  // namespace probmix::test
