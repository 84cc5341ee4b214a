#include "probmix/report/charts/score_lines.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "probmix/report/charts/spec.hpp"

namespace probmix::report {

namespace {

void check_picture(const ScoreLinesPicture& p) {
  for (const ScoreLine& line : p.lines) {
    check_length(p.title, fmt::format("mean of '{}'", line.name), line.mean.size(), "values",
                 p.values.size());
    check_length(p.title, fmt::format("error of '{}'", line.name), line.error.size(), "values",
                 p.values.size());
  }
}

// A single run has none.
double error_or_zero(double error) { return std::isfinite(error) ? error : 0; }

}  // namespace

Range common_y_range(std::span<const ScoreLinesPicture> pictures) {
  Range places = Range::nothing();
  for (const ScoreLinesPicture& p : pictures) {
    check_picture(p);
    for (const ScoreLine& line : p.lines) {
      for (std::size_t v = 0; v < p.values.size(); ++v) {
        const double error = error_or_zero(line.error[v]);
        places.include(scaled(p.scale, line.mean[v] - error));
        places.include(scaled(p.scale, line.mean[v] + error));
      }
    }
  }
  return score_domain(pictures.empty() ? ScoreScale::linear : pictures.front().scale, places);
}

Figure score_lines_chart(const ScoreLinesPicture& p) {
  check_picture(p);
  const Json x = {{"field", "at"},
                  {"type", "ordinal"},
                  {"title", p.setting},
                  {"scale", {{"domain", p.values}}},
                  {"axis", {{"labelAngle", 0}}}};
  const Json y = score_axis("mean", p.score, p.scale,
                            p.y_range ? *p.y_range : common_y_range(std::span(&p, 1)));
  Json low = y;
  low["field"] = "low";
  Json layers = Json::array();
  std::vector<LegendItem> legend;
  for (std::size_t k = 0; k < p.lines.size(); ++k) {
    const ScoreLine& line = p.lines[k];
    const std::string shade = colour::category(k);
    Json data = Json::array();
    for (std::size_t v = 0; v < p.values.size(); ++v) {
      const double error = error_or_zero(line.error[v]);
      data.push_back({{"at", p.values[v]},
                      {"name", line.name},
                      {"mean", number(line.mean[v])},
                      {"low", number(line.mean[v] - error)},
                      {"high", number(line.mean[v] + error)},
                      {"error", number(line.error[v])}});
    }
    layers.push_back(layer({{"type", "rule"}, {"color", shade}, {"opacity", 0.5}},
                           {{"x", x}, {"y", low}, {"y2", {{"field", "high"}}}}, data));
    layers.push_back(layer({{"type", "line"},
                            {"color", shade},
                            {"strokeDash", category_dash(k)},
                            {"point", {{"color", shade}, {"size", 24}}}},
                           {{"x", x},
                            {"y", y},
                            {"tooltip", Json::array({{{"field", "name"}, {"title", "method"}},
                                                     {{"field", "at"}, {"title", p.setting}},
                                                     tip("mean", p.score),
                                                     tip("error", "standard error")})}},
                           std::move(data)));
    legend.push_back(category_item(k, line.name));
  }
  return {.title = p.title,
          .spec = chart(260, std::move(layers)),
          .alt = fmt::format("{}: {} of {} methods over {} values of {}. {}", p.title, p.score,
                             p.lines.size(), p.values.size(), p.setting, p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
