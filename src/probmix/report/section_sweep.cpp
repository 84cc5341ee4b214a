// Of a grid of settings: the scores over α.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/report/charts/sweep.hpp"
#include "probmix/report/section.hpp"
#include "probmix/report/study_table.hpp"

namespace probmix {

namespace {

constexpr const char* swept = "alpha";

Json without_swept(Json keys) {
  keys.erase(swept);
  return keys;
}

// In the order of the cells.
std::vector<Json> distinct(std::span<const CellSummary> cells, auto&& part) {
  std::vector<Json> found;
  for (const CellSummary& cell : cells) {
    if (Json value = part(cell.keys); std::ranges::find(found, value) == found.end()) {
      found.push_back(std::move(value));
    }
  }
  return found;
}

// The cells with these keys but for α: a line for each method.
SweepPicture picture_of(const Section& section, const Json& keys, const std::vector<Json>& alphas,
                        std::size_t score) {
  SweepPicture picture{.title = "",
                       .caption = "",
                       .setting = "α",
                       .values = {},
                       .score = section.view.scores[score].title,
                       .lines = {}};
  for (const Json& alpha : alphas) picture.values.push_back(value_text(alpha));
  const double missing = std::numeric_limits<double>::quiet_NaN();
  for (const CellSummary& cell : section.cells) {
    if (without_swept(cell.keys) != keys) continue;
    auto line = std::ranges::find(picture.lines, cell.method->name, &SweepLine::name);
    if (line == picture.lines.end()) {
      line = picture.lines.insert(line, {.name = std::string(cell.method->name),
                                         .mean = std::vector(alphas.size(), missing),
                                         .error = std::vector(alphas.size(), missing)});
    }
    const auto at =
        static_cast<std::size_t>(std::ranges::find(alphas, cell.keys[swept]) - alphas.begin());
    if (!cell.is_complete()) continue;  // its mean would be of other runs
    line->mean[at] = cell.scores[score].mean;
    line->error[at] = cell.scores[score].se;
  }
  return picture;
}

// What tells these keys from those of the other pictures.
std::string title_of(const Section& section, const Json& keys, const std::vector<Json>& all) {
  std::vector<std::string> parts;
  for (const auto& item : keys.items()) {
    const bool varies = std::ranges::any_of(
        all, [&](const Json& other) { return other.at(item.key()) != item.value(); });
    if (varies) parts.push_back(key_text(item.key(), item.value()));
  }
  return parts.empty() ? section.view.title : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void add_sweep(const Section& section) {
  if (std::ranges::find(section.view.keys, swept) == section.view.keys.end()) return;
  const auto alphas = distinct(section.cells, [](const Json& keys) { return keys[swept]; });
  const auto conditions = distinct(section.cells, without_swept);
  if (alphas.size() < 2) return;
  for (const std::size_t score : section.view.compared) {
    std::vector<SweepPicture> pictures;
    for (const Json& keys : conditions) {
      SweepPicture picture = picture_of(section, keys, alphas, score);
      picture.scale = scale_of(section.cells, score);
      picture.title = title_of(section, keys, conditions);
      pictures.push_back(std::move(picture));
    }
    const Range range = common_y_range(pictures);
    std::vector<Figure> figures;
    for (SweepPicture& picture : pictures) {
      picture.y_range = range;
      figures.push_back(sweep_chart(picture));
    }
    section.page.add_subheading(fmt::format("{} over α", section.view.scores[score].title));
    section.page.add_paragraph(
        "Means over the runs with their standard errors; a method without α is a level line. Where "
        "runs diverged or are missing there is a gap.");
    section.page.add_figures(figures, {}, FigureGrid::wide);
  }
}

}  // namespace probmix
