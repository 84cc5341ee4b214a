#include "probmix/report/charts/densities.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "probmix/report/charts/spec.hpp"

namespace probmix::report {

Figure densities_chart(const DensitiesPicture& p) {
  Range across = Range::nothing(), height{0, 0};
  across.include(p.y);
  across.include(p.mark);
  for (const DensityLine& line : p.lines) {
    check_length(p.title, fmt::format("density of '{}'", line.name), line.density.size(), "y",
                 p.y.size());
    height.include(line.density);
  }
  const Json x = quantitative("y", p.x_label, across);
  const Json y = quantitative("p", "density", {0, height.high > 0 ? 1.05 * height.high : 1});
  Json layers = Json::array();
  std::vector<LegendItem> legend;
  for (std::size_t k = 0; k < p.lines.size(); ++k) {
    const std::string shade = colour::category(k);
    layers.push_back(layer({{"type", "area"}, {"color", shade}, {"opacity", 0.15}},
                           {{"x", x}, {"y", y}}, rows({{"y", p.y}, {"p", p.lines[k].density}})));
    layers.push_back(
        layer({{"type", "line"},
               {"color", shade},
               {"strokeWidth", 1.8},
               {"strokeDash", p.lines[k].dashed ? Json::array({6, 3}) : Json::array()}},
              {{"x", x}, {"y", y}}, rows({{"y", p.y}, {"p", p.lines[k].density}})));
    legend.push_back({p.lines[k].dashed ? Swatch::dashed : Swatch::line, shade, p.lines[k].name});
  }
  if (std::isfinite(p.mark)) {
    layers.push_back(layer({{"type", "rule"}, {"color", colour::ink}, {"strokeWidth", 1.8}},
                           {{"x", x}, {"tooltip", Json::array({tip("y", p.mark_label)})}},
                           rows({{"y", std::vector{p.mark}}})));
    legend.push_back({Swatch::marker, std::string(colour::ink), p.mark_label});
  }
  return {.title = p.title,
          .spec = chart(240, std::move(layers)),
          .alt = fmt::format(
              "{}: {} densities of {}{}. {}", p.title, p.lines.size(), p.x_label,
              std::isfinite(p.mark) ? fmt::format(", and {} at {:.4g}", p.mark_label, p.mark) : "",
              p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
