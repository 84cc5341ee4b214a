#include "probmix/report/svg.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"
#include "report/markup_check.hpp"

namespace probmix {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

Chart chart(Range x = {0, 10}, Range y = {0, 10}) {
  return Chart({.title = "t", .alt = "", .x_label = "", .y_label = "", .x = x, .y = y});
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Chart, NonFiniteValuesBreakLinesAndBands) {
  Chart c = chart();
  const std::vector<double> x{0, 1, 2, 3, 4, 5};
  const std::vector<double> y{1, 2, kNan, 3, kInf, 4};
  c.line(x, y, "mean");
  c.band(x, y, y, "interval");
  c.points(x, y, "train");
  c.shade({kNan, 1}, "gap", "note");
  c.line(y, x, "truth");  // and in x
  c.band(y, x, x, "other");
  c.points(y, x, "test");
  const std::string svg = c.svg();
  EXPECT_FALSE(mentions_non_finite(svg)) << svg;
  EXPECT_EQ(markup_error(svg), "");
  const auto path = [&](const std::string& css) {
    const std::size_t from = svg.find("d=\"", svg.find(css));
    return svg.substr(from, svg.find("/>", from) - from);
  };
  EXPECT_EQ(count(path("line mean"), "M"), 3U);
  EXPECT_EQ(count(path("band interval"), "Z"), 3U);
  EXPECT_EQ(count(path("points train"), "h0"), 4U);
  EXPECT_FALSE(contains(svg, "region"));
}

TEST(Chart, NothingFiniteAndHugeValues) {
  Chart c = chart({kNan, kInf}, {-kInf, kInf});
  c.line(std::vector{kNan}, std::vector{1.0}, "mean");
  c.line({}, {}, "mean");
  c.line(std::vector{0.0, 1e308, -1e308}, std::vector{-1e308, 1e308, 1e308}, "truth");
  c.shade({-kInf, kInf}, "gap");
  const std::string svg = c.svg();
  EXPECT_EQ(markup_error(svg), "");
  EXPECT_FALSE(mentions_non_finite(svg)) << svg;
  EXPECT_FALSE(contains(svg, "line mean"));
  EXPECT_FALSE(contains(svg, "00000000")) << svg;  // far points are pulled near
}

TEST(Chart, PutsValuesWhereTheyBelong) {
  // Without axis labels and title: a plot of known size, from the corner of the nested <svg>.
  Chart c({.title = "", .alt = "", .x_label = "", .y_label = "", .x = {0, 10}, .y = {0, 100}});
  c.line(std::vector{0.0, 10.0}, std::vector{0.0, 100.0}, "mean");
  c.shade({5, 20}, "gap");
  const std::string svg = c.svg();
  // Labels of at most three cells: 2 + 3 * 6.6 + 7 = 28.8 to the left, 10 to the right and above.
  EXPECT_TRUE(contains(svg, "<svg x=\"28.8\" y=\"10\" width=\"301.2\" height=\"208\">")) << svg;
  EXPECT_TRUE(contains(svg, "d=\"M0 208L301.2 0\"")) << svg;
  EXPECT_TRUE(contains(svg, "x=\"150.6\" y=\"0\" width=\"150.6\" height=\"208\"")) << svg;
}

TEST(Chart, EscapesText) {
  const std::string evil = "<script>\"&'";
  Chart c({.title = evil, .alt = evil, .x_label = evil, .y_label = evil, .x = {0, 1}, .y = {0, 1}});
  c.shade({0, 1}, evil, evil);
  c.line(std::vector{0.0, 1.0}, std::vector{0.0, 1.0}, evil);
  EXPECT_EQ(markup_error(c.svg()), "");
  EXPECT_FALSE(contains(c.svg(), "<script"));
  EXPECT_EQ(count(c.svg(), "&lt;script&gt;&quot;&amp;&#39;"), 7U);
}

TEST(Chart, WrapsOrDropsALabelThatDoesNotFit) {
  const auto notes = [](double width) {
    Chart c = chart();
    c.shade({0, width}, "gap", "no training data");
    return count(c.svg(), "class=\"note\"");
  };
  EXPECT_EQ(notes(10), 1U);
  EXPECT_EQ(notes(2.5), 2U);
  EXPECT_EQ(notes(0.5), 0U);
}

TEST(Chart, ALoneValueIsADot) {
  Chart c = chart();
  c.line(std::vector{1.0, 2.0, 3.0, 4.0}, std::vector{5.0, kNan, 5.0, 5.0}, "mean");
  EXPECT_EQ(count(c.svg(), "h0"), 1U);
}

TEST(Chart, MarkersInsideTheRangeOnly) {
  Chart c({.title = "", .alt = "", .x_label = "", .y_label = "", .x = {0, 10}, .y = {0, 100}});
  c.marker(5, "observed");
  for (const double x : {-0.1, 10.1, kNan, kInf, -kInf}) c.marker(x, "observed");
  EXPECT_EQ(count(c.svg(), "class=\"marker observed\" d=\"M150.6 0V208\"/>"), 1U) << c.svg();
  EXPECT_EQ(count(c.svg(), "marker"), 1U);
  EXPECT_FALSE(mentions_non_finite(c.svg()));
}

TEST(Chart, LabelsLieAboveLaterMarks) {
  Chart c = chart();
  c.shade({0, 10}, "gap", "label");
  c.line(std::vector{0.0, 1.0}, std::vector{0.0, 1.0}, "mean");
  EXPECT_LT(c.svg().find("region gap"), c.svg().find("line mean"));
  EXPECT_GT(c.svg().find(">label<"), c.svg().find("line mean"));
}

TEST(Chart, ALongTitleTakesLinesFromThePlot) {
  const auto svg = [](std::string title) {
    ChartFrame frame;
    frame.title = std::move(title);
    return Chart(frame).svg();
  };
  EXPECT_TRUE(contains(svg("one line"), " y=\"28\" width"));
  const std::string two = svg("a title of more than forty-five characters, in two lines");
  EXPECT_EQ(count(two, "class=\"title\""), 2U);
  EXPECT_TRUE(contains(two, " y=\"44\" width")) << two;
  EXPECT_EQ(count(svg(std::string(80, 'x')), "class=\"title\""), 1U);  // cut, but there
}

TEST(Chart, LabelsDates) {
  ChartFrame frame;
  frame.x = {17897, 18262};  // the year 2019
  EXPECT_FALSE(contains(Chart(frame).svg(), ">Jul<"));
  frame.x_dates = true;
  for (const auto* label : {">2019<", ">Jul<", ">2020<"}) {
    EXPECT_TRUE(contains(Chart(frame).svg(), label)) << Chart(frame).svg();
  }
}

TEST(Chart, TooSmall) {
  EXPECT_THROW(Chart({.title = "",
                      .alt = "",
                      .x_label = "",
                      .y_label = "",
                      .x = {0, 1},
                      .y = {0, 1},
                      .width = 20,
                      .height = 20}),
               Error);
}

TEST(Legend, OneSwatchPerItem) {
  const std::vector<LegendItem> items{{Mark::line, "mean", "mean <µ>"},
                                      {Mark::band, "interval", "b"},
                                      {Mark::points, "train", "c"},
                                      {Mark::marker, "observed", "e"},
                                      {Mark::region, "gap", "d"}};
  const std::string list = legend(items);
  EXPECT_EQ(markup_error(list), "");
  EXPECT_EQ(count(list, "<li>"), 5U);
  for (const auto* mark :
       {"line mean", "band interval", "points train", "marker observed", "region gap"}) {
    EXPECT_TRUE(contains(list, mark)) << mark;
  }
  EXPECT_TRUE(contains(list, "mean &lt;µ&gt;"));
}

}  // namespace
}  // namespace probmix
