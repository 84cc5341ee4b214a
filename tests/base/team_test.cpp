// Teams of threads, and the sharing of rows.
#include "probmix/base/team.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <stdexcept>

#include "probmix/base/row_shares.hpp"

namespace probmix::test {
namespace {

TEST(Team, DoesEveryPieceOnce) {
  for (const Index threads : {1, 2, 5}) {
    Team team(threads);
    for (const Index n : {0, 1, 2, 3, 100}) {
      std::vector<std::atomic<int>> done(static_cast<std::size_t>(n));
      std::atomic<bool> in_range = true;
      team.run(n, [&](Index k, Index thread) {
        ++done[static_cast<std::size_t>(k)];
        if (thread < 0 || thread >= threads) in_range = false;
      });
      for (const auto& count : done) EXPECT_EQ(count, 1);
      EXPECT_TRUE(in_range);
    }
  }
}

TEST(Team, OneTaskEndsBeforeTheNextBegins) {
  Team team(3);
  std::vector<Index> values(50, 0);
  for (Index round = 0; round < 2000; ++round) {
    team.run(50, [&](Index k, Index) {
      if (values[static_cast<std::size_t>(k)] == round) ++values[static_cast<std::size_t>(k)];
    });
  }
  for (const Index value : values) EXPECT_EQ(value, 2000);
}

// Sleeping threads are woken up by a task or by the end.
TEST(Team, SleepsAndWakesUp) {
  for (int round = 0; round < 5; ++round) {
    Team idle(3);
    Team team(3);
    std::atomic<Index> sum = 0;
    for (int task = 0; task < 3; ++task) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      team.run(10, [&](Index k, Index) { sum += k; });
    }
    EXPECT_EQ(sum, 3 * 45);
  }
}

TEST(Team, RefusesATaskWithinATask) {
  Team team(2);
  EXPECT_THROW(team.run(2, [&](Index, Index) { team.run(2, [](Index, Index) {}); }), Error);
  std::atomic<Index> sum = 0;
  team.run(10, [&](Index k, Index) { sum += k; });
  EXPECT_EQ(sum, 45);
}

TEST(Team, HandsOnAnExceptionAndGoesOn) {
  Team team(3);
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(team.run(10,
                          [](Index k, Index) {
                            if (k == 4) throw std::runtime_error("four");
                          }),
                 std::runtime_error);
    std::atomic<Index> sum = 0;
    team.run(10, [&](Index k, Index) { sum += k; });
    EXPECT_EQ(sum, 45);
  }
}

TEST(Share, PartsCoverTheRowsInOrder) {
  for (const Index count : {0, 1, 15, 16, 17, 255, 300, 1203}) {
    for (const Index parts : {1, 2, 3, 7, 16}) {
      Index next = 5;
      for (Index k = 0; k < parts; ++k) {
        const Rows part = part_of({5, count}, parts, k);
        EXPECT_EQ(part.first, next);
        EXPECT_GE(part.count, 0);
        EXPECT_LE(part.count, count / parts + 17);
        next += part.count;
      }
      EXPECT_EQ(next, 5 + count);
    }
  }
}

TEST(Share, TilesCoverAShareAndAreNotTooLarge) {
  for (const Index count : {1, 16, 100, 256, 257, 1000}) {
    Index next = 32;
    for_tiles({32, count}, 256, [&](Rows tile) {
      EXPECT_EQ(tile.first, next);
      EXPECT_GT(tile.count, 0);
      EXPECT_LE(tile.count, highest_tile(256));
      next += tile.count;
    });
    EXPECT_EQ(next, 32 + count);
  }
}

TEST(Share, SmallStepsAreNotSharedAndLargeOnesInSixteen) {
  EXPECT_EQ(share_count(1), 1);
  EXPECT_EQ(share_count(511), 1);
  EXPECT_EQ(share_count(512), 2);
  EXPECT_EQ(share_count(1'000'000), max_shares);
}

}  // namespace
}  // namespace probmix::test
