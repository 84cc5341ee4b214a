// How a Vega-Lite chart gets into a page: its specification as JSON inside of the figure, drawn by
// one script at the end of the page.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "probmix/base/json.hpp"

namespace probmix::report {

enum class Swatch { line, dashed, area, points, diamond, marker };

struct LegendItem {
  Swatch swatch;
  std::string colour;  // one of charts/spec.hpp
  std::string label;

  bool operator==(const LegendItem&) const = default;
};

struct Figure {
  std::string title;
  Json spec;        // Vega-Lite
  std::string alt;  // what a reader who does not see the chart should know
  std::string caption = "";
  std::vector<LegendItem> legend = {};
};

std::string figure_markup(const Figure& figure, bool with_legend = true);

// An HTML list, which wraps as text does; nothing for no items.
std::string legend_markup(std::span<const LegendItem> items);

// JSON that may stand in a <script>: no text of it can end the element or begin a comment. Numbers
// that are not finite are null, malformed UTF-8 is U+FFFD.
std::string script_json(const Json& json);

// Vega, Vega-Lite and what draws the figures; once, after all of them.
std::string chart_scripts();

}  // namespace probmix::report
