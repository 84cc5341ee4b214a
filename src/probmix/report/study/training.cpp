// How the validation NLL fell in the first runs.
#include <algorithm>
#include <cmath>

#include "probmix/report/charts/loss_curves.hpp"
#include "probmix/report/study/section.hpp"

namespace probmix::report {

namespace {

// Single epochs jump so much that unsmoothed curves would hide each other.
std::vector<double> running_median(const std::vector<double>& values) {
  constexpr std::size_t reach = 2;
  std::vector<double> smooth, window;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const std::size_t side = std::min({reach, k, values.size() - 1 - k});  // the ends stay
    window.assign(values.begin() + static_cast<std::ptrdiff_t>(k - side),
                  values.begin() + static_cast<std::ptrdiff_t>(k + side + 1));
    if (std::ranges::any_of(window, [](double v) { return std::isnan(v); })) {
      smooth.push_back(values[k]);
      continue;
    }
    std::ranges::nth_element(window, window.begin() + static_cast<std::ptrdiff_t>(side));
    smooth.push_back(window[side]);
  }
  return smooth;
}

}  // namespace

void add_training(const Section& section) {
  std::vector<Figure> figures;
  for (const auto group : pictured_groups(section)) {
    LossPicture picture{
        .title = section.name_of(group), .caption = "", .loss = "validation NLL", .curves = {}};
    for (const CellSummary& cell : group) {
      const auto run = std::ranges::find_if(
          cell.group.done, [](const RunRecord* r) { return r->result.contains("curve"); });
      if (run == cell.group.done.end()) continue;
      const Json& curve = (*run)->result["curve"];
      LossCurve loss{.name = std::string(cell.method->name)};
      curve.at("epoch").get_to(loss.epoch);
      for (const Json& value : curve.at("validation_nll")) {
        loss.validation.push_back(value.is_number() ? value.get<double>() : std::nan(""));
      }
      loss.best_epoch = (*run)->result.at("best_epoch").get<int>();
      const Json nll = (*run)->result.value(Json::json_pointer("/validation/nll"), Json());
      loss.best_loss = nll.is_number() ? nll.get<double>() : loss_at_best(loss);
      loss.validation = running_median(loss.validation);
      picture.curves.push_back(std::move(loss));
    }
    if (!picture.curves.empty()) figures.push_back(loss_chart(picture));
  }
  if (figures.empty()) return;
  section.page.add_subheading("Training");
  section.page.add_paragraph(
      "The NLL of the validation rows over the epochs of each method's first run, smoothed by a "
      "running median of five points. A mark shows the epoch that was kept, at its own NLL. Curves "
      "that leave the picture at the top are far worse there than the others.");
  section.page.add_figures(figures);
}

}  // namespace probmix::report
