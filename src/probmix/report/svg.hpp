// A small SVG chart: linear axes, lines, bands, points, vertical markers and shaded regions, drawn
// in the order of the calls and clipped to the plot area; labels of regions lie above all of them.
//
// Values that are not finite break lines and bands and are otherwise skipped: they never reach the
// SVG. Text is escaped. A mark has a CSS class instead of a colour (see style.hpp), so that one
// style sheet decides about light, dark and print.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/report/axis.hpp"

namespace probmix {

struct ChartFrame {
  std::string title;  // in several lines where one is too narrow
  std::string alt;    // what a reader who does not see the picture should know
  std::string x_label;
  std::string y_label;
  Range x;
  Range y;
  int width = 340;
  int height = 240;
  bool x_dates = false;  // x counts days since 1970-01-01 and is labelled with dates
};

class Chart {
 public:
  // An empty or non-finite range is replaced by one that can be drawn.
  explicit Chart(ChartFrame frame);

  void line(std::span<const double> x, std::span<const double> y, std::string_view css_class);
  void band(std::span<const double> x, std::span<const double> lower, std::span<const double> upper,
            std::string_view css_class);
  void points(std::span<const double> x, std::span<const double> y, std::string_view css_class);
  // A vertical region of all y; the label is wrapped, and left out where a word does not fit.
  void shade(Range x, std::string_view css_class, std::string_view label = "");

  // A vertical line from the bottom to the top.
  void marker(double x, std::string_view css_class);

  std::string svg() const;

 private:
  double pixel_x(double x) const;
  double pixel_y(double y) const;

  ChartFrame frame_;
  double plot_left_, plot_top_, plot_width_, plot_height_;
  std::vector<Tick> x_ticks_, y_ticks_;
  std::vector<std::string> title_lines_;
  std::string marks_, notes_;
};

enum class Mark { line, band, points, marker, region };

struct LegendItem {
  Mark mark;
  std::string css_class;
  std::string label;
};

// An HTML list with one swatch per item, shared by charts that use the same classes.
std::string legend(std::span<const LegendItem> items);

}  // namespace probmix
