#include "probmix/train/patience.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace probmix::test {
namespace {

// The epochs in which the rate falls, and the last epoch, if only these are better than all before.
struct Course {
  std::vector<Index> falls = {};
  Index last = 0;
};
Course course(const PatienceOptions& options, const std::vector<Index>& best) {
  Patience patience(options);
  Course found;
  while (!patience.has_run_out() && found.last < 1000) {
    ++found.last;
    if (patience.after_epoch(std::ranges::count(best, found.last) > 0)) {
      found.falls.push_back(found.last);
    }
  }
  return found;
}

TEST(Patience, WaitsForABetterEpoch) {
  EXPECT_EQ(course({.most = 10, .least = 10}, {1, 2, 8}).last, 18);
  EXPECT_EQ(course({.most = 0}, {1}).last, 1000);  // for ever
  EXPECT_EQ(course({.most = 10, .least = 10}, {}).last, 10);
}

TEST(Patience, WaitsLessLongAfterAnEarlyBest) {
  EXPECT_EQ(course({.most = 100, .least = 10}, {1}).last, 11);
  EXPECT_EQ(course({.most = 100, .least = 10}, {8}).last, 8 + 16);
  EXPECT_EQ(course({.most = 100, .least = 10}, {80}).last, 80 + 100);
  EXPECT_EQ(course({.most = 100, .least = 10}, {}).last, 100);
}

TEST(Patience, TheRateFallsTwiceBeforeItEnds) {
  const PatienceOptions options{.most = 10, .least = 10, .schedule = Schedule::plateau};
  const Course plain = course(options, {5});
  EXPECT_EQ(plain.falls, (std::vector<Index>{15, 19}));  // at a low rate it waits for 4 epochs
  EXPECT_EQ(plain.last, 23);
  const Course better = course(options, {5, 17});
  EXPECT_EQ(better.falls, (std::vector<Index>{15, 21}));
  EXPECT_EQ(better.last, 25);
  Patience patience(options);
  std::vector<double> rates;
  for (Index epoch = 1; epoch <= plain.last; ++epoch) {
    patience.after_epoch(epoch == 5);
    if (rates.empty() || rates.back() != patience.rate()) rates.push_back(patience.rate());
  }
  ASSERT_EQ(rates.size(), 3u);
  EXPECT_EQ(rates[0], 1);
  EXPECT_DOUBLE_EQ(rates[1], 0.2);
  EXPECT_DOUBLE_EQ(rates[2], 0.04);
}

}  // namespace
}  // namespace probmix::test
