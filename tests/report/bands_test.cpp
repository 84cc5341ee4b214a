#include "probmix/report/bands.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"
#include "report/markup_check.hpp"

namespace probmix {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

BandPicture example() {
  BandPicture p;
  p.title = "probmix";
  p.x = {0, 1, 2};
  p.mean = {0, 1, 2};
  p.lower = {-1, 0, 1};
  p.upper = {1, 2, 3};
  p.train_x = {0.5};
  p.train_y = {0.4};
  return p;
}

TEST(BandChart, DrawsWhatIsThere) {
  BandPicture p = example();
  std::string svg = band_chart(p);
  EXPECT_EQ(markup_error(svg), "");
  for (const auto* part : {"line mean", "band interval", "points train", "role=\"img\"",
                           "aria-label=\"probmix: predictive mean and 95 % band of y over x"}) {
    EXPECT_TRUE(contains(svg, part)) << part;
  }
  for (const auto* part : {"points test", "line truth", "region gap"}) {
    EXPECT_FALSE(contains(svg, part)) << part;
  }
  p.test_x = {1.5};
  p.test_y = {1.4};
  p.truth = {0, 1, 2};
  p.no_data = {{0.5, 2}};
  svg = band_chart(p);
  for (const auto* part : {"points test", "line truth", "region gap", ">no training data<"}) {
    EXPECT_TRUE(contains(svg, part)) << part;
  }
}

TEST(BandChart, NonFinitePredictions) {
  BandPicture p = example();
  p.mean = {kNan, kInf, -kInf};
  p.lower = p.upper = p.mean;
  p.train_y = {kNan};
  p.no_data = {{-kInf, kInf}, {kNan, kNan}};
  EXPECT_FALSE(mentions_non_finite(band_chart(p))) << band_chart(p);
  EXPECT_EQ(markup_error(band_chart(p)), "");
  EXPECT_EQ(markup_error(band_chart(BandPicture{})), "");
}

TEST(BandChart, LengthsMustAgree) {
  BandPicture p = example();
  p.truth = {1};
  EXPECT_THROW(band_chart(p), Error);
  p = example();
  p.upper.pop_back();
  EXPECT_THROW(band_chart(p), Error);
  p = example();
  p.train_y.clear();
  EXPECT_THROW(band_chart(p), Error);
}

TEST(CommonYRange, OneExplodingMethodDoesNotFlattenTheOthers) {
  BandPicture calm = example();
  calm.train_x = {0, 1};
  calm.train_y = {0, 2};
  calm.lower = {0, 0, -0.5};
  BandPicture wild = calm;
  wild.upper = {1e9, kInf, kNan};
  const Range range = common_y_range(std::vector{calm, wild});
  // Data in [0, 2]; bands count from −1 to 3: −0.5 and 3, then 5 % of 3.5 on both sides.
  EXPECT_DOUBLE_EQ(range.low, -0.5 - 0.175);
  EXPECT_DOUBLE_EQ(range.high, 3 + 0.175);
}

TEST(BandLegend, NamesWhatOccursInAnyPicture) {
  std::vector<BandPicture> pictures{example(), example()};
  EXPECT_FALSE(contains(band_legend(pictures), "truth"));
  EXPECT_TRUE(contains(band_legend(pictures), "training data"));
  pictures[1].truth = {0, 1, 2};
  EXPECT_TRUE(contains(band_legend(pictures), "truth"));
  EXPECT_EQ(markup_error(band_legend(pictures)), "");
}

}  // namespace
}  // namespace probmix
