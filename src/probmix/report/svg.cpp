#include "probmix/report/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/date_axis.hpp"
#include "probmix/report/svg_element.hpp"
#include "probmix/report/text.hpp"

namespace probmix {
namespace {

// Widths of one character, generously, in the 13, 11 and 10 pixel text of chart_css.
constexpr double kTitleAdvance = 7.4;
constexpr double kTitleHeight = 16;
constexpr double kTickAdvance = 6.6;
constexpr double kNoteAdvance = 5.6;
constexpr double kNoteHeight = 12;

// Calls draw(first, last) for each longest run of indices whose values are all finite.
template <class Finite, class Draw>
void for_finite_runs(std::size_t n, Finite finite, Draw draw) {
  for (std::size_t first = 0; first < n; ++first) {
    std::size_t last = first;
    while (last < n && finite(last)) ++last;
    if (last > first) draw(first, last);
    first = last;
  }
}

}  // namespace

Chart::Chart(ChartFrame frame) : frame_(std::move(frame)) {
  frame_.x = drawable(frame_.x);
  frame_.y = drawable(frame_.y);
  title_lines_ = wrap_words(frame_.title, frame_.width, kTitleAdvance);
  if (title_lines_.empty() && !frame_.title.empty()) title_lines_ = {frame_.title};
  plot_top_ =
      (title_lines_.empty() ? 10 : 12) + kTitleHeight * static_cast<double>(title_lines_.size());
  plot_height_ = frame_.height - plot_top_ - (frame_.x_label.empty() ? 22 : 38);
  y_ticks_ = nice_ticks(frame_.y, static_cast<int>(plot_height_ / 36));
  int widest = 1;
  for (const auto& tick : y_ticks_) widest = std::max(widest, display_width(tick.label));
  plot_left_ = (frame_.y_label.empty() ? 2 : 18) + kTickAdvance * widest + 7;
  plot_width_ = frame_.width - plot_left_ - (frame_.x_dates ? 16 : 10);  // half of a label
  x_ticks_ = frame_.x_dates ? date_ticks(frame_.x, static_cast<int>(plot_width_ / 42))
                            : nice_ticks(frame_.x, static_cast<int>(plot_width_ / 50));
  check(plot_width_ > 0 && plot_height_ > 0, "a chart of {} x {} has no room for its axes",
        frame_.width, frame_.height);
}

double Chart::pixel_x(double x) const { return (x - frame_.x.low) / frame_.x.size() * plot_width_; }

double Chart::pixel_y(double y) const {
  return (frame_.y.high - y) / frame_.y.size() * plot_height_;
}

void Chart::line(std::span<const double> x, std::span<const double> y, std::string_view css_class) {
  std::string path;
  const auto finite = [&](std::size_t i) { return std::isfinite(x[i]) && std::isfinite(y[i]); };
  for_finite_runs(std::min(x.size(), y.size()), finite, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      path += svg_point(i == first ? 'M' : 'L', pixel_x(x[i]), pixel_y(y[i]));
    }
    if (last == first + 1) path += "h0";  // a single value is a dot
  });
  marks_ += svg_path("line", css_class, path);
}

void Chart::band(std::span<const double> x, std::span<const double> lower,
                 std::span<const double> upper, std::string_view css_class) {
  std::string path;
  const auto finite = [&](std::size_t i) {
    return std::isfinite(x[i]) && std::isfinite(lower[i]) && std::isfinite(upper[i]);
  };
  const std::size_t n = std::min({x.size(), lower.size(), upper.size()});
  for_finite_runs(n, finite, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      path += svg_point(i == first ? 'M' : 'L', pixel_x(x[i]), pixel_y(upper[i]));
    }
    for (std::size_t i = last; i-- > first;)
      path += svg_point('L', pixel_x(x[i]), pixel_y(lower[i]));
    path += 'Z';
  });
  marks_ += svg_path("band", css_class, path);
}

void Chart::points(std::span<const double> x, std::span<const double> y,
                   std::string_view css_class) {
  std::string path;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i])) continue;
    // A line of length zero with round caps is a dot: far smaller than one element per point.
    path += svg_point('M', pixel_x(x[i]), pixel_y(y[i])) + "h0";
  }
  marks_ += svg_path("points", css_class, path);
}

void Chart::shade(Range x, std::string_view css_class, std::string_view label) {
  if (std::isnan(x.low) || std::isnan(x.high)) return;
  const double left = std::clamp(pixel_x(x.low), 0.0, plot_width_);
  const double right = std::clamp(pixel_x(x.high), 0.0, plot_width_);
  if (right <= left) return;
  marks_ += fmt::format("<rect class=\"region {}\" x=\"{}\" y=\"0\" width=\"{}\" height=\"{}\"/>\n",
                        escape_markup(css_class), svg_coordinate(left),
                        svg_coordinate(right - left), svg_coordinate(plot_height_));
  double y = kNoteHeight + 2;
  for (const auto& line_of_label : wrap_words(label, right - left - 4, kNoteAdvance)) {
    notes_ += svg_text((left + right) / 2, y, "note", line_of_label);
    y += kNoteHeight;
  }
}

void Chart::marker(double x, std::string_view css_class) {
  const double pixel = pixel_x(x);
  if (!(pixel >= 0 && pixel <= plot_width_)) return;
  marks_ +=
      svg_path("marker", css_class, svg_point('M', pixel, 0) + "V" + svg_coordinate(plot_height_));
}

std::string Chart::svg() const {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" role=\"img\" aria-label=\"{}\" "
      "viewBox=\"0 0 {} {}\">\n",
      escape_markup(frame_.alt.empty() ? frame_.title : frame_.alt), frame_.width, frame_.height);
  const double bottom = plot_top_ + plot_height_;
  const double right = plot_left_ + plot_width_;
  double baseline = 15;
  for (const auto& title_line : title_lines_) {
    out += svg_text(0, baseline, "title", title_line);
    baseline += kTitleHeight;
  }

  std::string grid;
  for (const auto& [value, label] : y_ticks_) {
    const double y = plot_top_ + pixel_y(value);
    grid += svg_point('M', plot_left_, y) + "H" + svg_coordinate(right);
    out += svg_text(plot_left_ - 6, y + 4, "tick y", label);
  }
  for (const auto& [value, label] : x_ticks_) {
    const double x = plot_left_ + pixel_x(value);
    grid += svg_point('M', x, plot_top_) + "V" + svg_coordinate(bottom);
    out += svg_text(x, bottom + 15, "tick x", label);
  }
  out += svg_path("grid", "", grid);

  // A nested <svg> clips to its own rectangle without an id, which could clash in one page.
  out += fmt::format("<svg x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">\n{}{}</svg>\n",
                     svg_coordinate(plot_left_), svg_coordinate(plot_top_),
                     svg_coordinate(plot_width_), svg_coordinate(plot_height_), marks_, notes_);
  out += svg_path("axis", "", svg_point('M', plot_left_, bottom) + "H" + svg_coordinate(right));
  out += svg_text(plot_left_ + plot_width_ / 2, frame_.height - 5, "label", frame_.x_label);
  const double middle = plot_top_ + plot_height_ / 2;
  out += svg_text(11, middle, "label", frame_.y_label,
                  fmt::format(" transform=\"rotate(-90 11 {})\"", svg_coordinate(middle)));
  return out + "</svg>\n";
}

std::string legend(std::span<const LegendItem> items) {
  std::string out = "<ul class=\"legend\">\n";
  for (const auto& item : items) {
    const std::string& css = item.css_class;
    const std::string swatch =
        item.mark == Mark::line     ? svg_path("line", css, "M1 7H27")
        : item.mark == Mark::band   ? svg_path("band", css, "M1 2H27V12H1Z")
        : item.mark == Mark::points ? svg_path("points", css, "M5 9h0M14 5h0M23 8h0")
        : item.mark == Mark::marker ? svg_path("marker", css, "M14 0V14")
                                    : svg_path("region", css, "M1 1H27V13H1Z");
    out += fmt::format(
        "<li><svg class=\"chart\" viewBox=\"0 0 28 14\" aria-hidden=\"true\">{}</svg>{}</li>\n",
        swatch, escape_markup(item.label));
  }
  return out + "</ul>\n";
}

}  // namespace probmix
