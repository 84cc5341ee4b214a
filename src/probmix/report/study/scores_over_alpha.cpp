// The scores of a grid of settings, over α.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/report/charts/score_lines.hpp"
#include "probmix/report/study/beside_paper.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

namespace {

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

std::vector<Json> alphas_of(std::span<const CellSummary> cells) {
  return distinct(cells, [](const Json& keys) { return keys["alpha"]; });
}

Json without_alpha(Json keys) {
  keys.erase("alpha");
  return keys;
}

// The cells with these keys, at any α: a line for each method.
ScoreLinesPicture lines_of(const Section& section, const Json& keys,
                           const std::vector<Json>& alphas, std::size_t score) {
  ScoreLinesPicture picture{.title = "",
                            .caption = "",
                            .setting = "α",
                            .values = {},
                            .score = section.layout.scores[score].title,
                            .lines = {}};
  for (const Json& alpha : alphas) picture.values.push_back(value_text(alpha));
  const double missing = std::numeric_limits<double>::quiet_NaN();
  for (const CellSummary& cell : section.cells) {
    if (without_alpha(cell.keys) != keys) continue;
    auto line = std::ranges::find(picture.lines, cell.method->name, &ScoreLine::name);
    if (line == picture.lines.end()) {
      line = picture.lines.insert(line, {.name = std::string(cell.method->name),
                                         .mean = std::vector(alphas.size(), missing),
                                         .error = std::vector(alphas.size(), missing)});
    }
    if (!cell.is_complete()) continue;  // its mean would be over other runs
    const auto at =
        static_cast<std::size_t>(std::ranges::find(alphas, cell.keys["alpha"]) - alphas.begin());
    line->mean[at] = cell.scores[score].mean;
    line->error[at] = cell.scores[score].se;
  }
  return picture;
}

// The keys that distinguish this picture from the others.
std::string title_of(const Section& section, const Json& keys, const std::vector<Json>& all) {
  std::vector<std::string> parts;
  for (const auto& item : keys.items()) {
    const bool varies = std::ranges::any_of(
        all, [&](const Json& other) { return other.at(item.key()) != item.value(); });
    if (varies) parts.push_back(key_text(item.key(), item.value()));
  }
  return parts.empty() ? section.layout.title : fmt::format("{}", fmt::join(parts, ", "));
}

// "m-probmix, pooling linear, β = 0.01": the method, and what varies among the settings it uses.
std::string row_name(const Section& section, const CellSummary& cell) {
  std::string name(cell.method->name);
  for (const std::string& key : section.layout.keys) {
    const bool varies = std::ranges::any_of(
        section.cells, [&](const CellSummary& other) { return other.keys[key] != cell.keys[key]; });
    if (key != "alpha" && varies && cell.settings.contains(key)) {
      name += ", " + key_text(key, cell.keys[key]);
    }
  }
  return name;
}

// Whether the paper has this score for a cell.
bool in_paper(const Section& section, std::size_t score) {
  return std::ranges::any_of(section.cells, [&](const CellSummary& cell) {
    return paper_figure(section.layout, section.layout.scores[score].key, cell).has_value();
  });
}

// A column for each α, a row for each method under the conditions it depends on.
Table alpha_table(const Section& section, const std::vector<Json>& alphas, std::size_t score) {
  const ScoreLayout& layout = section.layout.scores[score];
  const bool with_error = has_errors(section, score);
  Table table;
  table.caption = fmt::format("{} over α: mean ± standard {}", layout.title,
                              with_error ? "error" : "deviation");
  if (in_paper(section, score)) {
    table.caption += ", and [the paper's]; ▾ below, ▴ above the paper's by more than its spread";
  }
  table.caption += ". The best of each column in bold";
  table.columns.push_back({"method", Align::left});
  for (const Json& alpha : alphas) {
    table.columns.push_back({key_text("alpha", alpha), Align::right});
  }
  std::vector<std::string> names;
  std::vector<std::vector<const CellSummary*>> found;
  const auto methods = methods_of(section.cells);
  for (const Method* const method : methods) {
    for (const CellSummary& cell : section.cells) {
      if (cell.method != method) continue;
      const std::string name = row_name(section, cell);
      auto row = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      if (row == names.size()) {
        names.push_back(name);
        found.emplace_back(alphas.size(), nullptr);
      }
      const auto at =
          static_cast<std::size_t>(std::ranges::find(alphas, cell.keys["alpha"]) - alphas.begin());
      // A method that ignores a condition has the same cell under each; the paper's figure may
      // stand beside one of them only.
      const bool has_paper = paper_figure(section.layout, layout.key, cell).has_value();
      if (found[row][at] == nullptr || has_paper) found[row][at] = &cell;
    }
  }
  std::vector<std::vector<double>> values(alphas.size());
  for (std::size_t r = 0; r < names.size(); ++r) {
    std::vector<Cell> row = {names[r]};
    for (std::size_t a = 0; a < alphas.size(); ++a) {
      const CellSummary* const cell = found[r][a];
      const bool shown =
          cell != nullptr && !cell->group.done.empty() && !std::isnan(cell->scores[score].mean);
      values[a].push_back(cell ? judged_mean(section.layout, *cell, score) : std::nan(""));
      row.emplace_back(shown ? beside_paper(cell->scores[score],
                                            paper_figure(section.layout, layout.key, *cell),
                                            with_error) +
                                   doubt_text(section.layout, *cell)
                       : cell ? score_text(*cell, score)
                              : "–");
    }
    table.add(std::move(row));
  }
  for (std::size_t a = 0; a < alphas.size(); ++a) table.mark_best(a + 1, values[a]);
  return table;
}

void add_charts(const Section& section, const std::vector<Json>& alphas, std::size_t score) {
  const auto conditions = distinct(section.cells, without_alpha);
  std::vector<ScoreLinesPicture> pictures;
  for (const Json& keys : conditions) {
    ScoreLinesPicture picture = lines_of(section, keys, alphas, score);
    picture.scale = scale_of(section.cells, score);
    picture.title = title_of(section, keys, conditions);
    pictures.push_back(std::move(picture));
  }
  const Range range = common_y_range(pictures);
  std::vector<Figure> figures;
  for (ScoreLinesPicture& picture : pictures) {
    picture.y_range = range;
    figures.push_back(score_lines_chart(picture));
  }
  section.page.add_paragraph(
      "Means with standard errors. A method without α is a level line; a gap marks runs that "
      "diverged or are missing.");
  section.page.add_figures(figures, {}, FigureGrid::wide);
}

}  // namespace

void add_scores_over_alpha(const Section& section) {
  if (count_alphas(section) < 2) return;
  const std::vector<Json> alphas = alphas_of(section.cells);
  const auto add = [&](std::size_t score) {
    const bool drawn = std::ranges::count(section.layout.compared, score) > 0;
    const std::string name = file_name(section.layout.scores[score]) + "-over-alpha";
    if (!drawn && !in_paper(section, score)) {
      section.keep_table(name, alpha_table(section, alphas, score));
      return;
    }
    section.page.add_subheading(fmt::format("{} over α", section.layout.scores[score].title));
    if (drawn) add_charts(section, alphas, score);
    section.add_table(name, alpha_table(section, alphas, score));
  };
  for (const std::size_t score : section.layout.compared) add(score);
  for (std::size_t k = 0; k < section.layout.scores.size(); ++k) {
    if (std::ranges::count(section.layout.compared, k) == 0) add(k);
  }
}

}  // namespace probmix::report
