#include "probmix/report/charts/ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {
namespace {

// Heights in pixels below the axis: bars, then one row per label.
constexpr double kBar = 9, kLabel = 18, kFirstBar = 12;
constexpr double kAdvance = 5.8;  // generous width of a character at 11 pixels

void check_picture(const RankPicture& p) {
  const auto worst = static_cast<double>(p.methods.size());
  for (const RankedMethod& m : p.methods) {
    check(m.rank >= 1 && m.rank <= worst, "picture '{}': the rank {} of '{}' is not in 1 to {}",
          p.title, m.rank, m.name, worst);
  }
  for (const Range& group : p.groups) {
    check(group.low <= group.high, "picture '{}': a group from rank {} to {}", p.title, group.low,
          group.high);
  }
}

Json pixels(std::string_view field) {
  return {{"field", field}, {"type", "quantitative"}, {"scale", nullptr}, {"axis", nullptr}};
}

}  // namespace

Figure rank_chart(const RankPicture& p) {
  check_picture(p);
  std::vector<RankedMethod> methods = p.methods;
  std::ranges::stable_sort(methods, {}, &RankedMethod::rank);
  const double labels_from = kFirstBar + kBar * static_cast<double>(p.groups.size()) + 6;
  int widest = 1;
  for (const RankedMethod& m : methods) widest = std::max(widest, display_width(m.name) + 6);
  const double room = kAdvance * widest;

  Json names = Json::array();
  std::string order;
  for (std::size_t i = 0; i < methods.size(); ++i) {
    const std::string rank = fmt::format("{:.2f}", methods[i].rank);
    names.push_back({{"rank", number(methods[i].rank)},
                     {"depth", labels_from + kLabel * (static_cast<double>(i) + 0.5)},
                     {"text", methods[i].name + "  " + rank},
                     {"shade", methods[i].ours ? colour::mean : colour::ink}});
    order += fmt::format("{}{} {}", i == 0 ? "" : ", ", methods[i].name, rank);
  }
  Json bars = Json::array();
  for (std::size_t g = 0; g < p.groups.size(); ++g) {
    bars.push_back({{"rank", number(p.groups[g].low)},
                    {"end", number(p.groups[g].high)},
                    {"depth", kFirstBar + kBar * static_cast<double>(g)}});
  }

  const Json edge = {{"expr", fmt::format("{}", room)}};
  Json x = quantitative("rank", "", {1, std::max(2.0, static_cast<double>(methods.size()))});
  x["scale"]["range"] = Json::array({edge, {{"expr", "width"}}});
  x["axis"] = {
      {"orient", "top"}, {"grid", false}, {"ticks", true}, {"tickMinStep", 1}, {"format", "d"}};
  const Json depth = pixels("depth");
  const Json at_edge = {{"value", edge}};
  Json layers = Json::array();
  // Down from the axis, then to the label.
  layers.push_back(layer({{"type", "rule"}, {"color", colour::soft}},
                         {{"x", x}, {"y", depth}, {"y2", {{"value", 0}}}}, names));
  layers.push_back(layer({{"type", "rule"}, {"color", colour::soft}},
                         {{"x", x}, {"x2", at_edge}, {"y", depth}}, names));
  layers.push_back(layer({{"type", "text"},
                          {"align", "right"},
                          {"baseline", "middle"},
                          {"dx", -5},
                          {"color", {{"expr", "datum.shade"}}}},
                         {{"x", at_edge}, {"y", depth}, {"text", {{"field", "text"}}}}, names));
  if (!bars.empty()) {
    layers.push_back(layer(
        {{"type", "rule"}, {"color", colour::ink}, {"strokeWidth", 4}, {"strokeCap", "round"}},
        {{"x", x}, {"x2", {{"field", "end"}}}, {"y", depth}}, std::move(bars)));
  }
  std::vector<LegendItem> legend;
  if (!p.groups.empty()) {
    legend.push_back({Swatch::line, std::string(colour::ink), "no significant difference"});
  }
  std::string caption = p.caption;
  if (p.critical_difference) {
    caption += fmt::format("{}Critical difference: {:.2f} ranks.", caption.empty() ? "" : " ",
                           *p.critical_difference);
  }
  const double height =
      labels_from + kLabel * static_cast<double>(std::max<std::size_t>(1, methods.size())) + 2;
  return {.title = p.title,
          .spec = chart(height, std::move(layers)),
          .alt = fmt::format("{}: average ranks, best first: {}. {}", p.title, order, caption),
          .caption = caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
