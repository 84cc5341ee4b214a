#include "probmix/report/page/range.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace probmix::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

TEST(Range, IncludesFiniteValuesOnly) {
  Range range = Range::nothing();
  range.include(std::vector{kNan, 2.0, kInf, -1.0, -kInf});
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 2);
}

TEST(Range, DegenerateOnesStillGiveSomethingToDraw) {
  for (const Range range :
       {Range{3, 3}, Range{0, 0}, Range{5, 1}, Range{kNan, 1}, Range{-kInf, kInf},
        Range{-1e308, 1e308}, Range{1e-320, 2e-320}, Range{1, 1 + 1e-12}, Range::nothing()}) {
    const Range found = drawable(range);
    EXPECT_LT(found.low, found.high) << range.low << " " << range.high;
    EXPECT_TRUE(std::isfinite(found.size())) << range.low << " " << range.high;
  }
  EXPECT_EQ(drawable({-4, 4}).low, -4);
  EXPECT_EQ(drawable({-4, 4}).high, 4);
}

}  // namespace
}  // namespace probmix::report
