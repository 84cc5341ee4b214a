#include "probmix/report/charts/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"
#include "probmix/report/charts/time_axis.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {
namespace {

void check_picture(const SeriesPicture& p) {
  const auto same = [&](std::string_view what, std::size_t found, std::string_view of,
                        std::size_t wanted) { check_length(p.title, what, found, of, wanted); };
  const auto ascends = [&](std::string_view what, std::span<const double> time) {
    for (std::size_t i = 1; i < time.size(); ++i) {
      check(!(time[i] < time[i - 1]), "picture '{}': {} descends from {} to {}; sort by time",
            p.title, what, time[i - 1], time[i]);
    }
  };
  same("value", p.value.size(), "time", p.time.size());
  const std::size_t targets = p.target_time.size();
  same("mean", p.mean.size(), "target_time", targets);
  same("lower95", p.lower95.size(), "target_time", targets);
  same("lower50", p.lower50.size(), "target_time", targets);
  same("upper50", p.upper50.size(), "target_time", targets);
  same("upper95", p.upper95.size(), "target_time", targets);
  ascends("time", p.time);
  ascends("target_time", p.target_time);
}

Range times(const SeriesPicture& p) {
  Range range = Range::nothing();
  range.include(p.time);
  range.include(p.target_time);
  return range;
}

bool has_test(const SeriesPicture& p) { return p.test_from <= times(p).high; }

bool has_validation(const SeriesPicture& p) {
  return p.validation_from && *p.validation_from < std::min(p.test_from, times(p).high);
}

std::string alt_text(const SeriesPicture& p) {
  const Range range = times(p);
  std::string alt = fmt::format("{}: {}", p.title, p.y_label.empty() ? "series" : p.y_label);
  if (range.low <= range.high) {
    alt += fmt::format(" from {} to {}", day_text(range.low), day_text(range.high));
  }
  alt +=
      fmt::format(", with predictive mean, 50 % and 95 % band at {} dates", p.target_time.size());
  if (has_test(p) && std::isfinite(p.test_from)) {
    alt += fmt::format("; the test period begins on {}", day_text(p.test_from));
  }
  return fmt::format("{}. {}", alt, p.caption);
}

// The shaded parts of the time, and where each begins.
Json period_rows(const SeriesPicture& p, Range x) {
  Json periods = Json::array();
  const auto add = [&](std::string_view name, double from, double to, double opacity) {
    from = std::clamp(from, x.low, x.high);
    if (!(from < to)) return;
    periods.push_back({{"name", name},
                       {"t", number(milliseconds(from))},
                       {"end", number(milliseconds(to))},
                       {"opacity", opacity}});
  };
  const double test_from = has_test(p) ? p.test_from : x.high;
  if (has_validation(p)) add("validation", *p.validation_from, test_from, 0.45);
  if (has_test(p)) add("test", test_from, x.high, 1);
  return periods;
}

// Shading below all other marks.
Json period_layer(const Json& t, const Json& periods) {
  return layer({{"type", "rect"}, {"color", colour::gap}},
               {{"x", t},
                {"x2", {{"field", "end"}}},
                {"opacity", {{"field", "opacity"}, {"type", "quantitative"}, {"scale", nullptr}}}},
               periods);
}

void add_boundaries(Json& layers, const Json& t, const Json& periods) {
  layers.push_back(layer({{"type", "rule"}, {"color", colour::soft}, {"strokeDash", {4, 3}}},
                         {{"x", t}}, periods));
  layers.push_back(
      layer({{"type", "text"},
             {"align", "left"},
             {"baseline", "top"},
             {"dx", 4},
             {"dy", 2},
             {"fontSize", 10},
             {"fontStyle", "italic"},
             {"color", colour::soft}},
            {{"x", t}, {"y", {{"value", 0}}}, {"text", {{"field", "name"}, {"type", "nominal"}}}},
            periods));
}

}  // namespace

Range common_y_range(std::span<const SeriesPicture> pictures) {
  Range range = Range::nothing();
  for (const auto& p : pictures) range.include(p.value);
  if (range.low > range.high) {  // no series at all: use the predictions
    for (const auto& p : pictures) range.include(p.mean);
  }
  std::vector<std::span<const double>> edges;
  for (const auto& p : pictures) edges.insert(edges.end(), {p.lower95, p.upper95});
  return data_and_bands(range, edges);
}

Figure series_chart(const SeriesPicture& p) {
  check_picture(p);
  // A little room at both ends, which also shows the new year before a first trading day.
  const Range inside = drawable(times(p));
  const Range x{inside.low - 0.01 * inside.size(), inside.high + 0.01 * inside.size()};
  const Range y_range = p.y_range.value_or(common_y_range({&p, 1}));
  const Json t = time_axis("t");
  // Set once: Vega-Lite would take the same domain of dates in several layers for several domains.
  Json t_domain = t;
  t_domain["scale"]["domain"] =
      Json::array({number(milliseconds(x.low)), number(milliseconds(x.high))});
  const auto y = [&](const char* field) { return quantitative(field, p.y_label, y_range); };
  // The outline keeps the band of a lone day visible.
  const auto band = [&](std::string_view colour, const char* lower, const char* upper) {
    return layer({{"type", "area"},
                  {"color", colour},
                  {"stroke", colour},
                  {"strokeWidth", 1},
                  {"clip", true}},
                 {{"x", t}, {"y", y(lower)}, {"y2", {{"field", upper}}}});
  };
  const auto gaps = time_gaps(p.target_time);
  const auto series_gaps = time_gaps(p.time);
  const auto cut = [&](std::span<const double> values) { return broken(values, gaps); };

  Json layers = Json::array();
  const Json periods = period_rows(p, x);
  if (!periods.empty()) layers.push_back(period_layer(t, periods));
  layers.push_back(band(colour::interval, "l95", "u95"));
  layers.push_back(band(colour::inner, "l50", "u50"));
  if (!periods.empty()) add_boundaries(layers, t, periods);
  layers.push_back(
      layer({{"type", "line"}, {"color", colour::observed}, {"strokeWidth", 1.2}, {"clip", true}},
            {{"x", t_domain}, {"y", y("y")}},
            rows({{"t", broken_times(p.time, series_gaps)}, {"y", broken(p.value, series_gaps)}})));
  layers.push_back(
      layer({{"type", "line"}, {"color", colour::mean}, {"strokeWidth", 1.5}, {"clip", true}},
            {{"x", t}, {"y", y("mean")}}));
  layers.push_back(nearest_tip(t, Json::array({{{"field", "t"},
                                                {"type", "temporal"},
                                                {"title", "day"},
                                                {"format", "%Y-%m-%d"},
                                                {"scale", {{"type", "utc"}}}},
                                               tip("mean", "mean"),
                                               tip("l50", "50 % from"),
                                               tip("u50", "50 % to"),
                                               tip("l95", "95 % from"),
                                               tip("u95", "95 % to")})));
  return {.title = p.title,
          .spec = chart(200, std::move(layers),
                        rows({{"t", broken_times(p.target_time, gaps)},
                              {"mean", cut(p.mean)},
                              {"l95", cut(p.lower95)},
                              {"l50", cut(p.lower50)},
                              {"u50", cut(p.upper50)},
                              {"u95", cut(p.upper95)}})),
          .alt = alt_text(p),
          .caption = p.caption};
}

std::vector<LegendItem> series_legend(std::span<const SeriesPicture> pictures) {
  const auto predicts = [](const SeriesPicture& p) { return !p.target_time.empty(); };
  std::vector<LegendItem> items;
  const auto add = [&](Swatch swatch, std::string_view colour, std::string label) {
    items.push_back({swatch, std::string(colour), std::move(label)});
  };
  add(Swatch::line, colour::observed, "observed");
  if (std::ranges::any_of(pictures, predicts)) {
    add(Swatch::line, colour::mean, "predictive mean");
    add(Swatch::area, colour::inner, "50 % band");
    add(Swatch::area, colour::interval, "95 % band");
  }
  // Fainter than the test period, and labelled in the chart.
  if (std::ranges::any_of(pictures, has_validation)) {
    add(Swatch::area, colour::gap, "validation period");
  }
  if (std::ranges::any_of(pictures, has_test)) add(Swatch::area, colour::gap, "test period");
  return items;
}

}  // namespace probmix::report
