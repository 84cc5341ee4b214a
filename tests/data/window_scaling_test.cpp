#include "probmix/data/window_scaling.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/windows_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"
#include "probmix/data/split.hpp"
#include "probmix/data/window_split.hpp"
#include "support/message.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

TimeSeries random_series(Index rows) {
  Stream stream(3, Purpose::test);
  TimeSeries series = numbered_series(rows);
  for (Index r = 0; r < rows; ++r) {
    for (Index c = 0; c < 3; ++c) {
      series.values(r, c) =
          100 * static_cast<double>(c) + static_cast<double>(c + 1) * stream.normal();
    }
  }
  return series;
}

const WindowOptions kOptions{.window = 5, .horizon = 3};

// Straight from the definition: the set of covered rows, mean and deviation of each column.
TEST(WindowScaler, UsesEveryCoveredRowOnce) {
  const TimeSeries series = random_series(60);
  const Windows windows = make_windows(series, kOptions);
  const std::vector<Index> train{20, 0, 2, 3, 40, 21};  // overlapping, apart, in any order
  const WindowScaler scaler(windows, train);
  std::set<Index> rows;
  for (const Index i : train) {
    for (Index r = i; r < i + 5; ++r) rows.insert(r);
  }
  for (Index c = 0; c < 3; ++c) {
    double mean = 0;
    double squares = 0;
    for (const Index r : rows) mean += series.values(r, c) / static_cast<double>(rows.size());
    for (const Index r : rows) squares += std::pow(series.values(r, c) - mean, 2);
    EXPECT_NEAR(scaler.channels().mean(c), mean, double_rounding * 1000);
    EXPECT_NEAR(scaler.channels().scale(c), std::sqrt(squares / static_cast<double>(rows.size())),
                double_rounding * 1000);
  }
  double mean = 0;
  for (const Index i : train) mean += series.values(i + 7, 2) / 6;
  EXPECT_NEAR(scaler.target().mean(0), mean, double_rounding * 1000);
}

TEST(WindowScaler, OneMeanAndScaleForAllStepsOfAChannel) {
  const Windows windows = make_windows(random_series(60), kOptions);
  const WindowScaler scaler(windows, {0, 1, 2, 3, 4});
  const Matrix<double> x = scaler.apply_x<double>(windows.x.view());
  const Matrix<double> y = scaler.apply_y(windows.y.view());
  ASSERT_EQ(x.rows(), windows.count());
  for (Index i = 0; i < windows.count(); ++i) {
    for (Index k = 0; k < 15; ++k) {
      const Index c = k % 3;
      EXPECT_EQ(x(i, k),
                (windows.x(i, k) - scaler.channels().mean(c)) / scaler.channels().scale(c));
    }
    EXPECT_NEAR(scaler.invert_y(y(i, 0)), windows.y(i, 0), double_rounding * 1000);
    EXPECT_EQ(y(i, 0), scaler.target().apply(0, windows.y(i, 0)));
  }
  // The same row of the series has the same value in every window.
  EXPECT_EQ(x(10, 3), x(11, 0));
  EXPECT_EQ(scaler.apply_x<float>(windows.x.view())(7, 4), static_cast<float>(x(7, 4)));
}

// Rows that no training window covers may hold anything.
TEST(WindowScaler, OtherRowsHaveNoInfluence) {
  for (const WindowValidation validation : {WindowValidation::last, WindowValidation::random}) {
    for (const Straddling straddling : {Straddling::drop, Straddling::keep}) {
      const TimeSeries series = random_series(100);
      const Windows windows = make_windows(series, kOptions);
      const WindowSplit split = split_windows(
          windows, 100,
          {.validation = 0.3, .straddling = straddling, .validation_rows = validation}, 1);
      std::set<Index> inputs;
      std::set<Index> targets;
      for (const Index i : split.train) {
        for (Index r = i; r < i + 5; ++r) inputs.insert(r);
        targets.insert(windows.target[to_size(i)]);
      }
      TimeSeries changed = series;
      int rows = 0;
      for (Index r = 0; r < 100; ++r) {
        if (inputs.contains(r) || targets.contains(r)) continue;
        ++rows;
        for (Index c = 0; c < 3; ++c) changed.values(r, c) = 1e9;
      }
      EXPECT_GE(rows, 20);  // the test period at least
      for (Index r = split.boundary; r < 100; ++r) EXPECT_EQ(changed.values(r, 0), 1e9);

      const WindowScaler before(windows, split.train);
      const WindowScaler after(make_windows(changed, kOptions), split.train);
      for (Index c = 0; c < 3; ++c) {
        EXPECT_EQ(before.channels().mean(c), after.channels().mean(c));
        EXPECT_EQ(before.channels().scale(c), after.channels().scale(c));
      }
      EXPECT_EQ(before.target().mean(0), after.target().mean(0));
      EXPECT_EQ(before.target().scale(0), after.target().scale(0));
    }
  }
}

TEST(WindowScaler, RefusesAConstantTarget) {
  TimeSeries series = random_series(60);
  for (Index r = 0; r < 30; ++r) series.values(r, 2) = 0.1;
  const Windows windows = make_windows(series, kOptions);
  EXPECT_EQ(message_of<Error>([&] {
              WindowScaler(windows, {0, 5, 10});
            }),
            "series: the targets of the 3 training windows are all 0.1; the density of a constant "
            "cannot be learned, choose another column (--target) or period");
  EXPECT_NO_THROW(WindowScaler(windows, {0, 5, 10, 30}));
  for (Index r = 0; r < 60; ++r) series.values(r, 0) = 7;  // only an input
  EXPECT_NO_THROW(WindowScaler(make_windows(series, kOptions), {0, 5, 30}));
}

TEST(WindowScaler, NeedsATrainingWindow) {
  EXPECT_THROW(WindowScaler(make_windows(random_series(60), kOptions), {}), Error);
}

}  // namespace
}  // namespace probmix::test
