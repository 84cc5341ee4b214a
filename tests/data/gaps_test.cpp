#include "probmix/data/gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "probmix/base/random.hpp"
#include "probmix/data/date.hpp"

namespace probmix {
namespace {

using Times = std::vector<std::int64_t>;

Times from_days(const std::vector<std::int64_t>& distances) {
  Times time{0};
  for (const std::int64_t d : distances) time.push_back(time.back() + d * day_seconds);
  return time;
}

// Days from Monday to Friday.
Times weekdays(Index count) {
  Times time;
  for (std::int64_t day = 0; static_cast<Index>(time.size()) < count; ++day) {
    if (day % 7 < 5) time.push_back(day * day_seconds);
  }
  return time;
}

Gaps all_gaps(const Times& time) { return find_gaps(time, measure_distances(time)); }

Index gaps(const Times& time) { return all_gaps(time).count; }

bool is_accepted(const Times& time) {
  const Gaps found = all_gaps(time);
  return measure_distances(time).regular && found.count == 0 && found.missing <= found.most_missing;
}

// The first `drop` of every `period` rows are missing.
Times without(const Times& time, std::size_t period, std::size_t drop) {
  Times rest;
  for (std::size_t i = 0; i < time.size(); ++i) {
    if (i % period >= drop) rest.push_back(time[i]);
  }
  return rest;
}

// `work` days with rows, then `pause` days without, and so on; `rows` per day, `step` seconds
// apart.
Times sessions(Index count, std::int64_t work, std::int64_t pause, std::int64_t rows,
               std::int64_t step) {
  Times time;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t day = i / rows / work * (work + pause) + i / rows % work;
    time.push_back(day * day_seconds + i % rows * step);
  }
  return time;
}

// `count` evenly spread gaps: everything after each is `days` later.
Times with_gaps(Times time, std::size_t count, std::int64_t days) {
  for (std::size_t k = 1; k <= count; ++k) {
    for (std::size_t i = k * time.size() / (count + 1); i < time.size(); ++i) {
      time[i] += days * day_seconds;
    }
  }
  return time;
}

Times months(int count) {
  constexpr std::int64_t length[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  std::vector<std::int64_t> days;
  for (int i = 1; i < count; ++i) days.push_back(length[i % 12]);
  return from_days(days);
}

TEST(Distances, MedianAndDays) {
  EXPECT_EQ(measure_distances(from_days({1, 3, 2})).usual, 2 * day_seconds);
  EXPECT_EQ(measure_distances(from_days({3, 1})).usual, day_seconds);
  EXPECT_EQ(measure_distances(weekdays(505)).usual, day_seconds);
  const auto days_a_week = [](const Times& time) {
    const Distances distances = measure_distances(time);
    return distances.by_days ? distances.days_a_week() : 0;
  };
  EXPECT_EQ(days_a_week(weekdays(505)), 5);
  EXPECT_EQ(days_a_week(sessions(700, 5, 2, 7, 3600)), 5);
  EXPECT_EQ(days_a_week(sessions(700, 6, 1, 1, 0)), 6);
  EXPECT_EQ(days_a_week(sessions(700, 7, 0, 7, 3600)), 7);
  EXPECT_EQ(days_a_week(sessions(700, 7, 0, 1, 0)), 7);
  EXPECT_EQ(days_a_week(sessions(700, 7, 0, 24, 3600)), 0);
  EXPECT_EQ(days_a_week(sessions(200, 1, 6, 1, 0)), 0);
  EXPECT_EQ(days_a_week(months(120)), 0);
  EXPECT_EQ(measure_distances(weekdays(505)).allowed(), 4);
  EXPECT_EQ(measure_distances(sessions(700, 7, 0, 1, 0)).allowed(), 2);
  EXPECT_EQ(measure_distances(months(120)).allowed(), 2);
}

// Also before 1970, where a quotient must not be rounded towards zero.
TEST(Distances, DaysDoNotDependOnTheEra) {
  Times time = weekdays(505);
  for (std::int64_t& t : time) t -= 7000 * day_seconds - 3600;
  EXPECT_EQ(measure_distances(time).days_a_week(), 5);
  EXPECT_TRUE(is_accepted(time));
  EXPECT_EQ(all_gaps(time).missing, 0);
}

// The more gaps there are, the more are found; without gaps, each series is accepted.
TEST(Gaps, ManyDoNotExcuseEachOther) {
  struct Case {
    const char* name;
    Times time;
    std::int64_t gap;  // days
  };
  const Case cases[] = {{"every day", sessions(500, 7, 0, 1, 0), 3},
                        {"weekdays", weekdays(500), 7},
                        {"weekdays, two months", weekdays(500), 63},
                        {"short", weekdays(100), 63},
                        {"weeks", sessions(500, 1, 6, 1, 0), 21},
                        {"a few weeks", sessions(60, 1, 6, 1, 0), 63},
                        {"months", months(500), 93},
                        {"hours", sessions(2000, 7, 0, 24, 3600), 1},
                        {"hours of the day", sessions(2000, 7, 0, 7, 3600), 4},
                        {"trading hours", sessions(2000, 5, 2, 7, 3600), 14},
                        {"trading minutes", sessions(20'000, 5, 2, 390, 60), 14}};
  for (const Case& c : cases) {
    EXPECT_TRUE(is_accepted(c.time)) << c.name;
    for (std::size_t count = 0; count <= 20; ++count) {
      const Times time = with_gaps(c.time, count, c.gap);
      EXPECT_TRUE(measure_distances(time).regular) << c.name;
      EXPECT_EQ(gaps(time), static_cast<Index>(count)) << c.name;
    }
  }
}

TEST(Gaps, HolidaysAreNone) {
  Times time = weekdays(505);
  time.erase(time.begin() + 100);                      // a Monday
  time.erase(time.begin() + 200, time.begin() + 204);  // four days, as in September 2001
  EXPECT_TRUE(is_accepted(time));
  EXPECT_EQ(all_gaps(time).missing, 5);
  EXPECT_TRUE(is_accepted(without(weekdays(505), 15, 1)));  // 7 % of the days
}

TEST(Gaps, AWeekOfMissingTradingDaysIsOne) {
  for (const Index rows : {30, 100, 505, 5000}) {
    for (std::ptrdiff_t first = 10; first < 15; ++first) {
      for (const std::ptrdiff_t missing : {5, 7, 10}) {
        Times time = weekdays(rows);
        time.erase(time.begin() + first, time.begin() + first + missing);
        EXPECT_EQ(gaps(time), 1) << rows;
      }
    }
  }
}

// Each is short, but together they are too many.
TEST(Gaps, ManyShortOnesAreTooMany) {
  for (const std::size_t block : {3U, 4U, 5U}) {
    EXPECT_FALSE(is_accepted(without(weekdays(505), 2 * block, block))) << block;
  }
  EXPECT_FALSE(is_accepted(without(weekdays(505), 7, 1)));
  EXPECT_FALSE(is_accepted(without(sessions(505, 7, 0, 1, 0), 8, 1)));
  EXPECT_FALSE(is_accepted(without(sessions(505, 7, 0, 1, 0), 4, 2)));
  EXPECT_FALSE(is_accepted(without(months(120), 6, 1)));
  EXPECT_FALSE(is_accepted(without(sessions(2000, 7, 0, 24, 3600), 5, 1)));
  EXPECT_TRUE(is_accepted(without(months(120), 20, 1)));
  EXPECT_TRUE(is_accepted(without(sessions(2000, 7, 0, 24, 3600), 20, 1)));
}

TEST(Gaps, NoneInRowsOfEveryOtherDay) {
  std::vector<std::int64_t> mondays_and_thursdays, three_a_week;
  for (int week = 0; week < 50; ++week) {
    mondays_and_thursdays.insert(mondays_and_thursdays.end(), {3, 4});
    three_a_week.insert(three_a_week.end(), {2, 2, 3});
  }
  EXPECT_TRUE(is_accepted(from_days(mondays_and_thursdays)));
  EXPECT_TRUE(is_accepted(from_days(three_a_week)));
  EXPECT_TRUE(is_accepted(sessions(500, 6, 1, 1, 0)));
}

TEST(Gaps, NamesTheFirstAndCounts) {
  const Times time = from_days({1, 4, 1, 5, 4});
  const Gaps above = find_gaps(time, 3.9 * day_seconds);
  EXPECT_EQ(above.first, 1);
  EXPECT_EQ(above.count, 3);
  EXPECT_EQ(find_gaps(time, 4.0 * day_seconds).first, 3);
  EXPECT_EQ(find_gaps(time, 4.0 * day_seconds).count, 1);
  EXPECT_EQ(find_gaps(time, 5.0 * day_seconds).count, 0);
}

TEST(Regular, MonthsQuartersAndSessionsAre) {
  EXPECT_TRUE(measure_distances(from_days({31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30})).regular);
  EXPECT_TRUE(measure_distances(from_days({3, 4, 3, 4, 3, 4})).regular);  // Monday and Thursday
  EXPECT_TRUE(measure_distances(from_days({2, 2, 3, 2, 2, 3})).regular);
  EXPECT_TRUE(measure_distances(from_days({2, 3, 4, 2, 3, 4})).regular);  // just within a third
  EXPECT_TRUE(measure_distances(from_days({7})).regular);
  Times hours;  // seven hours a day
  for (std::int64_t i = 0; i < 700; ++i) hours.push_back(i / 7 * day_seconds + i % 7 * 3600);
  EXPECT_TRUE(measure_distances(hours).regular);
  EXPECT_EQ(gaps(hours), 0);
}

TEST(Regular, RandomTimesAreNot) {
  Stream stream(1, Purpose::test);
  Times time{0};
  for (int i = 0; i < 500; ++i) {
    time.push_back(time.back() + 1 + static_cast<std::int64_t>(-1e6 * std::log(stream.uniform())));
  }
  EXPECT_FALSE(measure_distances(time).regular);
  EXPECT_FALSE(measure_distances(from_days({10, 14, 6, 10, 14, 6, 14, 6})).regular);
  EXPECT_FALSE(measure_distances(from_days({1, 10, 100, 2, 20, 200, 4, 40})).regular);
}

}  // namespace
}  // namespace probmix
