#include "probmix/progress.hpp"  // in apps/

#include <gtest/gtest.h>

#include <limits>

namespace probmix::app {
namespace {

TEST(FormatDuration, Examples) {
  EXPECT_EQ(format_duration(0), "0:00");
  EXPECT_EQ(format_duration(7.4), "0:07");
  EXPECT_EQ(format_duration(59.6), "1:00");
  EXPECT_EQ(format_duration(725), "12:05");
  EXPECT_EQ(format_duration(3723), "1:02:03");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::quiet_NaN()), "?");
  EXPECT_EQ(format_duration(std::numeric_limits<double>::infinity()), "?");
}

TEST(Progress, Lines) {
  const Progress progress("toy", 110);
  EXPECT_EQ(progress.line(0, 0),
            "toy  ────────────────────────   0/110    0 %  elapsed 0:00  left ?");
  EXPECT_EQ(progress.line(46, 72),
            "toy  ━━━━━━━━━━──────────────  46/110   41 %  elapsed 1:12  left 1:40");
  EXPECT_EQ(progress.line(110, 172),
            "toy  ━━━━━━━━━━━━━━━━━━━━━━━━ 110/110  100 %  elapsed 2:52  left 0:00");
  EXPECT_EQ(progress.line(999, 172), progress.line(110, 172));
}

TEST(Progress, NeverShowsDoneTooEarly) {
  EXPECT_EQ(Progress("x", 1000).line(999, 10),
            "x  ━━━━━━━━━━━━━━━━━━━━━━━─  999/1000   99 %  elapsed 0:10  left 0:00");
}

TEST(Progress, ResumedStepsTakeNoTime) {
  const std::string line = Progress("x", 100, 50).line(60, 10);
  EXPECT_TRUE(line.ends_with("elapsed 0:10  left 0:40")) << line;
  EXPECT_TRUE(Progress("x", 100, 50).line(50, 10).ends_with("left ?"));
}

TEST(Progress, NothingToDo) {
  EXPECT_EQ(Progress("x", 0).line(0, 0),
            "x  ━━━━━━━━━━━━━━━━━━━━━━━━ 0/0  100 %  elapsed 0:00  left 0:00");
}

}  // namespace
}  // namespace probmix::app
