#include "probmix/report/charts/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"

namespace probmix {
namespace {

void check_curve(const CurvePicture& p, const LossCurve& curve) {
  for (const auto* losses : {&curve.train, &curve.validation}) {
    if (losses->empty()) continue;
    check_length(p.title, fmt::format("a loss of '{}'", curve.name), losses->size(), "epoch",
                 curve.epoch.size());
  }
}

// The validation loss at the best epoch: unless given, between those of the epochs that are there.
double best_loss(const LossCurve& curve) {
  if (curve.best_loss) return *curve.best_loss;
  const auto next = std::ranges::lower_bound(curve.epoch, *curve.best_epoch);
  if (next == curve.epoch.end()) return curve.validation.back();
  const auto k = static_cast<std::size_t>(next - curve.epoch.begin());
  if (k == 0 || *next == *curve.best_epoch) return curve.validation[k];
  return std::lerp(
      curve.validation[k - 1], curve.validation[k],
      (*curve.best_epoch - curve.epoch[k - 1]) / (curve.epoch[k] - curve.epoch[k - 1]));
}

// Up to what the first twentieth of the epochs leaves, which may dwarf all that follows, or to
// three times of what training gained (from the median of the curves at their beginning to the
// lowest), whichever is less: a curve that overfits by far leaves the picture.
Range loss_range(const CurvePicture& p) {
  Range range = Range::nothing(), best = Range::nothing();
  std::vector<double> begin;
  for (const LossCurve& curve : p.curves) {
    for (const auto* losses : {&curve.train, &curve.validation}) {
      range.include(std::span(*losses).subspan(losses->size() / 20));
      const auto first = std::ranges::find_if(*losses, [](double l) { return std::isfinite(l); });
      if (first != losses->end()) begin.push_back(*first);
    }
    if (curve.best_epoch && !curve.validation.empty()) best.include(best_loss(curve));
  }
  if (!begin.empty()) {
    const auto middle = begin.begin() + static_cast<std::ptrdiff_t>(begin.size() / 2);
    std::ranges::nth_element(begin, middle);
    range.include(best.low);
    const double limit = range.low + 3 * (*middle - range.low);
    range.high = std::clamp(limit, range.low, std::max(range.low, range.high));
  }
  range.include(best.high);
  range = drawable(range);
  return {range.low - 0.04 * range.size(), range.high + 0.04 * range.size()};
}

}  // namespace

Figure curve_chart(const CurvePicture& p) {
  double longest = 1;
  bool train = false, validation = false, best = false;
  for (const LossCurve& curve : p.curves) {
    check_curve(p, curve);
    if (!curve.epoch.empty()) longest = std::max(longest, curve.epoch.back());
    train = train || !curve.train.empty();
    validation = validation || !curve.validation.empty();
    best = best || curve.best_epoch;
  }
  const Json x = quantitative("epoch", "epoch", {0, longest});
  const Json y = quantitative("loss", p.loss, loss_range(p));
  const Json tooltip = Json::array({{{"field", "name"}, {"title", "best epoch of"}},
                                    tip("epoch", "epoch", "d"),
                                    tip("loss", p.loss)});
  Json layers = Json::array(), marks = Json::array();
  std::vector<LegendItem> legend;
  if (train && validation) {
    legend = {{Swatch::line, std::string(colour::soft), "validation"},
              {Swatch::dashed, std::string(colour::soft), "training"}};
  }
  if (best) legend.push_back({Swatch::points, std::string(colour::soft), "best epoch"});
  for (std::size_t k = 0; k < p.curves.size(); ++k) {
    const LossCurve& curve = p.curves[k];
    const std::string shade = colour::category(k);
    const auto add = [&](const std::vector<double>& losses, Json dash, double width) {
      if (losses.empty()) return;
      layers.push_back(layer({{"type", "line"},
                              {"color", shade},
                              {"strokeWidth", width},
                              {"strokeDash", std::move(dash)},
                              {"clip", true}},
                             {{"x", x}, {"y", y}},
                             rows({{"epoch", curve.epoch}, {"loss", losses}})));
    };
    add(curve.train, {3, 3}, 1.1);
    add(curve.validation, category_dash(k), 1.6);
    if (curve.best_epoch && !curve.validation.empty()) {
      marks.push_back(layer({{"type", "point"},
                             {"color", shade},
                             {"size", 50},
                             {"opacity", 1},
                             {"stroke", colour::paper},
                             {"strokeWidth", 1}},
                            {{"x", x}, {"y", y}, {"tooltip", tooltip}},
                            Json::array({{{"epoch", *curve.best_epoch},
                                          {"loss", number(best_loss(curve))},
                                          {"name", curve.name}}})));
    }
    legend.push_back({category_dash(k).empty() ? Swatch::line : Swatch::dashed, shade, curve.name});
  }
  for (Json& mark : marks) layers.push_back(std::move(mark));  // above all lines
  return {.title = p.title,
          .spec = chart(220, std::move(layers)),
          .alt = fmt::format("{}: {} over {} epochs of {} methods. {}", p.title, p.loss, longest,
                             p.curves.size(), p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix
