#include "probmix/report/charts/loss_curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/charts/spec.hpp"

namespace probmix::report {
namespace {

void check_curve(const LossPicture& p, const LossCurve& curve) {
  for (const auto* losses : {&curve.train, &curve.validation}) {
    if (losses->empty()) continue;
    check_length(p.title, fmt::format("a loss of '{}'", curve.name), losses->size(), "epoch",
                 curve.epoch.size());
  }
}

double marked_loss(const LossCurve& curve) {
  return curve.best_loss ? *curve.best_loss : loss_at_best(curve);
}

// Everything after the first twentieth of the epochs, whose losses may dwarf the rest, except what
// is far worse: more than three times what training gained (from the median start of the curves to
// the lowest point) and above all of the calmest curve. Curves that overfit badly leave the
// picture.
Range loss_range(const LossPicture& p) {
  Range range = Range::nothing();
  std::vector<double> begin;
  double calmest = std::numeric_limits<double>::infinity();
  for (const LossCurve& curve : p.curves) {
    for (const auto* losses : {&curve.train, &curve.validation}) {
      Range later = Range::nothing();
      later.include(std::span(*losses).subspan(losses->size() / 20));
      if (later.low > later.high) continue;
      range.include(later.low);
      range.include(later.high);
      calmest = std::min(calmest, later.high);
      begin.push_back(*std::ranges::find_if(*losses, [](double l) { return std::isfinite(l); }));
    }
    if (curve.best_epoch && !curve.validation.empty()) range.include(marked_loss(curve));
  }
  if (!begin.empty()) {
    const auto middle = begin.begin() + std::ssize(begin) / 2;
    std::ranges::nth_element(begin, middle);
    const double gained = range.low + 3 * (*middle - range.low);
    range.high = std::min(range.high, std::max(gained, calmest));
  }
  range = drawable(range);
  return {range.low - 0.04 * range.size(), range.high + 0.04 * range.size()};
}

}  // namespace

double loss_at_best(const LossCurve& curve) {
  const auto next = std::ranges::lower_bound(curve.epoch, *curve.best_epoch);
  if (next == curve.epoch.end()) return curve.validation.back();
  const auto k = static_cast<std::size_t>(next - curve.epoch.begin());
  if (k == 0 || *next == *curve.best_epoch) return curve.validation[k];
  return std::lerp(
      curve.validation[k - 1], curve.validation[k],
      (*curve.best_epoch - curve.epoch[k - 1]) / (curve.epoch[k] - curve.epoch[k - 1]));
}

Figure loss_chart(const LossPicture& p) {
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
                                          {"loss", number(marked_loss(curve))},
                                          {"name", curve.name}}})));
    }
    legend.push_back(category_item(k, curve.name));
  }
  for (Json& mark : marks) layers.push_back(std::move(mark));  // above all lines
  return {.title = p.title,
          .spec = chart(220, std::move(layers)),
          .alt = fmt::format("{}: {} over {} epochs of {} methods. {}", p.title, p.loss, longest,
                             p.curves.size(), p.caption),
          .caption = p.caption,
          .legend = std::move(legend)};
}

}  // namespace probmix::report
