#include "probmix/report/charts/density.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {
namespace {

constexpr double kTailMass = 0.0005;  // on each side; ±3.3 standard deviations of a Gaussian

void check_picture(const DensityPicture& p) {
  check_length(p.title, "density", p.density.size(), "y", p.y.size());
  for (std::size_t i = 1; i < p.y.size(); ++i) {
    check(!(p.y[i] < p.y[i - 1]), "picture '{}': y descends from {} to {}; sort by y", p.title,
          p.y[i - 1], p.y[i]);
  }
}

// The y without the tails; all y if there is no mass.
Range bulk(const DensityPicture& p) {
  // mass[i] lies left of y[i], by the trapezoidal rule; non-finite densities do not count.
  std::vector<double> mass(p.y.size(), 0.0);
  for (std::size_t i = 1; i < p.y.size(); ++i) {
    const double piece = 0.5 * (p.density[i - 1] + p.density[i]) * (p.y[i] - p.y[i - 1]);
    mass[i] = mass[i - 1] + (std::isfinite(piece) ? piece : 0);
  }
  const double all = mass.empty() ? 0 : mass.back();
  Range range = Range::nothing();
  if (!(all > 0)) {
    range.include(p.y);
    return range;
  }
  // The last point before the bulk and the first one after it, however coarse the grid.
  const auto at = [&](auto place) { return p.y[static_cast<std::size_t>(place - mass.begin())]; };
  range.include(at(std::ranges::upper_bound(mass, kTailMass * all) - 1));
  range.include(at(std::ranges::lower_bound(mass, (1 - kTailMass) * all)));
  return range;
}

}  // namespace

std::string density_title(double day, double nll) {
  const std::string text = std::abs(nll) < 1e5 ? format_fixed(nll, 2) : fmt::format("{:.2g}", nll);
  return fmt::format("{} · NLL {}", day_text(day), std::isfinite(nll) ? text : "diverged");
}

namespace {

std::string alt_text(const DensityPicture& p, double highest) {
  std::string alt = fmt::format("{}: predictive density", p.title);
  const auto peak =
      static_cast<std::size_t>(std::ranges::find(p.density, highest) - p.density.begin());
  if (highest > 0 && std::isfinite(p.y[peak])) {
    alt += fmt::format(", highest at {:.4g}", p.y[peak]);
  }
  if (std::isfinite(p.observed)) {
    alt += fmt::format(", and the observed value {:.4g}", p.observed);
  }
  return alt + ". " + p.caption;
}

}  // namespace

Figure density_chart(const DensityPicture& p) {
  check_picture(p);
  Range x_range = bulk(p);
  x_range.include(p.observed);
  x_range = drawable(x_range);
  const double margin = 0.06 * x_range.size();
  x_range = {x_range.low - margin, x_range.high + margin};
  Range height{0, 0};
  height.include(p.density);

  const Json x = quantitative("y", "", x_range);
  const Json y = quantitative("p", "", {0, height.high > 0 ? 1.08 * height.high : 1});
  Json layers = Json::array();
  layers.push_back(
      layer({{"type", "area"}, {"color", colour::interval}, {"clip", true}}, {{"x", x}, {"y", y}}));
  layers.push_back(
      layer({{"type", "line"}, {"color", colour::mean}, {"strokeWidth", 1.5}, {"clip", true}},
            {{"x", x}, {"y", y}}));
  // Above the density, which would hide it.
  if (std::isfinite(p.observed)) {
    layers.push_back(layer({{"type", "rule"}, {"color", colour::observed}, {"strokeWidth", 1.8}},
                           {{"x", x}, {"tooltip", Json::array({tip("y", "observed")})}},
                           rows({{"y", std::vector{p.observed}}})));
  }
  return {.title = p.title,
          .spec = chart(120, std::move(layers), rows({{"y", p.y}, {"p", p.density}})),
          .alt = alt_text(p, height.high),
          .caption = p.caption};
}

std::vector<LegendItem> density_legend() {
  return {{Swatch::area, std::string(colour::interval), "predictive density p(y | x)"},
          {Swatch::marker, std::string(colour::observed), "observed"}};
}

}  // namespace probmix::report
