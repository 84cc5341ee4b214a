// Tables of scores, the runs as box plots, and one score against another.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/paper/printed.hpp"
#include "probmix/report/charts/boxes.hpp"
#include "probmix/report/charts/scatter.hpp"
#include "probmix/report/section.hpp"
#include "probmix/report/study_table.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

namespace {

std::vector<const Method*> methods_of(std::span<const CellSummary> cells) {
  std::vector<const Method*> found;
  for (const CellSummary& cell : cells) {
    if (std::ranges::find(found, cell.method) == found.end()) found.push_back(cell.method);
  }
  return found;
}

const CellSummary* find_cell(std::span<const CellSummary> group, const Method* method) {
  const auto found = std::ranges::find(group, method, &CellSummary::method);
  return found == group.end() ? nullptr : &*found;
}

// "2.41 ± 0.10 [3.37 ± 0.47] ▾": the paper's figures in brackets, and where the means differ by
// more than the paper's spread, in which direction ours does. "[~ 14.2 ± 0.9]": in other units.
std::string beside_paper(const MeanSe& ours, const std::optional<PaperFigure>& paper,
                         bool with_error) {
  std::string text = format_mean_se(ours.mean, with_error ? ours.se : ours.sd);
  if (!paper) return text;
  text += fmt::format(" [{}{}]", paper->comparable ? "" : "~ ",
                      format_mean_se(paper->mean, paper->spread));
  if (!paper->comparable || !std::isfinite(ours.mean)) return text;
  if (ours.mean < paper->mean - paper->spread) return text + " ▾";
  if (ours.mean > paper->mean + paper->spread) return text + " ▴";
  return text;
}

// A column for each group and a row for each method, as the paper's tables.
void add_paper_table(const Section& section, std::size_t score) {
  const auto groups = groups_of(section.cells);
  const std::string& key = section.view.scores[score].key;
  const auto methods = methods_of(section.cells);
  std::vector<PaperFigure> known;
  for (const CellSummary& cell : section.cells) {
    if (const auto paper = paper_figure(section.view, key, cell)) known.push_back(*paper);
  }
  if (known.empty()) return;
  const bool with_error = known.front().is_error;  // as all of a table
  const bool in_other_units =
      !std::ranges::all_of(known, [](const PaperFigure& figure) { return figure.comparable; });
  Table table;
  table.caption = fmt::format(
      "{}: mean ± standard {} [the paper's figure]; ▾ below it, ▴ above it by more than its "
      "spread{}",
      section.view.scores[score].title, with_error ? "error" : "deviation",
      in_other_units ? "; ~ in units of its own, so that only orders compare" : "");
  table.columns.push_back({"method", Align::left});
  for (const auto group : groups) {
    table.columns.push_back({section.name_of(group), Align::right});
  }
  for (const Method* const method : methods) {
    std::vector<Cell> row = {std::string(method->name)};
    for (const auto group : groups) {
      const CellSummary* const cell = find_cell(group, method);
      const auto paper = cell ? paper_figure(section.view, key, *cell) : std::nullopt;
      row.emplace_back(cell ? beside_paper(cell->scores[score], paper, with_error) +
                                  (cell->group.done.empty() ? "" : doubt_text(section.view, *cell))
                            : "–");
    }
    table.add(std::move(row));
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const std::vector<double> means = judged_means(section.view, groups[g], score);
    std::vector<double> values;
    for (const Method* const method : methods) {
      const CellSummary* const cell = find_cell(groups[g], method);
      values.push_back(cell ? means[to_size(cell - groups[g].data())]
                            : std::numeric_limits<double>::quiet_NaN());
    }
    table.mark_best(g + 1, values);
  }
  section.add_table(file_name(section.view.scores[score]) + "-paper", std::move(table));
}

// Without test rows there are none.
bool has_numbers(std::span<const CellSummary> group, std::size_t score) {
  return std::ranges::any_of(
      group, [&](const CellSummary& cell) { return std::isfinite(cell.scores[score].mean); });
}

std::size_t index_of(const StudyView& view, std::string_view key) {
  return static_cast<std::size_t>(std::ranges::find(view.scores, key, &ScoreView::key) -
                                  view.scores.begin());
}

}  // namespace

void add_scores(const Section& section) {
  section.page.add_subheading("Scores");
  section.page.add_paragraph(fmt::format(
      "Mean ± standard error over the runs of each cell, in {}; the best of a group in bold.{}",
      section.view.units,
      section.view.chooses ? " Where several settings of the mix were tried, the one with the "
                             "smallest validation NLL counts."
                           : ""));
  if (const std::string gaps = gaps_text(section.view, section.cells); !gaps.empty()) {
    section.page.add_paragraph(gaps);
  }
  section.add_table("scores", study_table(section.view, section.cells));
  for (std::size_t k = 0; k < section.view.scores.size(); ++k) add_paper_table(section, k);
}

void add_boxes(const Section& section) {
  for (const std::size_t k : section.view.compared) {
    std::vector<Figure> figures;
    for (const auto group : groups_of(section.cells)) {
      if (!has_numbers(group, k)) continue;
      BoxPicture picture{.title = section.name_of(group),
                         .caption = "",
                         .score = section.view.scores[k].title,
                         .groups = {},
                         .scale = scale_of(group, k)};
      for (const CellSummary& cell : group) {
        std::vector<double> values = cell.group.values(section.view.scores[k].pointer);
        values.resize(values.size() + to_size(cell.group.diverged),
                      std::numeric_limits<double>::quiet_NaN());
        BoxGroup box{.name = std::string(cell.method->name),
                     .values = std::move(values),
                     .ours = cell.method->probabilistic};
        const auto paper = paper_figure(section.view, section.view.scores[k].key, cell);
        if (paper && paper->comparable) box.paper = paper->mean;
        picture.groups.push_back(std::move(box));
      }
      figures.push_back(box_chart(picture));
    }
    if (figures.empty()) continue;
    section.page.add_subheading("Each run: " + section.view.scores[k].title);
    section.page.add_paragraph(
        "A box holds the middle half of the runs of a method, with a line at their median. Points "
        "are single runs, and triangles at the edge those that would lie far outside.");
    section.page.add_figures(figures);
  }
}

void add_tradeoff(const Section& section) {
  const std::size_t nll = index_of(section.view, "test_nll");
  const std::size_t rmse = index_of(section.view, "test_rmse");
  if (std::max(nll, rmse) >= section.view.scores.size()) return;
  std::vector<Figure> figures;
  for (const auto group : groups_of(section.cells)) {
    if (!has_numbers(group, nll)) continue;
    ScatterPicture picture{.title = section.name_of(group),
                           .caption = "",
                           .x_label = section.view.scores[rmse].title,
                           .y_label = section.view.scores[nll].title,
                           .points = {}};
    for (const CellSummary& cell : group) {
      picture.points.push_back({std::string(cell.method->name), cell.scores[rmse].mean,
                                cell.scores[nll].mean, cell.method->probabilistic});
    }
    figures.push_back(scatter_chart(picture));
  }
  if (figures.empty()) return;
  section.page.add_subheading("NLL against RMSE");
  section.page.add_paragraph("How well the mean predicts, and how well the whole density.");
  section.page.add_figures(figures);
}

}  // namespace probmix
