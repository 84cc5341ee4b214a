#include "probmix/report/page/html.hpp"

#include <gtest/gtest.h>

#include "report/page/markup_check.hpp"

namespace probmix::report {
namespace {

std::string example(const std::string& text) {
  HtmlReport report(text, text);
  report.add_heading(text);
  report.add_paragraph(text);
  Table table;
  table.caption = text;
  table.columns = {{text}, {text, Align::right}};
  table.add({text, text});
  table.add_rule();
  table.add({text, "1 ± 0"});
  table.mark_best(1, std::vector{2.0, 1.0});
  report.add_table(table);
  const std::vector<LegendItem> items{{Swatch::line, "var(--mean)", text}};
  const std::vector<Figure> figures{{text, Json{{"title", text}}, text, text, items},
                                    {"", Json{{text, text}}, text}};
  report.add_figures(figures, items);
  report.add_figures(figures);
  const std::vector<std::pair<std::string, std::string>> entries{{text, text}};
  report.add_details(text, entries);
  return report.html();
}

TEST(HtmlReport, ALegendThatAllChartsHaveStandsOnce) {
  const auto legends = [](const std::vector<Figure>& figures) {
    HtmlReport report("t", "s");
    report.add_figures(figures);
    const std::string html = report.html();
    int count = 0;
    for (auto at = html.find("class=\"legend\""); at != std::string::npos;
         at = html.find("class=\"legend\"", at + 1)) {
      ++count;
    }
    return count;
  };
  const std::vector<LegendItem> one{{Swatch::line, "var(--mean)", "one"}};
  const std::vector<LegendItem> two{{Swatch::dashed, "var(--mean)", "one"}};
  const std::vector<LegendItem> both{one[0], two[0]};
  const Figure a{"a", Json::object(), "a", "", one}, b{"b", Json::object(), "b", "", two};
  const Figure ab{"ab", Json::object(), "ab", "", both}, none{"none", Json::object(), "none"};
  EXPECT_EQ(legends({a}), 1);
  EXPECT_EQ(legends({a, a, a}), 1);
  EXPECT_EQ(legends({a, b}), 2);
  EXPECT_EQ(legends({a, ab, b}), 1);  // that of the second
  EXPECT_EQ(legends({a, none, a}), 2);
}

TEST(HtmlReport, IsWellFormedAndEscapesEverything) {
  for (const char* text : {"plain", "</title><script>alert(1)</script>", "\"><img src=x>", "a & b",
                           "' onload='x", "\xFF\x01", ""}) {
    const std::string html = example(text);
    EXPECT_EQ(markup_error(html), "") << text;
    EXPECT_FALSE(contains(html, "<script>alert")) << text;
    EXPECT_FALSE(contains(html, "<img")) << text;
  }
}

TEST(HtmlReport, GridsOfFigures) {
  const auto grid = [](FigureGrid kind) {
    HtmlReport report("title", "");
    report.add_figures({}, {}, kind);
    const std::string html = report.html();
    const std::size_t from = html.find("<div class=");
    return html.substr(from, html.find('>', from) + 1 - from);
  };
  EXPECT_EQ(grid(FigureGrid::small_multiples), "<div class=\"figures\">");
  EXPECT_EQ(grid(FigureGrid::wide), "<div class=\"figures wide\">");
  EXPECT_EQ(grid(FigureGrid::rows_of_four), "<div class=\"figures four\">");
}

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(HtmlReport, BringsWhatDrawsItsChartsOnce) {
  const std::string html = example("x");
  EXPECT_EQ(count(html, "<script type=\"application/json\">"), 4U);
  EXPECT_EQ(count(html, "<script>"), 2U);  // Vega, and what draws with it
  EXPECT_EQ(count(html, "<noscript>"), 1U);
  EXPECT_TRUE(contains(html, "University of Washington Interactive Data Lab"));  // the licence
  // Only if there are charts.
  HtmlReport plain("x", "x");
  plain.add_paragraph("x");
  plain.add_figures({});
  EXPECT_FALSE(contains(plain.html(), "<script"));
}

TEST(HtmlReport, OpensOffline) {
  const std::string html = example("x");
  for (const auto* part : {"url(", "@import", " src=", "<link", " href="}) {
    EXPECT_FALSE(contains(html.substr(0, html.find("<script>")), part)) << part;
  }
}

TEST(HtmlReport, IsAccessibleAndAdaptsToItsReader) {
  const std::string html = example("x");
  for (const auto* part :
       {"<html lang=\"en\">", "<meta charset=\"utf-8\"/>", "name=\"viewport\"", "scope=\"col\"",
        "scope=\"row\"", "<caption>x</caption>", "role=\"img\" aria-label=\"x\"", "<figcaption>x",
        "prefers-color-scheme: dark", "<p class=\"title\">x</p>", "@media print",
        "<strong>1 ± 0</strong>", "<tr class=\"rule\">", "class=\"right\"",
        "<dt>x</dt><dd>x</dd>"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
}

// On paper nothing scrolls: a wide table comes in parts there.
TEST(HtmlReport, WideTablesAreInPartsOnPaper) {
  const auto page = [](std::size_t columns) {
    Table table;
    table.caption = "scores";
    table.columns = {{"method"}};
    std::vector<Cell> row = {"erm"};
    for (std::size_t k = 0; k < columns; ++k) {
      table.columns.push_back({"set", Align::right});
      row.emplace_back("0.00055 ± 0.00091 [0.050 ± 0.030] ▴");
    }
    table.add(row);
    HtmlReport report("x", "");
    report.add_table(table);
    return report.html();
  };
  const std::string narrow = page(2);
  EXPECT_TRUE(contains(narrow, ">0.00055 ± 0.00091 <span>[0.050 ± 0.030] ▴</span>"));
  EXPECT_EQ(count(narrow, "<table"), 1U);
  const std::string wide = page(8);
  EXPECT_EQ(markup_error(wide), "");
  EXPECT_EQ(count(wide, "<div class=\"scroll screen\""), 1U);
  EXPECT_EQ(count(wide, "<div class=\"paper\">"), 2U);
  EXPECT_EQ(count(wide, "<th scope=\"row\">erm</th>"), 3U);
  EXPECT_EQ(count(wide, "<td"), 16U);
  EXPECT_EQ(count(wide, "<caption>scores</caption>"), 2U);
  EXPECT_EQ(count(wide, "<caption>(continued)</caption>"), 1U);
}

// A table that fits on a page stays on one.
TEST(HtmlReport, OnlyLongTablesBreakOnPaper) {
  const auto page = [](int rows) {
    Table table;
    table.columns = {{"x"}};
    for (int r = 0; r < rows; ++r) table.add({"1"});
    HtmlReport report("x", "");
    report.add_table(table);
    return report.html();
  };
  EXPECT_TRUE(contains(page(30), "table:not(.long) { break-inside: avoid; }"));
  EXPECT_FALSE(contains(page(30), "<table class=\"long\">"));
  EXPECT_TRUE(contains(page(31), "<table class=\"long\">"));
}

// The checker itself must be able to fail.
TEST(MarkupCheck, FindsErrors) {
  for (const char* wrong :
       {"<a>", "</a>", "<a><b></a></b>", "<a>&</a>", "<a>&nope;</a>", "<a b=c/>", "<a b=\"&\"/>",
        "<a b=\"1\" b=\"2\"/>", "<a/><b/>", "<a", "<a>x > y</a>"}) {
    EXPECT_NE(markup_error(wrong), "") << wrong;
  }
  EXPECT_EQ(markup_error("<a b=\"&amp;>\"><c/>&lt;</a>"), "");
  EXPECT_EQ(markup_error("<a><script>1 < 2 && \"</script></a>"), "");
  EXPECT_NE(markup_error("<a><script>1</a>"), "");
}

}  // namespace
}  // namespace probmix::report
