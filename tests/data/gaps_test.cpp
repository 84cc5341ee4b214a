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

TEST(Distances, MedianAndLongestRegular) {
  const Distances d = measure_distances(weekdays(505));
  EXPECT_EQ(d.usual, day_seconds);
  EXPECT_EQ(d.longest, 3 * day_seconds);
  EXPECT_TRUE(d.regular);
  // 16 distances: two may be set aside.
  std::vector<std::int64_t> days(16, 1);
  days[3] = 9;
  days[7] = 8;
  EXPECT_EQ(measure_distances(from_days(days)).longest, day_seconds);
  days[9] = 7;
  EXPECT_EQ(measure_distances(from_days(days)).longest, 7 * day_seconds);
  // 1000 distances: ten.
  days.assign(1000, 1);
  for (std::size_t i = 0; i < 10; ++i) days[20 * i] = 100;
  EXPECT_EQ(measure_distances(from_days(days)).longest, day_seconds);
  days[500] = 50;
  EXPECT_EQ(measure_distances(from_days(days)).longest, 50 * day_seconds);
}

TEST(Gaps, HolidaysAreNone) {
  Times time = weekdays(505);
  time.erase(time.begin() + 100);                      // a Monday
  time.erase(time.begin() + 200, time.begin() + 205);  // a closed week
  EXPECT_EQ(gaps(time), 0);
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
