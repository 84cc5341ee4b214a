#include "probmix/report/html.hpp"

#include <gtest/gtest.h>

#include "probmix/report/svg.hpp"
#include "report/markup_check.hpp"

namespace probmix {
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
  const Chart chart(
      {.title = text, .alt = text, .x_label = text, .y_label = text, .x = {0, 1}, .y = {0, 1}});
  const std::vector<Figure> figures{{chart.svg(), text}, {chart.svg(), ""}};
  const std::vector<LegendItem> items{{Mark::line, "mean", text}};
  report.add_figures(figures, legend(items));
  const std::vector<std::pair<std::string, std::string>> entries{{text, text}};
  report.add_details(text, entries);
  return report.html();
}

TEST(HtmlReport, IsWellFormedAndEscapesEverything) {
  for (const char* text : {"plain", "</title><script>alert(1)</script>", "\"><img src=x>", "a & b",
                           "' onload='x", "\xFF\x01", ""}) {
    const std::string html = example(text);
    EXPECT_EQ(markup_error(html), "") << text;
    EXPECT_FALSE(contains(html, "<script")) << text;
    EXPECT_FALSE(contains(html, "<img")) << text;
  }
}

TEST(HtmlReport, GridsOfFigures) {
  const auto grid = [](FigureGrid kind) {
    HtmlReport report("title", "");
    report.add_figures({}, "", kind);
    const std::string html = report.html();
    const std::size_t from = html.find("<div class=");
    return html.substr(from, html.find('>', from) + 1 - from);
  };
  EXPECT_EQ(grid(FigureGrid::small_multiples), "<div class=\"figures\">");
  EXPECT_EQ(grid(FigureGrid::wide), "<div class=\"figures wide\">");
  EXPECT_EQ(grid(FigureGrid::rows_of_four), "<div class=\"figures four\">");
}

TEST(HtmlReport, OpensOffline) {
  std::string html = example("x");
  const std::string name_space = "http://www.w3.org/2000/svg";  // a name, never fetched
  for (std::size_t at; (at = html.find(name_space)) != std::string::npos;) {
    html.erase(at, name_space.size());
  }
  for (const auto* part : {"http:", "https:", "url(", "@import", "src=", "<link"}) {
    EXPECT_FALSE(contains(html, part)) << part;
  }
}

TEST(HtmlReport, IsAccessibleAndAdaptsToItsReader) {
  const std::string html = example("x");
  for (const auto* part :
       {"<html lang=\"en\">", "<meta charset=\"utf-8\"/>", "name=\"viewport\"", "scope=\"col\"",
        "scope=\"row\"", "<caption>x</caption>", "role=\"img\" aria-label=\"x\"", "<figcaption>x",
        "prefers-color-scheme: dark", "@media print", "<strong>1 ± 0</strong>",
        "<tr class=\"rule\">", "class=\"right\"", "<dt>x</dt><dd>x</dd>"}) {
    EXPECT_TRUE(contains(html, part)) << part;
  }
}

// The checker itself must be able to fail.
TEST(MarkupCheck, FindsErrors) {
  for (const char* wrong :
       {"<a>", "</a>", "<a><b></a></b>", "<a>&</a>", "<a>&nope;</a>", "<a b=c/>", "<a b=\"&\"/>",
        "<a b=\"1\" b=\"2\"/>", "<a/><b/>", "<a", "<a>x > y</a>"}) {
    EXPECT_NE(markup_error(wrong), "") << wrong;
  }
  EXPECT_EQ(markup_error("<a b=\"&amp;>\"><c/>&lt;</a>"), "");
  EXPECT_TRUE(mentions_non_finite("x=\"nan\""));
  EXPECT_TRUE(mentions_non_finite("M-inf 2"));
  EXPECT_TRUE(mentions_non_finite("1Lnan 2"));
  EXPECT_FALSE(mentions_non_finite("information on nanometres"));
}

}  // namespace
}  // namespace probmix
