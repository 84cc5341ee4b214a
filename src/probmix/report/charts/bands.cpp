#include "probmix/report/charts/bands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/report/charts/spec.hpp"

namespace probmix::report {
namespace {

void check_lengths(const BandPicture& p) {
  check_length(p.title, "mean", p.mean.size(), "x", p.x.size());
  check_length(p.title, "lower", p.lower.size(), "x", p.x.size());
  check_length(p.title, "upper", p.upper.size(), "x", p.x.size());
  check_length(p.title, "train_y", p.train_y.size(), "train_x", p.train_x.size());
  check_length(p.title, "test_y", p.test_y.size(), "test_x", p.test_x.size());
  if (!p.truth.empty()) check_length(p.title, "truth", p.truth.size(), "x", p.x.size());
}

Json gap_rows(const BandPicture& p, Range x) {
  Json gaps = Json::array();
  for (const Range& gap : p.no_data) {
    if (std::isnan(gap.low) || std::isnan(gap.high)) continue;
    const double low = std::clamp(gap.low, x.low, x.high);
    const double high = std::clamp(gap.high, x.low, x.high);
    if (low < high) gaps.push_back({{"x", number(low)}, {"end", number(high)}});
  }
  return gaps;
}

}  // namespace

Range common_y_range(std::span<const BandPicture> pictures) {
  Range range = Range::nothing();
  for (const auto& p : pictures) {
    range.include(p.train_y);
    range.include(p.test_y);
    range.include(p.truth);
  }
  if (range.low > range.high) {  // no data at all: use the predictions
    for (const auto& p : pictures) range.include(p.mean);
  }
  std::vector<std::span<const double>> edges;
  for (const auto& p : pictures) edges.insert(edges.end(), {p.lower, p.upper});
  return data_and_bands(range, edges);
}

Figure band_chart(const BandPicture& p) {
  check_lengths(p);
  Range x_range = Range::nothing();
  x_range.include(p.x);
  x_range = drawable(x_range);
  const Range y_range = p.y_range.value_or(common_y_range({&p, 1}));
  const Json x = quantitative("x", p.x_label, x_range);
  const auto y = [&](const char* field) { return quantitative(field, p.y_label, y_range); };
  const auto points = [&](std::span<const double> px, std::span<const double> py,
                          std::string_view colour) {
    return layer({{"type", "point"}, {"color", colour}, {"clip", true}}, {{"x", x}, {"y", y("y")}},
                 rows({{"x", px}, {"y", py}}));
  };

  Json layers = Json::array();
  layers.push_back(layer({{"type", "area"}, {"color", colour::interval}, {"clip", true}},
                         {{"x", x}, {"y", y("lower")}, {"y2", {{"field", "upper"}}}}));
  // Translucent and above the band, which may fill the region.
  if (Json gaps = gap_rows(p, x_range); !gaps.empty()) {
    layers.push_back(layer({{"type", "rect"}, {"color", colour::gap}},
                           {{"x", x}, {"x2", {{"field", "end"}}}}, std::move(gaps)));
  }
  if (!p.test_x.empty()) layers.push_back(points(p.test_x, p.test_y, colour::observed));
  if (!p.train_x.empty()) layers.push_back(points(p.train_x, p.train_y, colour::data));
  if (!p.truth.empty()) {
    layers.push_back(layer({{"type", "line"},
                            {"color", colour::truth},
                            {"strokeWidth", 1.3},
                            {"strokeDash", {4, 3}},
                            {"strokeCap", "butt"},
                            {"clip", true}},
                           {{"x", x}, {"y", y("truth")}}));
  }
  layers.push_back(layer({{"type", "line"}, {"color", colour::mean}, {"clip", true}},
                         {{"x", x}, {"y", y("mean")}}));
  layers.push_back(nearest_tip(x, Json::array({tip("x", p.x_label), tip("mean", "mean"),
                                               tip("lower", "95 % from"), tip("upper", "to")})));

  Json data = p.truth.empty()
                  ? rows({{"x", p.x}, {"mean", p.mean}, {"lower", p.lower}, {"upper", p.upper}})
                  : rows({{"x", p.x},
                          {"mean", p.mean},
                          {"lower", p.lower},
                          {"upper", p.upper},
                          {"truth", p.truth}});
  return {.title = p.title,
          .spec = chart(200, std::move(layers), std::move(data)),
          .alt = fmt::format(
              "{}: predictive mean and 95 % band of {} over {}, with {} training points. {}",
              p.title, p.y_label, p.x_label, p.train_x.size(), p.caption),
          .caption = p.caption};
}

std::vector<LegendItem> band_legend(std::span<const BandPicture> pictures) {
  const auto any = [&](auto member) {
    return std::ranges::any_of(pictures, [&](const auto& p) { return !(p.*member).empty(); });
  };
  std::vector<LegendItem> items;
  const auto add = [&](Swatch swatch, std::string_view colour, std::string label) {
    items.push_back({swatch, std::string(colour), std::move(label)});
  };
  add(Swatch::line, colour::mean, "predictive mean");
  add(Swatch::area, colour::interval, "95 % band");
  if (any(&BandPicture::truth)) add(Swatch::dashed, colour::truth, "truth");
  if (any(&BandPicture::train_x)) add(Swatch::points, colour::data, "training data");
  if (any(&BandPicture::test_x)) add(Swatch::points, colour::observed, "test data");
  if (any(&BandPicture::no_data)) add(Swatch::area, colour::gap, "no training data");
  return items;
}

}  // namespace probmix::report
