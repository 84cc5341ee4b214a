#include "probmix/report/charts/series.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/time_axis.hpp"
#include "report/charts/spec_check.hpp"
#include "report/page/markup_check.hpp"

namespace probmix::report {
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

// The layers that a reader tells apart by colour.
Json outer(const Json& spec) { return find_layer(spec, "area", "var(--interval)"); }
Json forecast(const Json& spec) { return find_layer(spec, "line", "var(--mean)"); }
Json observed(const Json& spec) { return find_layer(spec, "line", "var(--observed)"); }

// Pieces of a line: runs of rows whose value is there.
int pieces(const Json& spec, const Json& layer) {
  const std::string field = layer.at("encoding").at("y").at("field");
  int count = 0;
  bool inside = false;
  for (const Json& row : rows_of(spec, layer)) {
    EXPECT_FALSE(row.at("t").is_null());  // would be sorted away from its gap
    const bool there = !row.at(field).is_null();
    count += there && !inside;
    inside = there;
  }
  return count;
}

TEST(SeriesChart, DrawsWhatIsThere) {
  const Figure figure = series_chart(example());
  EXPECT_EQ(spec_error(figure.spec), "");
  // What must stay visible comes last.
  EXPECT_EQ(marks(figure.spec), (std::vector<std::string>{"rect", "area", "area", "rule", "text",
                                                          "line", "line", "rule"}));
  EXPECT_EQ(figure.alt,
            "erm: price from 2019-01-01 to 2019-10-07, with predictive mean, 50 % and 95 % band at "
            "151 dates; the test period begins on 2019-07-30. test NLL 1.2");
  EXPECT_EQ(outer(figure.spec).at("encoding").at("y2").at("field"), "u95");
}

TEST(SeriesChart, WeekendsDoNotBreakItAndDroppedWindowsDo) {
  SeriesPicture p = example();
  Json spec = series_chart(p).spec;
  EXPECT_EQ(pieces(spec, outer(spec)), 1);
  EXPECT_EQ(pieces(spec, forecast(spec)), 1);
  EXPECT_EQ(pieces(spec, observed(spec)), 1);
  erase(p, 60, 90);
  spec = series_chart(p).spec;
  EXPECT_EQ(pieces(spec, outer(spec)), 2);
  EXPECT_EQ(pieces(spec, forecast(spec)), 2);
  EXPECT_EQ(rows_of(spec, forecast(spec)).size(), 121U + 1);  // none is lost
  EXPECT_EQ(pieces(spec, observed(spec)), 1);
  // Rows that the series itself lacks are not drawn through either.
  p.time.erase(p.time.begin() + 20, p.time.begin() + 40);
  p.value.resize(p.time.size());
  spec = series_chart(p).spec;
  EXPECT_EQ(pieces(spec, observed(spec)), 2);
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
  constexpr double kDay = 86400e3;
  SeriesPicture p = example();
  p.validation_from = p.time[100];
  Json spec = series_chart(p).spec;
  const Json periods = rows_of(spec, find_layer(spec, "rect"));
  ASSERT_EQ(periods.size(), 2U);
  EXPECT_EQ(periods[0].at("name"), "validation");
  EXPECT_EQ(periods[0].at("t"), p.time[100] * kDay);
  EXPECT_EQ(periods[0].at("end"), periods[1].at("t"));  // validation ends where the test begins
  EXPECT_EQ(periods[1].at("t"), p.time[150] * kDay);
  EXPECT_GT(periods[1].at("end"), p.time.back() * kDay);

  for (const double none : {kNan, kInf, p.time.back() + 1}) {
    p = example();
    p.test_from = none;
    spec = series_chart(p).spec;
    EXPECT_EQ(count_marks(spec, "rect") + count_marks(spec, "text"), 0U) << none;
    EXPECT_FALSE(contains(series_chart(p).alt, "test period")) << none;
  }
}

TEST(SeriesChart, PutsValuesAtTheirDates) {
  SeriesPicture p;
  p.time = {100, 101, 102, 103, 104};
  p.value = {0, 1, 2, 3, 4};
  for (const double day : {102.0, 103.0, 104.0}) predict(p, day, day - 100, 1);
  const Json spec = series_chart(p).spec;
  EXPECT_EQ(rows_of(spec, observed(spec)).at(2), (Json{{"t", 102 * 86400000LL}, {"y", 2}}));
  EXPECT_EQ(rows_of(spec, forecast(spec)).at(0), (Json{{"t", 102 * 86400000LL},
                                                       {"mean", 2},
                                                       {"l95", 0},
                                                       {"l50", 1.3},
                                                       {"u50", 2.7},
                                                       {"u95", 4}}));
}

TEST(SeriesChart, WhatIsNotFinite) {
  SeriesPicture p = example();
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
    const Json spec = series_chart(picture).spec;
    EXPECT_EQ(spec_error(spec), "");
    const Json domain = observed(spec).at("encoding").at("x").at("scale").at("domain");
    EXPECT_LT(domain.at(0), domain.at(1));
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
  EXPECT_EQ(outer(series_chart(calm).spec).at("encoding").at("y").at("scale").at("domain"),
            Json::array({-70, 70}));
}

TEST(SeriesLegend, NamesWhatOccursInAnyPicture) {
  std::vector<SeriesPicture> pictures{example(), example()};
  pictures[0].test_from = kInf;
  const std::string list = legend_markup(series_legend(pictures));
  for (const auto* part :
       {"observed", "predictive mean", "50 % band", "95 % band", "test period"}) {
    EXPECT_TRUE(contains(list, part)) << part;
  }
  EXPECT_FALSE(contains(list, "validation"));
  pictures[1].validation_from = pictures[1].time[100];
  EXPECT_TRUE(contains(legend_markup(series_legend(pictures)), "validation period"));
  pictures[1].test_from = kNan;
  EXPECT_FALSE(contains(legend_markup(series_legend(pictures)), "test period"));
  EXPECT_FALSE(contains(legend_markup(series_legend(std::vector<SeriesPicture>(1))), "band"));
}

}  // namespace
}  // namespace probmix::report
