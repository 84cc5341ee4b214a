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

Index gaps(const Times& time) {
  return find_gaps(time, static_cast<double>(gap_limit(measure_distances(time)))).count;
}

// Every day but `pause` days after every `work` of them, `rows` a day at distances of `step`
// seconds.
Times sessions(Index count, std::int64_t work, std::int64_t pause, std::int64_t rows,
               std::int64_t step) {
  Times time;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t day = i / rows / work * (work + pause) + i / rows % work;
    time.push_back(day * day_seconds + i % rows * step);
  }
  return time;
}

// `count` gaps, evenly spread: what follows each is later by `days`.
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

TEST(Distances, MedianAndPauses) {
  EXPECT_EQ(measure_distances(from_days({1, 3, 2})).usual, 2 * day_seconds);
  EXPECT_EQ(measure_distances(from_days({3, 1})).usual, day_seconds);
  EXPECT_EQ(measure_distances(weekdays(505)).usual, day_seconds);
  EXPECT_TRUE(measure_distances(weekdays(505)).has_pauses);
  EXPECT_TRUE(measure_distances(sessions(700, 5, 2, 7, 3600)).has_pauses);
  EXPECT_TRUE(measure_distances(sessions(700, 7, 0, 7, 3600)).has_pauses);
  EXPECT_FALSE(measure_distances(sessions(700, 7, 0, 24, 3600)).has_pauses);
  EXPECT_FALSE(measure_distances(sessions(700, 7, 0, 1, 0)).has_pauses);
  EXPECT_FALSE(measure_distances(sessions(200, 1, 6, 1, 0)).has_pauses);
  EXPECT_FALSE(measure_distances(months(120)).has_pauses);
  // Two days are missing in every second week, or in every third.
  for (const std::int64_t every : {2, 3}) {
    Times time;
    for (std::int64_t day = 0; day < 30 * 7; ++day) {
      const bool missing = day / 7 % every == 0 && (day % 7 == 2 || day % 7 == 3);
      if (!missing) time.push_back(day * day_seconds);
    }
    EXPECT_EQ(measure_distances(time).has_pauses, every == 2);
  }
}

TEST(Distances, LimitsOfGaps) {
  EXPECT_EQ(gap_limit({.usual = 7}), 21);
  EXPECT_EQ(gap_limit({.usual = day_seconds, .has_pauses = true}), 12 * day_seconds);
  EXPECT_EQ(gap_limit({.usual = 5 * day_seconds, .has_pauses = true}), 15 * day_seconds);
}

// The more gaps there are, the more of them are found; without, each series is accepted.
TEST(Gaps, ManyDoNotExcuseEachOther) {
  struct Case {
    const char* name;
    Times time;
    std::int64_t gap;  // days
  };
  const Case cases[] = {{"every day", sessions(500, 7, 0, 1, 0), 3},
                        {"weekdays", weekdays(500), 12},
                        {"weekdays, two months", weekdays(500), 60},
                        {"short", weekdays(100), 60},
                        {"weeks", sessions(500, 1, 6, 1, 0), 15},
                        {"a few weeks", sessions(60, 1, 6, 1, 0), 60},
                        {"months", months(500), 70},
                        {"hours", sessions(2000, 7, 0, 24, 3600), 1},
                        {"hours of the day", sessions(2000, 7, 0, 7, 3600), 12},
                        {"trading hours", sessions(2000, 5, 2, 7, 3600), 12},
                        {"trading minutes", sessions(20'000, 5, 2, 390, 60), 12}};
  for (const Case& c : cases) {
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
  time.erase(time.begin() + 200, time.begin() + 205);  // a closed week
  EXPECT_EQ(gaps(time), 0);
  EXPECT_EQ(gaps(with_gaps(weekdays(505), 2, 9)), 0);  // 10 or 12 days from row to row
}

TEST(Gaps, AMissingFortnightIsOne) {
  for (const Index rows : {30, 100, 505, 5000}) {
    Times time = weekdays(rows);
    time.erase(time.begin() + 10, time.begin() + 20);
    EXPECT_EQ(gaps(time), 1) << rows;
  }
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
