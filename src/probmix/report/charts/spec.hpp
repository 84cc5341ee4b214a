// What the charts share: colours, data as rows, and pieces of Vega-Lite. A chart is one layered
// view, as wide as its place in the page. Fonts and axes are set in report/page/charts.js; colours
// are the variables of report/page/page.css.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/report/page/range.hpp"
#include "probmix/report/page/vega.hpp"

namespace probmix::report {

namespace colour {
inline constexpr std::string_view mean = "var(--mean)", interval = "var(--interval)",
                                  inner = "var(--inner)", data = "var(--data)",
                                  observed = "var(--observed)", truth = "var(--truth)",
                                  gap = "var(--gap)", paper = "var(--paper)", ink = "var(--ink)",
                                  soft = "var(--soft)", line = "var(--line)", other = "var(--c6)";
// For the kth of several lines. Colours repeat after eight, with another dash.
std::string category(std::size_t k);
}  // namespace colour

// The dash of the kth of several lines: solid for the first eight, then dashed, then dotted.
Json category_dash(std::size_t k);

// The legend entry of the kth line.
LegendItem category_item(std::size_t k, std::string label);

// Null unless finite; seven digits, more than a chart shows.
Json number(double value);

// One object per row, with these fields. All fields must be equally long.
using Field = std::pair<std::string_view, std::span<const double>>;
Json rows(std::initializer_list<Field> columns);

// A field on an axis with this domain and, unless empty, this title.
Json quantitative(std::string_view field, std::string_view title, Range domain);

// A line of a tooltip.
Json tip(std::string_view field, std::string_view title, std::string_view format = ".4~g");

// With null data the layer uses the chart's.
Json layer(Json mark, Json encoding, Json data = nullptr);

// Shows the tooltip of the row that is nearest in x, wherever the pointer is.
Json nearest_tip(Json x, Json tooltip);

// A dashed line between two given points.
Json dashed_line(Json x, Json y, double x1, double y1, double x2, double y2);

// `height` is that of the plot, in pixels; axes and labels come on top.
Json chart(double height, Json layers, Json data = nullptr);

// Throws unless `found` is `wanted`: "picture 'erm': mean has 3 values, but x has 4".
void check_length(std::string_view title, std::string_view what, std::size_t found,
                  std::string_view of, std::size_t wanted);

}  // namespace probmix::report
