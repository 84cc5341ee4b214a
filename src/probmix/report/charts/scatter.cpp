#include "probmix/report/charts/scatter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "probmix/report/charts/spec.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {
namespace {

// The plot as on a phone, where labels have least room; pixels of a character of 11, and of a line.
constexpr double kWidth = 290, kHeight = 240, kAdvance = 5.8, kLine = 12;

struct Box {
  double left, top, right, bottom;

  double overlap(const Box& other) const {
    const double w = std::min(right, other.right) - std::max(left, other.left);
    const double h = std::min(bottom, other.bottom) - std::max(top, other.top);
    return w > 0 && h > 0 ? w * h : 0;
  }
  double outside() const {
    return std::max(0.0, -left) + std::max(0.0, right - kWidth) + std::max(0.0, -top) +
           std::max(0.0, bottom - kHeight);
  }
};

// Where a label may stand: `align` says which end of the text is near the point.
struct Place {
  const char* align;
  double dx, dy;
};

constexpr std::array<Place, 8> kPlaces{{{"left", 7, 0},
                                        {"right", -7, 0},
                                        {"center", 0, -11},
                                        {"center", 0, 11},
                                        {"left", 5, -9},
                                        {"right", -5, -9},
                                        {"left", 5, 9},
                                        {"right", -5, 9}}};

Box label_box(double x, double y, double width, const Place& place) {
  const double left = place.align[0] == 'l'   ? x + place.dx
                      : place.align[0] == 'r' ? x + place.dx - width
                                              : x - width / 2;
  return {left, y + place.dy - kLine / 2, left + width, y + place.dy + kLine / 2};
}

Range with_margin(Range range) {
  range = drawable(range);
  return {range.low - 0.08 * range.size(), range.high + 0.08 * range.size()};
}

}  // namespace

Figure scatter_chart(const ScatterPicture& p) {
  std::vector<ScatterPoint> points;
  Range x_range = Range::nothing(), y_range = Range::nothing();
  for (const ScatterPoint& point : p.points) {
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    points.push_back(point);
    x_range.include(point.x);
    y_range.include(point.y);
  }
  x_range = with_margin(x_range);
  y_range = with_margin(y_range);

  std::vector<Box> taken;
  const auto pixel_x = [&](double x) { return (x - x_range.low) / x_range.size() * kWidth; };
  const auto pixel_y = [&](double y) { return (y_range.high - y) / y_range.size() * kHeight; };
  for (const ScatterPoint& point : points) {
    const double x = pixel_x(point.x), y = pixel_y(point.y);
    taken.push_back({x - 4, y - 4, x + 4, y + 4});
  }
  Json data = Json::array();
  for (const ScatterPoint& point : points) {
    const double width = kAdvance * display_width(point.label);
    const auto cost = [&](const Place& place) {
      const Box box = label_box(pixel_x(point.x), pixel_y(point.y), width, place);
      double sum = 20 * box.outside();
      for (const Box& other : taken) sum += box.overlap(other);
      return sum;
    };
    const Place& place = *std::ranges::min_element(kPlaces, {}, cost);
    taken.push_back(label_box(pixel_x(point.x), pixel_y(point.y), width, place));
    data.push_back({{"name", point.label},
                    {"x", number(point.x)},
                    {"y", number(point.y)},
                    {"align", place.align},
                    {"dx", place.dx},
                    {"dy", place.dy},
                    {"shade", point.ours ? colour::mean : colour::other}});
  }

  const Json x = quantitative("x", p.x_label, x_range), y = quantitative("y", p.y_label, y_range);
  const auto of_row = [](const char* name) {
    return Json{{"expr", fmt::format("datum.{}", name)}};
  };
  Json layers = Json::array();
  layers.push_back(
      layer({{"type", "point"}, {"size", 45}, {"opacity", 1}, {"color", of_row("shade")}},
            {{"x", x},
             {"y", y},
             {"tooltip", Json::array({{{"field", "name"}, {"title", "method"}},
                                      tip("x", p.x_label),
                                      tip("y", p.y_label)})}}));
  layers.push_back(layer({{"type", "text"},
                          {"align", of_row("align")},
                          {"baseline", "middle"},
                          {"dx", of_row("dx")},
                          {"dy", of_row("dy")},
                          {"fontSize", 11}},
                         {{"x", x}, {"y", y}, {"text", {{"field", "name"}}}}));
  std::vector<LegendItem> legend;
  const auto ours = [](const ScatterPoint& point) { return point.ours; };
  if (std::ranges::any_of(points, ours) && !std::ranges::all_of(points, ours)) {
    legend = {{Swatch::points, std::string(colour::mean), "ProbMix"},
              {Swatch::points, std::string(colour::other), "other methods"}};
  }
  return {.title = p.title,
          .spec = chart(kHeight, std::move(layers), std::move(data)),
          .alt = fmt::format("{}: {} against {} of {} methods. {}", p.title, p.y_label, p.x_label,
                             points.size(), p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
