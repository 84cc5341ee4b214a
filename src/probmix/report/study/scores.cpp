// Tables of scores, the runs as box plots, and one score against another.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/paper/printed.hpp"
#include "probmix/report/charts/boxes.hpp"
#include "probmix/report/charts/scatter.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

namespace {

// A column for each group and a row for each method; no rows if no method has this score.
Table method_table(const Section& section, std::size_t score) {
  const ScoreLayout& layout = section.layout.scores[score];
  const auto groups = groups_of(section.cells);
  std::vector<const Method*> methods = methods_of(section.cells);
  if (is_of_draws(layout)) std::erase_if(methods, [](const Method* m) { return !has_draws(*m); });
  Table table;
  table.caption = fmt::format("{}: mean ± standard error over {}s; the best of each column in bold",
                              layout.title, section.layout.repeat);
  table.columns.push_back({"method", Align::left});
  for (const auto group : groups) table.columns.push_back({section.name_of(group), Align::right});
  for (const Method* const method : methods) {
    std::vector<Cell> row = {std::string(method->name)};
    for (const auto group : groups) {
      const CellSummary* const cell = find_cell(group, method);
      row.emplace_back(cell ? score_text(*cell, score) + doubt_text(section.layout, *cell) : "–");
    }
    table.add(std::move(row));
  }
  for (std::size_t g = 0; g < groups.size() && methods.size() > 1; ++g) {
    const std::vector<double> means = judged_means(section.layout, groups[g], score);
    std::vector<double> values;
    for (const Method* const method : methods) {
      const CellSummary* const cell = find_cell(groups[g], method);
      values.push_back(cell ? means[to_size(cell - groups[g].data())] : std::nan(""));
    }
    table.mark_best(g + 1, values);
  }
  return table;
}

// The scores whose runs are drawn: those that methods are compared by, and squared errors.
std::vector<std::size_t> boxed_scores(const StudyLayout& layout) {
  std::vector<std::size_t> scores = layout.compared;
  for (std::size_t k = 0; k < layout.scores.size(); ++k) {
    if (layout.scores[k].key.ends_with("_mse")) scores.push_back(k);
  }
  return scores;
}

BoxPicture box_picture(const Section& section, std::span<const CellSummary> group,
                       std::size_t score) {
  const ScoreLayout& layout = section.layout.scores[score];
  BoxPicture picture{.title = section.name_of(group),
                     .caption = "",
                     .score = layout.title,
                     .groups = {},
                     .scale = scale_of(group, score)};
  for (const CellSummary& cell : group) {
    std::vector<double> values = cell.group.values(layout.pointer);
    values.resize(values.size() + to_size(cell.group.diverged),
                  std::numeric_limits<double>::quiet_NaN());
    BoxGroup box{.name = std::string(cell.method->name),
                 .values = std::move(values),
                 .ours = cell.method->probabilistic};
    const auto paper = paper_figure(section.layout, layout.key, cell);
    if (paper && paper->comparable) box.paper = paper->mean;
    picture.groups.push_back(std::move(box));
  }
  return picture;
}

std::size_t index_of(const StudyLayout& layout, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(layout.scores, key, &ScoreLayout::key) -
                                  layout.scores.begin());
}

}  // namespace

void add_scores(const Section& section) {
  section.page.add_subheading("Scores");
  section.page.add_paragraph(fmt::format(
      "Mean ± standard error over the runs of each method, in {}; the best of each group in "
      "bold.{}",
      section.layout.units,
      section.layout.chooses ? " Where several settings of the mix were tried, the one with the "
                               "smallest validation NLL is shown."
                             : ""));
  if (const std::string gaps = gaps_text(section.layout, section.cells); !gaps.empty()) {
    section.page.add_paragraph(gaps);
  }
  section.add_table("scores", study_table(section.layout, section.cells));
  if (count_alphas(section) >= 2) return;  // one table per score is then over α
  for (std::size_t k = 0; k < section.layout.scores.size(); ++k) {
    if (!has_scores(section.cells, k)) continue;
    Table table = method_table(section, k);
    if (!table.rows.empty())
      section.keep_table(file_name(section.layout.scores[k]), std::move(table));
  }
}

void add_boxes(const Section& section) {
  for (const std::size_t k : boxed_scores(section.layout)) {
    std::vector<Figure> figures;
    for (const auto group : groups_of(section.cells)) {
      if (has_scores(group, k)) figures.push_back(box_chart(box_picture(section, group, k)));
    }
    if (figures.empty()) continue;
    section.page.add_subheading("Each run: " + section.layout.scores[k].title);
    section.page.add_paragraph(
        "Each box spans the middle half of a method's runs, with a line at the median. Points are "
        "single runs; a triangle at the edge is a run that lies far outside.");
    section.page.add_figures(figures);
  }
}

void add_tradeoff(const Section& section) {
  const std::size_t nll = index_of(section.layout, "test_nll");
  const std::size_t rmse = index_of(section.layout, "test_rmse");
  if (std::max(nll, rmse) >= section.layout.scores.size()) return;
  std::vector<Figure> figures;
  for (const auto group : groups_of(section.cells)) {
    if (!has_scores(group, nll) || !has_scores(group, rmse)) continue;
    ScatterPicture picture{.title = section.name_of(group),
                           .caption = "",
                           .x_label = section.layout.scores[rmse].title,
                           .y_label = section.layout.scores[nll].title,
                           .points = {}};
    for (const CellSummary& cell : group) {
      picture.points.push_back({std::string(cell.method->name), cell.scores[rmse].mean,
                                cell.scores[nll].mean, cell.method->probabilistic});
    }
    figures.push_back(scatter_chart(picture));
  }
  if (figures.empty()) return;
  section.page.add_subheading("NLL against RMSE");
  section.page.add_paragraph(
      "The RMSE judges the predicted mean, the NLL the whole density. The best methods are at the "
      "lower left.");
  section.page.add_figures(figures);
}

}  // namespace probmix::report
