#include "probmix/report/charts/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"

namespace probmix::report {
namespace {

constexpr std::size_t kMostCells = 10000;  // each is an element of the page

void check_picture(const RegionPicture& p) {
  const std::size_t cells = p.predicted.size();
  check(p.across > 0 && cells > 0 && cells % static_cast<std::size_t>(p.across) == 0,
        "picture '{}': {} cells do not fill rows of {}", p.title, cells, p.across);
  check(cells <= kMostCells, "picture '{}': {} cells; at most {} can be drawn", p.title, cells,
        kMostCells);
  check_length(p.title, "probability", p.probability.size(), "predicted", cells);
  check_length(p.title, "point_y", p.point_y.size(), "point_x", p.point_x.size());
  check_length(p.title, "point_class", p.point_class.size(), "point_x", p.point_x.size());
  for (const auto* classes : {&p.predicted, &p.point_class}) {
    for (const int c : *classes) {
      check(c >= 0 && c < static_cast<int>(p.class_names.size()), "picture '{}': class {} of {}",
            p.title, c, p.class_names.size());
    }
  }
}

// One object with two lists, which Vega makes into cells: a tenth of the size of one object each.
Json cells_of(const RegionPicture& p) {
  Json probability = Json::array();
  // Two digits are more than an opacity shows.
  for (const double v : p.probability) {
    probability.push_back(std::isfinite(v) ? number(std::round(100 * v) / 100) : Json(nullptr));
  }
  return Json::array({{{"c", p.predicted}, {"p", std::move(probability)}}});
}

Json cell_transform(const RegionPicture& p, Range x, Range y) {
  const auto down = p.predicted.size() / static_cast<std::size_t>(p.across);
  const double width = x.size() / p.across, height = y.size() / static_cast<double>(down);
  const auto calculate = [](std::string as, std::string expression) {
    return Json{{"calculate", std::move(expression)}, {"as", std::move(as)}};
  };
  return Json::array(
      {{{"flatten", {"c", "p"}}},
       {{"window", Json::array({{{"op", "row_number"}, {"as", "k"}}})}},
       calculate("x", fmt::format("{} + ((datum.k - 1) % {}) * {}", x.low, p.across, width)),
       calculate("y", fmt::format("{} + floor((datum.k - 1) / {}) * {}", y.low, p.across, height)),
       calculate("xEnd", fmt::format("datum.x + {}", width)),
       calculate("yEnd", fmt::format("datum.y + {}", height))});
}

}  // namespace

Figure region_chart(const RegionPicture& p) {
  check_picture(p);
  const Range x_range = drawable(p.x), y_range = drawable(p.y);
  const Json x = quantitative("x", p.x_label, x_range), y = quantitative("y", p.y_label, y_range);
  Json classes = Json::array(), shades = Json::array();
  std::vector<LegendItem> legend;
  for (std::size_t c = 0; c < p.class_names.size(); ++c) {
    classes.push_back(c);
    shades.push_back(colour::category(c));
    legend.push_back({Swatch::points, colour::category(c), p.class_names[c]});
  }
  const Json colours = {{"field", "c"},
                        {"type", "nominal"},
                        {"legend", nullptr},
                        {"scale", {{"domain", classes}, {"range", shades}}}};
  const double chance = 1.0 / static_cast<double>(std::max<std::size_t>(2, p.class_names.size()));

  Json cells = layer({{"type", "rect"}, {"tooltip", nullptr}},
                     {{"x", x},
                      {"x2", {{"field", "xEnd"}}},
                      {"y", y},
                      {"y2", {{"field", "yEnd"}}},
                      {"color", colours},
                      {"opacity",
                       {{"field", "p"},
                        {"type", "quantitative"},
                        {"legend", nullptr},
                        {"scale",
                         {{"domain", Json::array({number(chance), 1})},
                          {"range", {0.06, 0.6}},
                          {"clamp", true}}}}}},
                     cells_of(p));
  cells["name"] = "cells";
  cells["transform"] = cell_transform(p, x_range, y_range);
  std::vector<double> point_classes(p.point_class.begin(), p.point_class.end());
  Json points = layer({{"type", "point"},
                       {"size", 22},
                       {"opacity", 1},
                       {"stroke", colour::paper},
                       {"strokeWidth", 0.7},
                       {"clip", true}},
                      {{"x", x}, {"y", y}, {"color", colours}},
                      rows({{"x", p.point_x}, {"y", p.point_y}, {"c", point_classes}}));
  return {.title = p.title,
          .spec = chart(260, Json::array({std::move(cells), std::move(points)})),
          .alt = fmt::format(
              "{}: which of {} classes is predicted over {} and {}, and how surely, with {} "
              "training points. {}",
              p.title, p.class_names.size(), p.x_label, p.y_label, p.point_x.size(), p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
