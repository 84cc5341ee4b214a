#include "probmix/report/charts/score_scale.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

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
  if (const auto ticks = symlog_ticks(domain); ticks.size() > 1) x["axis"]["values"] = ticks;
  return x;
}

std::vector<double> symlog_ticks(Range range) {
  range = drawable(range);
  const auto exponent = [](double v) {  // of the largest power of ten up to v, −1 if v < 1
    return v < 1 ? -1 : static_cast<int>(std::floor(std::log10(v)));
  };
  const int up = exponent(range.high), down = exponent(-range.low);
  const int step = std::max(1, (up + down + 7) / 6);
  const auto ticks_of = [&](std::initializer_list<double> factors) {
    std::vector<double> ticks;
    const auto add = [&](double tick) {
      if (tick >= range.low && tick <= range.high) ticks.push_back(tick);
    };
    add(0);
    for (const double factor : factors) {
      for (int e = 0; e <= up; e += step) add(factor * std::pow(10.0, e));
      for (int e = 0; e <= down; e += step) add(-factor * std::pow(10.0, e));
    }
    return ticks;
  };
  std::vector<double> ticks = ticks_of({1});
  if (ticks.size() < 3) ticks = ticks_of({1, 2, 5});
  if (ticks.size() < 2) ticks = ticks_of({1, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9});
  std::ranges::sort(ticks);
  return ticks;
}

}  // namespace probmix::report
