// The charts that have no file of their own here: what they draw, and what they refuse.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"
#include "report/charts/chart_samples.hpp"
#include "report/charts/spec_check.hpp"
#include "report/page/markup_check.hpp"

namespace probmix::report {
namespace {

using samples::kInf;
using samples::kNan;
using Marks = std::vector<std::string>;

TEST(Charts, AllHaveWhatAPageNeeds) {
  for (const Figure& figure : samples::all()) {
    EXPECT_EQ(spec_error(figure.spec), "") << figure.title;
    EXPECT_GT(figure.alt.size(), figure.title.size() + 20) << figure.alt;
    EXPECT_TRUE(contains(figure.alt, figure.caption)) << figure.alt;
    EXPECT_EQ(markup_error(figure_markup(figure)), "") << figure.title;
  }
}

TEST(Charts, NothingAtAllCanBeDrawn) {
  const std::vector<Figure> figures{
      band_chart({}),     series_chart({}),   density_chart({}),     box_chart({}),
      pit_chart({}),      coverage_chart({}), reliability_chart({}), scatter_chart({}),
      loss_chart({}),     rank_chart({}),     predictions_chart({}), score_lines_chart({}),
      densities_chart({})};
  for (const Figure& figure : figures) EXPECT_EQ(spec_error(figure.spec), "") << figure.alt;
}

TEST(Numbers, SevenDigitsAndNull) {
  EXPECT_EQ(number(1.0 / 3), 0.3333333);
  EXPECT_EQ(exact_json_text(number(1584576000000.0)), "1584576000000");
  EXPECT_EQ(exact_json_text(number(-2)), "-2");
  EXPECT_EQ(number(1e300), 1e300);
  EXPECT_TRUE(number(kNan).is_null() && number(kInf).is_null());
}

TEST(BoxChart, GroupsKeepTheirOrderAndColour) {
  const BoxPicture p = samples::boxes(ScoreScale::symlog);
  const Json spec = box_chart(p).spec;
  EXPECT_EQ(marks(spec), (Marks{"boxplot", "point"}));
  const Json box = find_layer(spec, "boxplot");
  const Json order = box.at("encoding").at("y").at("scale").at("domain");
  ASSERT_EQ(order.size(), p.groups.size());
  EXPECT_EQ(order.at(0), "erm");
  EXPECT_EQ(order.at(1), "mix (1 diverged)");
  EXPECT_EQ(box.at("mark").at("extent"), 1.5);
  EXPECT_EQ(box.at("encoding").at("x").at("scale").at("type"), "symlog");
  EXPECT_EQ(rows_of(spec, box).size(), p.groups.size() * 21);  // without the one that diverged
  EXPECT_EQ(rows_of(spec, box).at(0).at("group"), "others");
  EXPECT_EQ(rows_of(spec, box).back().at("group"), "ProbMix");
  EXPECT_EQ(rows_of(spec, find_layer(spec, "point")).at(0).at("method"), "erm");
}

TEST(BoxChart, RunsFarBeyondTheWhiskersAreMarkedAtTheEdge) {
  BoxPicture p{.title = "t", .caption = "", .score = "s", .groups = {}};
  p.groups = {{"one", {1, 1.1, 1.2, 1.3, 1.4, 50}}, {"two", {1.2, 1.3, 1.4, 1.5, 1.6, 2.1, -9}}};
  const Json spec = box_chart(p).spec;
  EXPECT_EQ(marks(spec), (Marks{"boxplot", "point"}));
  const Json domain = find_layer(spec, "boxplot").at("encoding").at("x").at("scale").at("domain");
  EXPECT_GT(domain.at(0), 0.9);
  EXPECT_LT(domain.at(1), 2.2);  // 2.1 is a point
  const Json far = rows_of(spec, find_layer(spec, "point"));
  ASSERT_EQ(far.size(), 2U);
  EXPECT_EQ(far.at(0).at("value"), 50);
  EXPECT_EQ(far.at(0).at("side"), "high");
  EXPECT_EQ(far.at(0).at("v"), domain.at(1));
  EXPECT_EQ(far.at(1).at("value"), -9);
  EXPECT_EQ(far.at(1).at("side"), "low");
  // What the paper reports is always in the picture.
  p.groups[0].paper = 30;
  EXPECT_GT(find_layer(box_chart(p).spec, "boxplot")
                .at("encoding")
                .at("x")
                .at("scale")
                .at("domain")
                .at(1),
            30);
}

TEST(BoxChart, Refuses) {
  BoxPicture p = samples::boxes(ScoreScale::linear);
  p.groups[2].name = p.groups[1].name;
  EXPECT_THROW(box_chart(p), Error);
}

TEST(DensitiesChart, ALineForEachAndTheMarkInSight) {
  DensitiesPicture p = samples::densities();
  p.mark = 400;  // beyond the grid
  const Figure figure = densities_chart(p);
  EXPECT_EQ(marks(figure.spec), (Marks{"area", "line", "area", "line", "rule"}));
  const Json scale = find_layer(figure.spec, "line").at("encoding").at("x").at("scale");
  EXPECT_EQ(scale.at("domain"), (Json{0, 400}));
  ASSERT_EQ(figure.legend.size(), 3U);
  EXPECT_EQ(figure.legend[1].label, "probmix");
  EXPECT_EQ(figure.legend[2].label, "target 80");
  p.mark = kNan;
  EXPECT_EQ(count_marks(densities_chart(p).spec, "rule"), 0U);
  p.lines[1].density.pop_back();
  EXPECT_THROW(densities_chart(p), Error);
}

TEST(SymlogTicks, ZeroAndPowersOfTen) {
  using Ticks = std::vector<double>;
  EXPECT_EQ(symlog_ticks({-12, 1200}), (Ticks{-10, -1, 0, 1, 10, 100, 1000}));
  EXPECT_EQ(symlog_ticks({5, 1200}), (Ticks{10, 100, 1000}));
  EXPECT_EQ(symlog_ticks({-0.5, 1}), (Ticks{0, 1}));
  EXPECT_EQ(symlog_ticks({15, 400}), (Ticks{20, 50, 100, 200}));
  EXPECT_EQ(symlog_ticks({-30, -3}), (Ticks{-20, -10, -5}));
  EXPECT_EQ(symlog_ticks({2, 4}), (Ticks{2, 2.5, 3, 4}));
  EXPECT_EQ(symlog_ticks({0.2, 0.4}), Ticks{});
  EXPECT_LE(symlog_ticks({-1e20, 1e30}).size(), 12U);
  EXPECT_TRUE(std::ranges::is_sorted(symlog_ticks({-1e20, 1e30})));
}

TEST(Titles, CanBePartOfAnExpression) {
  EXPECT_EQ(quantitative("x", "a\\\"b\n\u2028µ", {0, 1}).at("title"), "a\u2216\"b  µ");
  EXPECT_EQ(tip("x", "\\").at("title"), "\u2216");
  EXPECT_TRUE(quantitative("x", "", {0, 1}).at("title").is_null());
}

TEST(PitChart, ABarForEachBinAndTheUniformLine) {
  const Json spec =
      pit_chart({.title = "t", .caption = "", .share = {0.4, 0.2, 0, 0.4}, .rows = 5}).spec;
  const Json bins = rows_of(spec, find_layer(spec, "rect"));
  ASSERT_EQ(bins.size(), 4U);
  EXPECT_EQ(bins[0], (Json{{"from", 0}, {"to", 0.25}, {"part", 0.4}}));
  EXPECT_EQ(bins[3].at("part"), 0.4);
  const Json line = find_layer(spec, "line");
  EXPECT_EQ(rows_of(spec, line).at(1), (Json{{"x", 1}, {"y", 0.25}}));
  EXPECT_EQ(line.at("encoding").at("y").at("field"), "y");
  EXPECT_THROW(pit_chart({.title = "t", .caption = "", .share = {1.01}}), Error);
  EXPECT_THROW(pit_chart({.title = "t", .caption = "", .share = {-0.01}}), Error);
}

TEST(CoverageChart, ALineForEachMethodAndTheDiagonal) {
  CoveragePicture p = samples::coverage();
  const Figure figure = coverage_chart(p);
  EXPECT_EQ(count_marks(figure.spec, "line"), 1 + p.curves.size());
  EXPECT_EQ(figure.legend.size(), 1 + p.curves.size());
  const Json layers = figure.spec.at("layer");
  // The ninth has the first one's colour, and another dash.
  EXPECT_EQ(layers[1].at("mark").at("color"), layers[9].at("mark").at("color"));
  EXPECT_NE(layers[1].at("mark").at("strokeDash"), layers[9].at("mark").at("strokeDash"));
  p.curves[0].nominal.pop_back();
  EXPECT_THROW(coverage_chart(p), Error);
}

TEST(ReliabilityChart, LeavesOutEmptyBins) {
  ReliabilityPicture p = samples::reliability();
  const Json spec = reliability_chart(p).spec;
  EXPECT_EQ(marks(spec), (Marks{"bar", "line", "line", "point"}));
  EXPECT_EQ(spec.at("data").at("values").size(), 8U);
  EXPECT_EQ(spec.at("resolve").at("scale").at("y"), "independent");
  p.count.pop_back();
  EXPECT_THROW(reliability_chart(p), Error);
}

TEST(ScatterChart, LabelsDoNotCoverEachOther) {
  ScatterPicture p{.title = "t", .caption = "", .x_label = "x", .y_label = "y", .points = {}};
  p.points = {{"one", 0, 0}, {"two", 0.001, 0}, {"three", 1, 1, true}, {"gone", kNan, 0}};
  const Json spec = scatter_chart(p).spec;
  const Json rows = rows_of(spec, find_layer(spec, "text"));
  ASSERT_EQ(rows.size(), 3U);
  const auto place = [&](std::size_t i) {
    return Json::array({rows[i].at("align"), rows[i].at("dx"), rows[i].at("dy")});
  };
  EXPECT_NE(place(0), place(1));
  EXPECT_EQ(rows[2].at("align"), "right");  // at the right border
  EXPECT_NE(rows[2].at("shade"), rows[0].at("shade"));
}

TEST(CurveChart, MarksTheBestEpoch) {
  LossPicture p = samples::losses();
  const Json spec = loss_chart(p).spec;
  EXPECT_EQ(count_marks(spec, "line"), 8U);
  EXPECT_EQ(count_marks(spec, "point"), 4U);
  const Json best = rows_of(spec, find_layer(spec, "point")).at(0);
  EXPECT_EQ(best.at("epoch"), 40);
  EXPECT_EQ(best.at("loss"), number(p.curves[0].validation[39]));
  // The first epochs do not set the range.
  const Json domain = find_layer(spec, "line").at("encoding").at("y").at("scale").at("domain");
  EXPECT_LT(domain.at(1), 3);
  // Between two epochs of a curve that was thinned out, and after its last one.
  p.curves[0].best_epoch = 40.25;
  EXPECT_EQ(rows_of(loss_chart(p).spec, find_layer(loss_chart(p).spec, "point")).at(0).at("loss"),
            number(0.75 * p.curves[0].validation[39] + 0.25 * p.curves[0].validation[40]));
  p.curves[0].best_epoch = 151;
  EXPECT_EQ(rows_of(loss_chart(p).spec, find_layer(loss_chart(p).spec, "point")).at(0).at("loss"),
            number(p.curves[0].validation.back()));
  p.curves[0].best_loss = 0.5;
  EXPECT_EQ(rows_of(loss_chart(p).spec, find_layer(loss_chart(p).spec, "point")).at(0).at("loss"),
            0.5);
  p.curves[1].train.pop_back();
  EXPECT_THROW(loss_chart(p), Error);
}

TEST(CurveChart, ACurveThatBecomesFarWorseThanAtTheBeginningLeavesThePicture) {
  LossPicture p{.title = "t", .caption = "", .curves = {}};
  for (int k = 0; k < 9; ++k) {
    LossCurve curve{.name = fmt::format("{}", k), .best_epoch = 2};
    curve.epoch = {1, 2, 3, 4};
    curve.validation = {2.0 + 0.1 * k, 1, 1.5, k == 0 ? 1000.0 : 1.2};
    p.curves.push_back(std::move(curve));
  }
  const Json spec = loss_chart(p).spec;
  const Json domain = find_layer(spec, "line").at("encoding").at("y").at("scale").at("domain");
  // The calmest curve reaches 1.5 after its beginning.
  EXPECT_GT(domain.at(1), 5.2);  // 1 + 3 (2.4 - 1), and a margin; 2.4 is the median at the begin
  EXPECT_LT(domain.at(1), 5.5);
  EXPECT_LT(domain.at(0), 1);
  // The ninth has the first one's colour, and another dash.
  const Json& layers = spec.at("layer");
  EXPECT_EQ(layers[0].at("mark").at("color"), layers[8].at("mark").at("color"));
  EXPECT_NE(layers[0].at("mark").at("strokeDash"), layers[8].at("mark").at("strokeDash"));
}

TEST(CurveChart, AllOfACurveThatOnlyRises) {
  LossPicture p{.title = "t", .caption = "", .curves = {}};
  p.curves.push_back(
      {.name = "one", .epoch = {1, 2, 3, 4}, .validation = {1, 2, 3, 4}, .best_epoch = 1});
  const Json domain =
      find_layer(loss_chart(p).spec, "line").at("encoding").at("y").at("scale").at("domain");
  EXPECT_GE(domain.at(1), 4);
  EXPECT_LE(domain.at(0), 1);
}

TEST(SweepChart, BreaksWhereSomethingIsMissingAndHoldsErrors) {
  ScoreLinesPicture p = samples::score_lines();
  const Json spec = score_lines_chart(p).spec;
  EXPECT_EQ(count_marks(spec, "line"), p.lines.size());
  EXPECT_EQ(count_marks(spec, "rule"), p.lines.size());
  const Json& layers = spec.at("layer");
  EXPECT_EQ(rows_of(spec, layers[1]).size(), 4U);
  EXPECT_TRUE(rows_of(spec, layers[5]).at(1).at("mean").is_null());
  EXPECT_EQ(rows_of(spec, layers[7]).at(0).at("low"), rows_of(spec, layers[7]).at(0).at("mean"));
  EXPECT_EQ(layers[1].at("encoding").at("x").at("scale").at("domain"), Json(p.values));
  p.scale = ScoreScale::linear;
  p.lines = {{"one", {1, 2, 3, 4}, {0, 0, 0, 2}}};
  ScoreLinesPicture other = p;
  other.lines[0].mean[0] = -5;
  const Range range = common_y_range(std::vector{p, other});
  EXPECT_LT(range.low, -5);
  EXPECT_GT(range.high, 6);
  EXPECT_LT(range.high, 7);
  p.y_range = range;
  const Json y = score_lines_chart(p).spec.at("layer")[1].at("encoding").at("y");
  EXPECT_EQ(y.at("scale").at("domain"), (Json{range.low, range.high}));
  p.lines[0].error.pop_back();
  EXPECT_THROW(score_lines_chart(p), Error);
}

TEST(PredictionsChart, HasIntervalsDiagonalAndPoints) {
  PredictionsPicture p = samples::predictions();
  EXPECT_EQ(marks(predictions_chart(p).spec), (Marks{"rule", "line", "point"}));
  p.high.pop_back();
  EXPECT_THROW(predictions_chart(p), Error);
}

TEST(RegionChart, Refuses) {
  const RegionPicture good = samples::regions();
  EXPECT_EQ(marks(region_chart(good).spec), (Marks{"rect", "point"}));
  RegionPicture p = good;
  p.across = 49;
  EXPECT_THROW(region_chart(p), Error);
  p = good;
  p.probability.pop_back();
  EXPECT_THROW(region_chart(p), Error);
  p = good;
  p.predicted[3] = 3;
  EXPECT_THROW(region_chart(p), Error);
  p = good;
  p.point_class.pop_back();
  EXPECT_THROW(region_chart(p), Error);
  p = good;
  p.predicted.resize(20000, 0);
  p.probability.resize(20000, 1);
  EXPECT_THROW(region_chart(p), Error);
}

TEST(RankChart, OrdersMethodsAndJoinsGroups) {
  RankPicture p = samples::ranks();
  const Figure figure = rank_chart(p);
  const Json names = rows_of(figure.spec, find_layer(figure.spec, "text"));
  ASSERT_EQ(names.size(), 11U);
  EXPECT_EQ(names[0].at("rank"), 1.5);
  for (std::size_t k = 1; k < names.size(); ++k) {
    EXPECT_GT(names[k].at("depth"), names[k - 1].at("depth")) << k;
  }
  // Labels take one side: at the width of a phone, 350 pixels, more than half is for the axis.
  const Json range = find_layer(figure.spec, "text").at("encoding").at("x").at("value");
  EXPECT_LT(std::stod(range.at("expr").get<std::string>()), 350 / 2.0);
  EXPECT_TRUE(
      contains(exact_json_text(figure.spec),
               "[{\"expr\":" + exact_json_text(range.at("expr")) + "},{\"expr\":\"width\"}]"));
  EXPECT_TRUE(contains(figure.caption, "Critical difference: 2.95 ranks."));
  EXPECT_TRUE(contains(figure.alt, "best first: erm 1.50, "));
  const Json bars = find_layer(figure.spec, "rule", "var(--ink)");
  EXPECT_EQ(rows_of(figure.spec, bars).size(), 3U);
  p.methods[0].rank = 11.5;
  EXPECT_THROW(rank_chart(p), Error);
  p = samples::ranks();
  p.groups = {{3, 2}};
  EXPECT_THROW(rank_chart(p), Error);
}

}  // namespace
}  // namespace probmix::report
