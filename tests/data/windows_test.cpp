#include "probmix/data/windows.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "data/windows_support.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

TEST(Windows, StepByStepWithTheTargetAHorizonLater) {
  const TimeSeries series = numbered_series(9);
  const Windows w = make_windows(
      series, {.window = 3, .horizon = 2, .features = {"Close", "Open"}, .target = "High"});
  EXPECT_EQ(w.window, 3);
  EXPECT_EQ(w.horizon, 2);
  EXPECT_EQ(w.channels, 2);
  ASSERT_EQ(w.count(), 5);
  ASSERT_EQ(w.x.cols(), 6);
  ASSERT_EQ(w.y.rows(), 5);
  for (Index i = 0; i < 5; ++i) {
    EXPECT_EQ(w.first[to_size(i)], i);
    EXPECT_EQ(w.target[to_size(i)], i + 4);
    EXPECT_EQ(w.y(i, 0), static_cast<double>(10 * (i + 4) + 1));
    for (Index step = 0; step < 3; ++step) {
      EXPECT_EQ(w.x(i, 2 * step), static_cast<double>(10 * (i + step) + 2));
      EXPECT_EQ(w.x(i, 2 * step + 1), static_cast<double>(10 * (i + step)));
    }
  }
}

TEST(Windows, DefaultsAreTwoYearsOfThePaper) {
  const Windows w = make_windows(numbered_series(505));
  EXPECT_EQ(w.count(), 443);
  EXPECT_EQ(w.x.cols(), 42 * 3);
  EXPECT_EQ(w.target.back(), 504);
  EXPECT_EQ(w.y(0, 0), 10 * 62 + 2);
}

TEST(Windows, ShortestSeries) {
  EXPECT_EQ(make_windows(numbered_series(63)).count(), 1);
  EXPECT_EQ(message_of<Error>([] { make_windows(numbered_series(62)); }),
            "series: a window of 42 rows and a horizon of 21 need 63 rows, but the series has 62; "
            "shorten the window or the horizon");
}

TEST(Windows, RefusesWhatIsNotThere) {
  const TimeSeries series = numbered_series(100);
  const auto message = [&](const WindowOptions& options) {
    return message_of<UsageError>([&] { make_windows(series, options); });
  };
  EXPECT_EQ(message({.target = "Clse"}),
            "series: there is no column 'Clse'; columns: 'Open', 'High', 'Close'");
  EXPECT_EQ(message({.features = {"Open", "Volume"}}),
            "series: there is no column 'Volume'; columns: 'Open', 'High', 'Close'");
  EXPECT_EQ(message({.features = {"Open", "High", "Open"}}),
            "the feature 'Open' is asked for twice");
  EXPECT_EQ(message({.window = 0}), "the window (in rows) must lie in [1, 1000000], but it is 0");
  EXPECT_EQ(message({.horizon = 0}), "the horizon (in rows) must lie in [1, 1000000], but it is 0");
  EXPECT_NE(message({.window = 5, .horizon = PTRDIFF_MAX}), "no error");
}

}  // namespace
}  // namespace probmix::test
