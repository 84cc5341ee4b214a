#include "probmix/report/charts/bands.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"
#include "report/charts/spec_check.hpp"
#include "report/page/markup_check.hpp"

namespace probmix::report {
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
  Figure figure = band_chart(p);
  EXPECT_EQ(spec_error(figure.spec), "");
  using Marks = std::vector<std::string>;
  EXPECT_EQ(marks(figure.spec), (Marks{"area", "point", "line", "rule"}));
  EXPECT_TRUE(
      figure.alt.starts_with("probmix: predictive mean and 95 % band of y over x, with 1 "));
  p.test_x = {1.5};
  p.test_y = {1.4};
  p.truth = {0, 1, 2};
  p.no_data = {{0.5, 2}};
  figure = band_chart(p);
  EXPECT_EQ(spec_error(figure.spec), "");
  EXPECT_EQ(marks(figure.spec), (Marks{"area", "rect", "point", "point", "line", "line", "rule"}));
  EXPECT_EQ(find_layer(figure.spec, "area").at("encoding").at("y2").at("field"), "upper");
}

TEST(BandChart, PutsValuesWhereTheyBelong) {
  BandPicture p = example();
  p.no_data = {{1.5, kInf}, {kNan, 1}, {7, 9}};
  p.y_range = Range{-5, 5};
  const Json spec = band_chart(p).spec;
  const Json row = rows_of(spec, find_layer(spec, "area")).at(2);
  EXPECT_EQ(row, (Json{{"x", 2}, {"mean", 2}, {"lower", 1}, {"upper", 3}}));
  const Json gap = find_layer(spec, "rect");
  EXPECT_EQ(rows_of(spec, gap), Json::array({Json({{"x", 1.5}, {"end", 2}})}));
  const Json encoding = find_layer(spec, "line").at("encoding");
  EXPECT_EQ(encoding.at("x").at("scale").at("domain"), Json::array({0, 2}));
  EXPECT_EQ(encoding.at("y").at("scale").at("domain"), Json::array({-5, 5}));
}

TEST(BandChart, NonFinitePredictionsAreNull) {
  BandPicture p = example();
  p.mean = {kNan, kInf, -kInf};
  p.lower = p.upper = p.mean;
  p.train_y = {kNan};
  const Json spec = band_chart(p).spec;
  for (const Json& row : rows_of(spec, find_layer(spec, "area"))) {
    EXPECT_TRUE(row.at("mean").is_null() && row.at("lower").is_null());
  }
  EXPECT_EQ(spec_error(band_chart(BandPicture{}).spec), "");
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
  EXPECT_FALSE(contains(legend_markup(band_legend(pictures)), "truth"));
  EXPECT_TRUE(contains(legend_markup(band_legend(pictures)), "training data"));
  pictures[1].truth = {0, 1, 2};
  EXPECT_TRUE(contains(legend_markup(band_legend(pictures)), "truth"));
}

}  // namespace
}  // namespace probmix::report
