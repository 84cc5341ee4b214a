#include "probmix/report/charts/calibration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"

namespace probmix::report {
namespace {

constexpr int kHeight = 240;

Json share(std::string_view field, std::string_view title) {
  Json channel = quantitative(field, title, {0, 1});
  channel["axis"] = {{"format", "~%"}, {"tickCount", 5}};
  return channel;
}

}  // namespace

Figure pit_chart(const PitPicture& p) {
  const std::vector<double> part = p.share.empty() ? std::vector{0.0} : p.share;
  const double n = p.rows;
  const double width = 1.0 / static_cast<double>(part.size());
  std::vector<double> from, to;
  Range height{0, width};
  for (std::size_t k = 0; k < part.size(); ++k) {
    check(!(part[k] < 0 || part[k] > 1), "picture '{}': a share of {} is not in [0, 1]", p.title,
          part[k]);
    from.push_back(static_cast<double>(k) * width);
    to.push_back(static_cast<double>(k + 1) * width);
  }
  const double spread = n > 0 ? 1.96 * std::sqrt(width * (1 - width) / n) : 0;
  height.include(part);
  height.include(width + spread);

  const Json x = share("from", "PIT");
  Json y = quantitative("part", "share of the rows", {0, 1.05 * height.high});
  y["axis"] = {{"format", "~%"}};
  Json level = y;
  level["field"] = "low";
  const Json expected = rows({{"from", std::vector{0.0}},
                              {"to", std::vector{1.0}},
                              {"part", std::vector{width}},
                              {"low", std::vector{std::max(0.0, width - spread)}},
                              {"high", std::vector{width + spread}}});
  Json layers = Json::array();
  layers.push_back(layer(
      {{"type", "rect"}, {"color", colour::inner}, {"stroke", colour::paper}, {"strokeWidth", 0.5}},
      {{"x", x},
       {"x2", {{"field", "to"}}},
       {"y", y},
       {"y2", {{"datum", 0}}},
       {"tooltip", Json::array({tip("from", "PIT from"), tip("to", "to"),
                                tip("part", "share of the rows", ".1%")})}}));
  layers.push_back(layer(
      {{"type", "rect"}, {"color", colour::gap}},
      {{"x", x}, {"x2", {{"field", "to"}}}, {"y", level}, {"y2", {{"field", "high"}}}}, expected));
  layers.push_back(dashed_line(x, y, 0, width, 1, width));
  return {.title = p.title,
          .spec = chart(180, std::move(layers), rows({{"from", from}, {"to", to}, {"part", part}})),
          .alt = fmt::format(
              "{}: histogram of the PIT of {} rows in {} bins, from {:.1f} % to {:.1f} % of the "
              "rows where {:.1f} % are expected. {}",
              p.title, n, part.size(), 100 * std::ranges::min(part), 100 * std::ranges::max(part),
              100 * width, p.caption),
          .caption = p.caption,
          .legend = {{Swatch::dashed, std::string(colour::truth), "calibrated"},
                     {Swatch::area, std::string(colour::gap), "95 % of its bins"}}};
}

CoverageCurve coverage_curve(std::string name, const PitHistogram& pit) {
  CoverageCurve curve{.name = std::move(name), .nominal = {0}, .empirical = {0}};
  const auto covered = pit.coverage();
  for (std::size_t l = 0; l < covered.size(); ++l) {
    curve.nominal.push_back(static_cast<double>(l + 1) / static_cast<double>(covered.size()));
    curve.empirical.push_back(std::min(covered[l], 1.0));
  }
  return curve;
}

Figure coverage_chart(const CoveragePicture& p) {
  const Json x = share("x", "nominal coverage"), y = share("y", "empirical coverage");
  Json layers = Json::array();
  layers.push_back(dashed_line(x, y, 0, 0, 1, 1));
  std::vector<LegendItem> legend{{Swatch::dashed, std::string(colour::truth), "calibrated"}};
  for (std::size_t k = 0; k < p.curves.size(); ++k) {
    const CoverageCurve& curve = p.curves[k];
    check_length(p.title, fmt::format("empirical of '{}'", curve.name), curve.empirical.size(),
                 "nominal", curve.nominal.size());
    const std::string shade = colour::category(k);
    Json data = rows({{"x", curve.nominal}, {"y", curve.empirical}});
    for (Json& row : data) row["name"] = curve.name;
    layers.push_back(layer({{"type", "line"},
                            {"color", shade},
                            {"strokeDash", category_dash(k)},
                            {"point", {{"color", shade}, {"size", 16}}},
                            {"clip", false}},
                           {{"x", x},
                            {"y", y},
                            {"tooltip", Json::array({{{"field", "name"}, {"title", "method"}},
                                                     tip("x", "nominal", ".1%"),
                                                     tip("y", "empirical", ".1%")})}},
                           std::move(data)));
    legend.push_back(category_item(k, curve.name));
  }
  return {.title = p.title,
          .spec = chart(kHeight, std::move(layers)),
          .alt = fmt::format("{}: nominal against empirical coverage of {} methods. {}", p.title,
                             p.curves.size(), p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

Figure reliability_chart(const ReliabilityPicture& p) {
  check_length(p.title, "accuracy", p.accuracy.size(), "confidence", p.confidence.size());
  check_length(p.title, "count", p.count.size(), "confidence", p.confidence.size());
  std::vector<double> confidence, accuracy, count;
  for (std::size_t k = 0; k < p.count.size(); ++k) {
    if (!(p.count[k] > 0)) continue;
    confidence.push_back(p.confidence[k]);
    accuracy.push_back(p.accuracy[k]);
    count.push_back(p.count[k]);
  }
  Range rows_range{0, 0};
  rows_range.include(count);
  const Json x = share("x", "confidence"), y = share("y", "accuracy");
  // The counts fill the lower third.
  Json counts = quantitative("n", "rows", {0, std::max(1.0, 3 * rows_range.high)});
  counts["axis"] = {{"orient", "right"}, {"grid", false}, {"tickCount", 4}};
  const Json tooltip = Json::array(
      {tip("x", "confidence", ".1%"), tip("y", "accuracy", ".1%"), tip("n", "rows", "d")});
  Json layers = Json::array();
  layers.push_back(layer({{"type", "bar"}, {"color", colour::line}, {"size", 14}},
                         {{"x", x}, {"y", counts}, {"tooltip", tooltip}}));
  // One layer for everything on the accuracy axis; the counts have their own.
  Json front = Json::array();
  front.push_back(dashed_line(x, y, 0, 0, 1, 1));
  front.push_back(layer({{"type", "line"}, {"color", colour::mean}}, {{"x", x}, {"y", y}}));
  front.push_back(layer({{"type", "point"}, {"color", colour::mean}, {"size", 40}, {"opacity", 1}},
                        {{"x", x}, {"y", y}, {"tooltip", tooltip}}));
  layers.push_back({{"layer", std::move(front)}});
  Json spec =
      chart(kHeight, std::move(layers), rows({{"x", confidence}, {"y", accuracy}, {"n", count}}));
  spec["resolve"] = {{"scale", {{"y", "independent"}}}};
  return {.title = p.title,
          .spec = std::move(spec),
          .alt = fmt::format("{}: accuracy against confidence in {} bins. {}", p.title,
                             confidence.size(), p.caption),
          .caption = p.caption,
          .legend = {{Swatch::line, std::string(colour::mean), "accuracy"},
                     {Swatch::dashed, std::string(colour::truth), "calibrated"},
                     {Swatch::area, std::string(colour::line), "rows"}}};
}

}  // namespace probmix::report
