#include "probmix/report/charts/predictions.hpp"

#include <fmt/format.h>

#include <utility>

#include "probmix/report/charts/spec.hpp"

namespace probmix::report {

Figure predictions_chart(const PredictionsPicture& p) {
  check_length(p.title, "mean", p.mean.size(), "observed", p.observed.size());
  check_length(p.title, "low", p.low.size(), "observed", p.observed.size());
  check_length(p.title, "high", p.high.size(), "observed", p.observed.size());
  Range means = Range::nothing();
  means.include(p.mean);
  means = drawable(means);
  const double margin = 0.03 * means.size();
  means = {means.low - margin, means.high + margin};
  Range values = means;
  values.include(p.observed);
  const Range heights = data_and_bands(values, std::vector<std::span<const double>>{p.low, p.high});
  const Json x = quantitative("mean", "predicted mean", means);
  const auto y = [&](const char* field) { return quantitative(field, "observed", heights); };
  const Json tooltip = Json::array({tip("observed", "observed"), tip("mean", "predicted mean"),
                                    tip("low", "90 % from"), tip("high", "to")});
  Json layers = Json::array();
  layers.push_back(layer({{"type", "rule"}, {"color", colour::interval}, {"clip", true}},
                         {{"x", x}, {"y", y("low")}, {"y2", {{"field", "high"}}}}));
  layers.push_back(dashed_line(x, y("observed"), means.low, means.low, means.high, means.high));
  layers.push_back(layer({{"type", "point"}, {"color", colour::mean}, {"clip", true}},
                         {{"x", x}, {"y", y("observed")}, {"tooltip", tooltip}}));
  return {
      .title = p.title,
      .spec = chart(
          240, std::move(layers),
          rows({{"observed", p.observed}, {"mean", p.mean}, {"low", p.low}, {"high", p.high}})),
      .alt = fmt::format("{}: observed against predicted mean of {} rows, with 90 % intervals. {}",
                         p.title, p.observed.size(), p.caption),
      .caption = p.caption,
      .legend = {{Swatch::points, std::string(colour::mean), "a row"},
                 {Swatch::area, std::string(colour::interval), "its 90 % interval"},
                 {Swatch::dashed, std::string(colour::truth), "observed as predicted"}}};
}

}  // namespace probmix::report
