#include "probmix/report/charts/score_scale.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/report/charts/spec.hpp"

namespace probmix::report {

double scaled(ScoreScale scale, double score) {
  return scale == ScoreScale::linear ? score : std::copysign(std::log1p(std::abs(score)), score);
}

double unscaled(ScoreScale scale, double place) {
  return scale == ScoreScale::linear ? place : std::copysign(std::expm1(std::abs(place)), place);
}

Range score_domain(ScoreScale scale, Range places) {
  const Range range = drawable(places);
  return {unscaled(scale, range.low - 0.04 * range.size()),
          unscaled(scale, range.high + 0.04 * range.size())};
}

Json score_axis(std::string_view field, std::string_view title, ScoreScale scale, Range domain) {
  Json x = quantitative(field, title, domain);
  if (scale == ScoreScale::linear) return x;
  x["scale"].erase("zero");
  x["scale"]["type"] = "symlog";
  x["axis"] = {{"labelExpr", "format(datum.value, '~g')"}};
  // Vega would space the ticks of symlog evenly in values, all in one corner, and draw nine lines
  // for every power of ten.
  x["axis"]["values"] = symlog_ticks(domain);
  return x;
}

std::vector<double> symlog_ticks(Range range) {
  range = drawable(range);
  const auto exponent = [](double v) {  // of the largest power of ten up to v, −1 if v < 1
    return v < 1 ? -1 : static_cast<int>(std::floor(std::log10(v)));
  };
  const int up = exponent(range.high), down = exponent(-range.low);
  std::vector<double> ticks;
  if (range.low <= 0 && range.high >= 0) ticks.push_back(0);
  const int step = std::max(1, (std::max(up, -1) + std::max(down, -1) + 2 + 5) / 6);
  for (int e = 0; e <= up; e += step) {
    if (const double tick = std::pow(10.0, e); tick >= range.low) ticks.push_back(tick);
  }
  for (int e = 0; e <= down; e += step) {
    if (const double tick = -std::pow(10.0, e); tick <= range.high) ticks.push_back(tick);
  }
  // A range within one power of ten, or next to zero.
  if (ticks.size() < 2) ticks = {range.low, (range.low + range.high) / 2, range.high};
  std::ranges::sort(ticks);
  return ticks;
}

}  // namespace probmix::report
