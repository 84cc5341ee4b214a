#include "probmix/report/charts/boxes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"

namespace probmix::report {
namespace {

constexpr double kRow = 28;  // pixels per method

std::string label_of(const BoxGroup& group) {
  const auto diverged =
      std::ranges::count_if(group.values, [](double v) { return !std::isfinite(v); });
  return diverged == 0 ? group.name : fmt::format("{} ({} diverged)", group.name, diverged);
}

void check_picture(const BoxPicture& p) {
  std::set<std::string_view> names;
  for (const BoxGroup& group : p.groups) {
    check(names.insert(group.name).second, "picture '{}': two groups are named '{}'", p.title,
          group.name);
  }
}

// The ends of a box's whiskers: the furthest values within 1.5 interquartile ranges of the box.
Range whiskers(std::vector<double> values) {
  std::erase_if(values, [](double v) { return !std::isfinite(v); });
  if (values.empty()) return Range::nothing();
  std::ranges::sort(values);
  const auto quantile = [&](double u) {
    const double place = u * static_cast<double>(values.size() - 1);
    const auto k = static_cast<std::size_t>(place);
    const double next = values[std::min(k + 1, values.size() - 1)];
    return std::lerp(values[k], next, place - static_cast<double>(k));
  };
  const double low = quantile(0.25), high = quantile(0.75), reach = 1.5 * (high - low);
  Range range{low, high};
  for (const double v : values) {
    if (v >= low - reach && v <= high + reach) range.include(v);
  }
  return range;
}

// Everything drawn, with a margin. Single runs far beyond all whiskers would squeeze the boxes:
// they are marked at the edge instead.
Range domain_of(const BoxPicture& p) {
  Range core = Range::nothing();
  for (const BoxGroup& group : p.groups) {
    const Range range = whiskers(group.values);
    core.include(scaled(p.scale, range.low));
    core.include(scaled(p.scale, range.high));
    if (group.paper) core.include(scaled(p.scale, *group.paper));
  }
  core = drawable(core);
  Range range = core;
  for (const BoxGroup& group : p.groups) {
    for (const double v : group.values) {
      const double s = scaled(p.scale, v);
      if (s > core.low - core.size() && s < core.high + core.size()) range.include(s);
    }
  }
  return score_domain(p.scale, range);
}

}  // namespace

Figure box_chart(const BoxPicture& p) {
  check_picture(p);
  const Range domain = domain_of(p);
  Json runs = Json::array(), beyond = Json::array(), papers = Json::array(), labels = Json::array();
  for (const BoxGroup& group : p.groups) {
    const std::string label = label_of(group);
    labels.push_back(label);
    for (const double v : group.values) {
      if (!std::isfinite(v)) continue;
      const char* const colour_group = group.ours ? "ProbMix" : "others";
      runs.push_back({{"method", label}, {"v", number(v)}, {"group", colour_group}});
      if (v >= domain.low && v <= domain.high) continue;
      beyond.push_back({{"method", label},
                        {"v", number(std::clamp(v, domain.low, domain.high))},
                        {"value", number(v)},
                        {"side", v < domain.low ? "low" : "high"},
                        {"group", colour_group}});
    }
    if (group.paper && std::isfinite(*group.paper)) {
      papers.push_back({{"method", label}, {"v", number(*group.paper)}});
    }
  }
  const Json x = score_axis("v", p.score, p.scale, domain);
  const Json y = {{"field", "method"},
                  {"type", "nominal"},
                  {"title", nullptr},
                  {"scale", {{"domain", labels}}},
                  {"axis", {{"labelColor", colour::ink}, {"labelLimit", 150}}}};
  const Json shade = {
      {"field", "group"},
      {"type", "nominal"},
      {"legend", nullptr},
      {"scale", {{"domain", {"ProbMix", "others"}}, {"range", {colour::mean, colour::other}}}}};
  Json layers = Json::array();
  layers.push_back(layer({{"type", "boxplot"},
                          {"clip", true},
                          {"extent", 1.5},
                          {"size", 11},
                          {"median", {{"color", colour::paper}}},
                          {"outliers", {{"size", 14}, {"opacity", 0.8}, {"filled", true}}}},
                         {{"x", x}, {"y", y}, {"color", shade}}));
  if (!beyond.empty()) {
    layers.push_back(
        layer({{"type", "point"}, {"size", 40}, {"opacity", 1}, {"filled", true}},
              {{"x", x},
               {"y", y},
               {"color", shade},
               {"shape",
                {{"field", "side"},
                 {"type", "nominal"},
                 {"legend", nullptr},
                 {"scale",
                  {{"domain", {"low", "high"}}, {"range", {"triangle-left", "triangle-right"}}}}}},
               {"tooltip", Json::array({tip("value", "run far outside")})}},
              beyond));
  }
  if (!papers.empty()) {
    layers.push_back(layer(
        {{"type", "point"},
         {"shape", "diamond"},
         {"size", 36},
         {"opacity", 1},
         {"yOffset", 9},
         {"color", colour::observed}},
        {{"x", x}, {"y", y}, {"tooltip", Json::array({tip("v", "the paper's mean")})}}, papers));
  }
  const auto ours = [](const BoxGroup& g) { return g.ours; };
  std::vector<LegendItem> legend;
  if (std::ranges::any_of(p.groups, ours) && !std::ranges::all_of(p.groups, ours)) {
    legend = {{Swatch::area, std::string(colour::mean), "ProbMix"},
              {Swatch::area, std::string(colour::other), "other methods"}};
  }
  if (!papers.empty()) {
    legend.push_back({Swatch::diamond, std::string(colour::observed), "the paper's mean"});
  }
  return {.title = p.title,
          .spec = chart(kRow * static_cast<double>(std::max<std::size_t>(1, p.groups.size())),
                        std::move(layers), std::move(runs)),
          .alt = fmt::format("{}: box plots of {} over the runs of {} methods. {}", p.title,
                             p.score, p.groups.size(), p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
