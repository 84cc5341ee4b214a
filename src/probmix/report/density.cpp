#include "probmix/report/density.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/date_axis.hpp"
#include "probmix/report/svg.hpp"
#include "probmix/report/text.hpp"

namespace probmix {
namespace {

constexpr double kTailMass = 0.0005;  // on each side; ±3.3 standard deviations of a Gaussian

void check_picture(const DensityPicture& p) {
  check(p.density.size() == p.y.size(), "picture '{}': density has {} values, but y has {}",
        p.title, p.density.size(), p.y.size());
  for (std::size_t i = 1; i < p.y.size(); ++i) {
    check(!(p.y[i] < p.y[i - 1]), "picture '{}': y descends from {} to {}; sort by y", p.title,
          p.y[i - 1], p.y[i]);
  }
}

// The y without the tails; all y if there is no mass.
Range bulk(const DensityPicture& p) {
  // mass[i] lies left of y[i], by the trapezoidal rule; what is not finite does not count.
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

std::string density_chart(const DensityPicture& p) {
  check_picture(p);
  const bool observed = std::isfinite(p.observed);
  Range x = bulk(p);
  x.include(p.observed);
  x = drawable(x);
  const double margin = 0.06 * x.size();
  x = {x.low - margin, x.high + margin};
  Range height{0, 0};
  height.include(p.density);

  ChartFrame frame;
  frame.title = p.title;
  frame.alt = fmt::format("{}: predictive density", p.title);
  const auto peak = std::ranges::find(p.density, height.high) - p.density.begin();
  if (height.high > 0 && std::isfinite(p.y[static_cast<std::size_t>(peak)])) {
    frame.alt += fmt::format(", highest at {:.4g}", p.y[static_cast<std::size_t>(peak)]);
  }
  if (observed) frame.alt += fmt::format(", and the observed value {:.4g}", p.observed);
  frame.alt += ". " + p.caption;
  frame.x = x;
  frame.y = {0, height.high > 0 ? 1.08 * height.high : 1};
  frame.width = 240;
  frame.height = 170;

  Chart chart(std::move(frame));
  const std::vector<double> zero(p.y.size(), 0.0);
  chart.band(p.y, zero, p.density, "density");
  chart.line(p.y, p.density, "density");
  if (observed) chart.marker(p.observed, "observed");
  return chart.svg();
}

std::string density_legend() {
  return legend(std::vector<LegendItem>{{Mark::band, "density", "predictive density p(y | x)"},
                                        {Mark::marker, "observed", "observed"}});
}

}  // namespace probmix
