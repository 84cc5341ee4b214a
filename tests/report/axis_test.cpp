#include "probmix/report/axis.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "report/markup_check.hpp"

namespace probmix {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

std::string labels(Range range, int count) {
  std::string out;
  for (const auto& tick : nice_ticks(range, count)) out += (out.empty() ? "" : " ") + tick.label;
  return out;
}

TEST(NiceTicks, StepsOfOneTwoFive) {
  EXPECT_EQ(labels({0, 10}, 5), "0 2 4 6 8 10");
  EXPECT_EQ(labels({-4, 4}, 4), "−4 −2 0 2 4");
  EXPECT_EQ(labels({0, 1}, 5), "0.0 0.2 0.4 0.6 0.8 1.0");
  EXPECT_EQ(labels({0.1, 0.3}, 2), "0.1 0.2 0.3");  // 0.3 is a tick despite rounding
  EXPECT_EQ(labels({-0.13, 0.37}, 5), "−0.1 0.0 0.1 0.2 0.3");
  EXPECT_EQ(labels({0, 97}, 2), "0 50");
  EXPECT_EQ(labels({980, 1020}, 4), "980 990 1000 1010 1020");
}

TEST(NiceTicks, ExtremeRanges) {
  EXPECT_EQ(labels({0, 3e8}, 3), "0 1e+08 2e+08 3e+08");
  EXPECT_EQ(labels({0, 2e-7}, 2), "0 1e-07 2e-07");
  EXPECT_EQ(labels({1e6, 1e6 + 4}, 2), "1000000 1000002 1000004");
  // Narrower than pixels in double precision: as a single value.
  EXPECT_EQ(labels({1, 1 + 1e-12}, 5), labels({1, 1}, 5));
  // Degenerate ranges still give something to draw.
  for (const Range range :
       {Range{3, 3}, Range{0, 0}, Range{5, 1}, Range{kNan, 1}, Range{-kInf, kInf},
        Range{-1e308, 1e308}, Range{1e-320, 2e-320}, Range::nothing()}) {
    const auto ticks = nice_ticks(range, 5);
    EXPECT_GE(ticks.size(), 2U) << range.low << " " << range.high;
    EXPECT_LE(ticks.size(), 12U) << range.low << " " << range.high;
    for (const auto& tick : ticks) EXPECT_FALSE(mentions_non_finite(tick.label));
  }
}

TEST(Range, IncludesFiniteValuesOnly) {
  Range range = Range::nothing();
  range.include(std::vector{kNan, 2.0, kInf, -1.0, -kInf});
  EXPECT_EQ(range.low, -1);
  EXPECT_EQ(range.high, 2);
}

}  // namespace
}  // namespace probmix
