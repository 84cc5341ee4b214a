#include "probmix/report/page/vega.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "report/page/markup_check.hpp"

namespace probmix::report {
namespace {

TEST(ScriptJson, NoTextCanEndTheScript) {
  for (const std::string text :
       {"</script>", "<!--", "<script", "\"'\\", "a & b", "\u2028 \u2029"}) {
    const Json json = {{text, {text, 1}}};
    const std::string safe = script_json(json);
    for (const auto* part : {"<", ">", "&", "\u2028", "\u2029"}) {
      EXPECT_FALSE(contains(safe, part)) << safe;
    }
    EXPECT_EQ(parse_own_json(safe), json) << safe;  // and it means the same
  }
  EXPECT_EQ(script_json("µ ≤ 1"), "\"µ ≤ 1\"");
}

TEST(ScriptJson, WhatJsonDoesNotKnow) {
  EXPECT_EQ(script_json(Json::array({std::numeric_limits<double>::quiet_NaN(),
                                     -std::numeric_limits<double>::infinity()})),
            "[null,null]");
  EXPECT_EQ(script_json("\xFF"), "\"\uFFFD\"");
}

TEST(FigureMarkup, HasTitleLegendDescriptionAndCaption) {
  const std::string html = figure_markup({"a <title>",
                                          Json{{"mark", "bar"}},
                                          "an \"alternative\"",
                                          "a caption",
                                          {{Swatch::dashed, "var(--truth)", "truth & co"}}});
  EXPECT_EQ(markup_error(html), "");
  for (const auto* part :
       {"<p class=\"title\">a &lt;title&gt;</p>", "aria-label=\"an &quot;alternative&quot;\"",
        "<script type=\"application/json\">{\"mark\":\"bar\"}</script>",
        "<figcaption>a caption</figcaption>",
        "<li><span class=\"swatch dashed\" style=\"color:var(--truth)\"></span>truth &amp; co"}) {
    EXPECT_TRUE(contains(html, part)) << part << "\n" << html;
  }
  EXPECT_EQ(legend_markup({}), "");
}

TEST(ChartScripts, CannotEndTheirElement) {
  const std::string scripts = "<body>" + chart_scripts() + "</body>";
  EXPECT_EQ(markup_error(scripts), "");
  EXPECT_TRUE(contains(scripts, "vegaLite.compile"));
}

}  // namespace
}  // namespace probmix::report
