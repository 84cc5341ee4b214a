// Vega-Lite charts in a page: each figure holds its specification as JSON, drawn by one script at
// the end of the page.
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
  std::string alt;  // for readers who cannot see the chart
  std::string caption = {};
  std::vector<LegendItem> legend = {};
};

std::string figure_markup(const Figure& figure, bool with_legend = true);

// An HTML list, which wraps like text; empty without items.
std::string legend_markup(std::span<const LegendItem> items);

// JSON for use inside a <script>: no string in it can end the element or start a comment. Numbers
// that are not finite become null, malformed UTF-8 becomes U+FFFD.
std::string script_json(const Json& json);

// Vega, Vega-Lite and the script that draws the figures; to be added once, after all of them.
std::string chart_scripts();

}  // namespace probmix::report
