#include "probmix/report/series.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"
#include "report/markup_check.hpp"

namespace probmix {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

void predict(SeriesPicture& p, double day, double mean, double sd) {
  p.target_time.push_back(day);
  p.mean.push_back(mean);
  p.lower95.push_back(mean - 2 * sd);
  p.lower50.push_back(mean - 0.7 * sd);
  p.upper50.push_back(mean + 0.7 * sd);
  p.upper95.push_back(mean + 2 * sd);
}

// 200 working days from Tuesday, 2019-01-01; predictions from the 50th on.
SeriesPicture example() {
  SeriesPicture p;
  p.title = "erm";
  p.y_label = "price";
  p.caption = "test NLL 1.2";
  for (int day = 17897; p.time.size() < 200; ++day) {
    if (const int weekday = (day + 4) % 7; weekday == 0 || weekday == 6) continue;
    p.time.push_back(day);
    p.value.push_back(4 + 0.01 * (day % 30));
    if (p.time.size() >= 50) predict(p, day, 4, 0.1);
  }
  p.test_from = p.time[150];
  return p;
}

void erase(SeriesPicture& p, std::ptrdiff_t first, std::ptrdiff_t last) {
  for (auto* v : {&p.target_time, &p.mean, &p.lower95, &p.lower50, &p.upper50, &p.upper95}) {
    v->erase(v->begin() + first, v->begin() + last);
  }
}

std::string path(const std::string& svg, const std::string& css) {
  const std::size_t at = svg.find("class=\"" + css + "\"");
  if (at == std::string::npos) return "";
  const std::size_t from = svg.find("d=\"", at) + 3;
  return svg.substr(from, svg.find('"', from) - from);
}

auto pieces(const std::string& svg, const std::string& css) {
  return std::ranges::count(path(svg, css), 'M');
}

TEST(SeriesChart, DrawsWhatIsThere) {
  const std::string svg = series_chart(example());
  EXPECT_EQ(markup_error(svg), "");
  for (const auto* part :
       {"band outer", "band inner", "line series", "line forecast", "region gap", ">test<",
        ">training<", "marker boundary", ">Apr<",
        "aria-label=\"erm: price from 2019-01-01 to 2019-10-07, with predictive mean, 50 % and "
        "95 % band at 151 dates; the test period begins on 2019-07-30. test NLL 1.2\""}) {
    EXPECT_TRUE(contains(svg, part)) << part << "\n" << svg;
  }
  EXPECT_FALSE(contains(svg, "validation"));
  // What must stay visible comes last.
  EXPECT_LT(svg.find("region gap"), svg.find("band outer"));
  EXPECT_LT(svg.find("band outer"), svg.find("band inner"));
  EXPECT_LT(svg.find("band inner"), svg.find("line series"));
}

TEST(SeriesChart, WeekendsDoNotBreakItAndDroppedWindowsDo) {
  SeriesPicture p = example();
  std::string svg = series_chart(p);
  for (const auto* css : {"band outer", "band inner", "line forecast", "line series"}) {
    EXPECT_EQ(pieces(svg, css), 1) << css;
  }
  erase(p, 60, 90);
  svg = series_chart(p);
  for (const auto* css : {"band outer", "band inner", "line forecast"}) {
    EXPECT_EQ(pieces(svg, css), 2) << css;
  }
  EXPECT_EQ(std::ranges::count(path(svg, "band outer"), 'L'), 2 * 121 - 2);  // none is lost
  EXPECT_EQ(std::ranges::count(path(svg, "line forecast"), 'L'), 121 - 2);
  EXPECT_EQ(pieces(svg, "line series"), 1);
  // Rows that the series itself lacks are not drawn through either.
  p.time.erase(p.time.begin() + 20, p.time.begin() + 40);
  p.value.resize(p.time.size());
  EXPECT_EQ(pieces(series_chart(p), "line series"), 2);
}

TEST(TimeGaps, MoreThanHalfAStepAndFourDaysLongerThanTheMedian) {
  using Gaps = std::vector<std::size_t>;
  const auto gaps = [](std::vector<double> time) { return time_gaps(time); };
  EXPECT_EQ(gaps({0, 1, 2, 3, 8, 9, 10}), Gaps{});          // a long weekend
  EXPECT_EQ(gaps({0, 1, 2, 3, 8.1, 9, 10}), Gaps{4});       // longer
  EXPECT_EQ(gaps({0, 7, 14, 21, 29, 35}), Gaps{});          // weekly, a holiday
  EXPECT_EQ(gaps({0, 7, 14, 28, 35, 49}), (Gaps{3, 5}));    // weekly, one missing
  EXPECT_EQ(gaps({0, 31, 59, 90, 120, 151}), Gaps{});       // monthly
  EXPECT_EQ(gaps({0, 31, 59, 120, 151, 181}), Gaps{3});     // monthly, one missing
  EXPECT_EQ(gaps({0, 1, 2, kNan, 30, 31, kInf}), Gaps{6});  // NaN breaks by itself
  EXPECT_EQ(gaps({}), Gaps{});
  EXPECT_EQ(gaps({1}), Gaps{});
  EXPECT_EQ(gaps({1, 100}), Gaps{});
  EXPECT_EQ(gaps({kNan, kNan}), Gaps{});
}

TEST(SeriesChart, Periods) {
  SeriesPicture p = example();
  p.validation_from = p.time[100];
  std::string svg = series_chart(p);
  for (const auto* part : {">training<", ">validation<", ">test<"}) {
    EXPECT_TRUE(contains(svg, part)) << part;
  }
  EXPECT_NE(svg.find("marker boundary"), svg.rfind("marker boundary"));
  // Validation ends where the test begins.
  const auto edge = [&](const std::string& css, const std::string& attribute) {
    const std::size_t at = svg.find("class=\"region " + css);
    return std::stod(svg.substr(svg.find(attribute, at) + attribute.size()));
  };
  EXPECT_NEAR(edge("validation", " x=\"") + edge("validation", "width=\""), edge("gap", " x=\""),
              0.011);
  EXPECT_NEAR(edge("period", "width=\""), edge("validation", " x=\""), 0.011);

  for (const double none : {kNan, kInf, p.time.back() + 1}) {
    p = example();
    p.test_from = none;
    svg = series_chart(p);
    EXPECT_FALSE(contains(svg, "region") || contains(svg, "marker")) << none;
    EXPECT_FALSE(contains(svg, "test period")) << none;
  }
}

TEST(SeriesChart, PutsValuesAtTheirDates) {
  SeriesPicture p;
  p.time = {100, 101, 102, 103, 104};
  p.value = {0, 1, 2, 3, 4};
  for (const double day : {102.0, 103.0, 104.0}) predict(p, day, day - 100, 1);
  p.y_range = Range{0, 4};
  const std::string svg = series_chart(p);
  // The same values at the same dates: the path of the mean is the end of that of the series.
  const std::string series = path(svg, "line series"), mean = path(svg, "line forecast");
  EXPECT_TRUE(series.ends_with(mean.substr(1))) << series << "\n" << mean;
  EXPECT_EQ(path(svg, "band outer").substr(0, 6), "M" + mean.substr(1, mean.find(' ') - 1));
}

TEST(SeriesChart, WhatIsNotFinite) {
  SeriesPicture p = example();
  p.title = p.caption = p.y_label = "<script>\"&";
  p.mean[10] = p.upper95[11] = kInf;
  p.lower95[12] = p.lower50[13] = p.value[14] = kNan;
  p.time.front() = -kInf;
  p.target_time.back() = kNan;
  SeriesPicture nothing = p;
  for (auto* v : {&nothing.time, &nothing.value, &nothing.target_time, &nothing.mean}) {
    std::ranges::fill(*v, kNan);
  }
  nothing.validation_from = kNan;
  SeriesPicture early = p;
  early.test_from = -kInf;
  early.validation_from = -kInf;
  for (const auto& picture : {p, nothing, early, SeriesPicture{}}) {
    const std::string svg = series_chart(picture);
    EXPECT_EQ(markup_error(svg), "");
    EXPECT_FALSE(mentions_non_finite(svg)) << svg;
    EXPECT_FALSE(contains(svg, "<script"));
  }
}

TEST(SeriesChart, RefusesWhatDoesNotBelongTogether) {
  using Member = std::vector<double> SeriesPicture::*;
  for (const Member member :
       {&SeriesPicture::time, &SeriesPicture::value, &SeriesPicture::target_time,
        &SeriesPicture::mean, &SeriesPicture::lower95, &SeriesPicture::lower50,
        &SeriesPicture::upper50, &SeriesPicture::upper95}) {
    SeriesPicture p = example();
    (p.*member).pop_back();
    EXPECT_THROW(series_chart(p), Error);
  }
  for (const Member member : {&SeriesPicture::time, &SeriesPicture::target_time}) {
    SeriesPicture p = example();
    std::swap((p.*member)[3], (p.*member)[4]);
    EXPECT_THROW(series_chart(p), Error);
  }
}

TEST(CommonYRangeOfSeries, HoldsTheSeriesAndSomeOfTheBands) {
  SeriesPicture calm;
  calm.time = {0, 1};
  calm.value = {0, 2};
  predict(calm, 1, 0, 0.25);  // −0.5 to 0.5
  SeriesPicture wild = calm;
  wild.upper95 = {1e9};
  const Range range = common_y_range(std::vector{calm, wild});
  // The bands count from −1 to 3: −0.5 and 3, then 5 % of 3.5 on both sides.
  EXPECT_DOUBLE_EQ(range.low, -0.5 - 0.175);
  EXPECT_DOUBLE_EQ(range.high, 3 + 0.175);

  SeriesPicture no_series;
  predict(no_series, 1, 5, 1);
  predict(no_series, 2, 7, 1);
  const Range predicted = common_y_range(std::vector{no_series});
  EXPECT_LT(predicted.low, 5);
  EXPECT_GT(predicted.high, 7);
  EXPECT_EQ(common_y_range(std::vector<SeriesPicture>{}).high, 1);
  // The picture's own range wins.
  calm.y_range = Range{-70, 70};
  EXPECT_TRUE(contains(series_chart(calm), ">60<"));
}

TEST(SeriesLegend, NamesWhatOccursInAnyPicture) {
  std::vector<SeriesPicture> pictures{example(), example()};
  pictures[0].test_from = kInf;
  std::string list = series_legend(pictures);
  EXPECT_EQ(markup_error(list), "");
  for (const auto* part :
       {"observed", "predictive mean", "50 % band", "95 % band", "test period"}) {
    EXPECT_TRUE(contains(list, part)) << part;
  }
  EXPECT_FALSE(contains(list, "validation"));
  pictures[1].validation_from = pictures[1].time[100];
  EXPECT_TRUE(contains(series_legend(pictures), "validation period"));
  pictures[1].test_from = kNan;
  EXPECT_FALSE(contains(series_legend(pictures), "test period"));
  EXPECT_FALSE(contains(series_legend(std::vector<SeriesPicture>(1)), "band"));
}

}  // namespace
}  // namespace probmix
