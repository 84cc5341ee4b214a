#include "probmix/report/date_axis.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "report/markup_check.hpp"

namespace probmix {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

double day(int y, unsigned m, unsigned d) {
  using namespace std::chrono;
  return static_cast<double>(sys_days(year(y) / month(m) / d).time_since_epoch().count());
}

std::string labels(Range range, int count) {
  std::string out;
  for (const auto& tick : date_ticks(range, count)) out += (out.empty() ? "" : " ") + tick.label;
  return out;
}

TEST(DayText, IsAnIsoDate) {
  EXPECT_EQ(day_text(0), "1970-01-01");
  EXPECT_EQ(day_text(-0.5), "1969-12-31");  // during the day before
  EXPECT_EQ(day_text(18321), "2020-02-29");
  EXPECT_EQ(day_text(18321.99), "2020-02-29");
  EXPECT_EQ(day_text(2932896), "9999-12-31");
  EXPECT_EQ(day_text(-719162), "0001-01-01");
  EXPECT_EQ(day_text(2932897), "2.9329e+06");
}

TEST(DateTicks, AtTheStartsOfYearsQuartersAndMonths) {
  const Range two_years{day(2019, 1, 1), day(2021, 1, 1)};
  EXPECT_EQ(labels(two_years, 30),
            "2019 Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec "
            "2020 Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec 2021");
  EXPECT_EQ(labels(two_years, 9), "2019 Apr Jul Oct 2020 Apr Jul Oct 2021");
  EXPECT_EQ(labels(two_years, 5), "2019 Jul 2020 Jul 2021");
  EXPECT_EQ(labels(two_years, 3), "2019 2020 2021");
  EXPECT_EQ(labels(two_years, 1), "2020");
  EXPECT_EQ(labels({day(1990, 6, 1), day(2021, 1, 1)}, 8), "1995 2000 2005 2010 2015 2020");
  EXPECT_EQ(labels({day(1800, 1, 1), day(2000, 1, 1)}, 5), "1800 1850 1900 1950 2000");
}

TEST(DateTicks, TheSmallestStepWhoseShortestSpanSuffices) {
  const auto second = [](double size, int count) {
    return date_ticks({day(2019, 1, 1), day(2019, 1, 1) + size}, count).at(1).label;
  };
  EXPECT_EQ(second(10 * 28, 10), "Feb");  // February has 28 days
  EXPECT_EQ(second(10 * 28.1, 10), "Apr");
  EXPECT_EQ(second(9 * 90, 9), "Apr");  // January to March
  EXPECT_EQ(second(9 * 90.1, 9), "Jul");
  EXPECT_EQ(second(4 * 181, 4), "Jul");  // January to June
  EXPECT_EQ(second(4 * 181.1, 4), "2020");
}

TEST(DateTicks, OfDays) {
  EXPECT_EQ(labels({day(2020, 2, 20), day(2020, 3, 20)}, 6), "2020-02-21 Mar 6 11 16");
  EXPECT_EQ(labels({day(2020, 2, 26), day(2020, 3, 3)}, 7), "2020-02-26 27 28 29 Mar 2 3");
  EXPECT_EQ(labels({day(2019, 12, 15), day(2020, 1, 25)}, 5), "2019-12-21 2020 11 21");
}

TEST(DateTicks, TheFirstOneTellsTheYear) {
  EXPECT_EQ(labels({day(2019, 1, 2), day(2019, 12, 31)}, 5), "2019-04 Jul Oct");
  EXPECT_EQ(labels({day(2019, 11, 2), day(2020, 3, 3)}, 5), "2019-12 2020 Feb Mar");
}

TEST(DateTicks, LieInTheRangeOnTheirDatesAndFarEnoughApart) {
  for (const double size : {1.5, 9.0, 33.0, 60.0, 200.0, 400.0, 800.0, 4000.0, 40000.0, 1e6}) {
    for (const double low : {day(2019, 1, 1), day(2020, 2, 28) + 0.3, day(1, 1, 1)}) {
      for (const int count : {1, 4, 9, 20}) {
        const Range range{low, low + size};
        double before = -kInf;
        for (const auto& [value, label] : date_ticks(range, count)) {
          EXPECT_GE(value, range.low);
          EXPECT_LE(value, range.high);
          EXPECT_GE(value - before, size / count) << day_text(low) << " + " << size;
          // The label is part of the date, except for the name of a month.
          const bool named = letter(label[0]);
          EXPECT_TRUE(named ? day_text(value).ends_with("-01") : contains(day_text(value), label))
              << label << " at " << day_text(value);
          before = value;
        }
      }
    }
  }
}

TEST(DateTicks, RangesThatAreNoDates) {
  EXPECT_FALSE(date_ticks({5, 5}, 4).empty());
  for (const Range range : {Range{kNan, 1}, Range{-kInf, kInf}, Range::nothing(),
                            Range{-1e300, 1e300}, Range{0, 3e6}}) {
    const auto ticks = date_ticks(range, 5);
    EXPECT_LE(ticks.size(), 12U);
    for (const auto& tick : ticks) EXPECT_FALSE(mentions_non_finite(tick.label));
  }
  EXPECT_EQ(labels({0, 3e6}, 3), "0 1e+06 2e+06 3e+06");
  EXPECT_EQ(labels({18000, 18400}, 0), labels({18000, 18400}, 1));
}

}  // namespace
}  // namespace probmix
