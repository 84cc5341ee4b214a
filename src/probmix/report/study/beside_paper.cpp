// Our scores beside the paper's.
#include "probmix/report/study/beside_paper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/metric/ranks.hpp"
#include "probmix/report/page/text.hpp"
#include "probmix/report/study/contest.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

namespace {

using Figures = std::vector<std::optional<PaperFigure>>;

// One group of cells, with the paper's figures for a score.
struct PaperColumn {
  std::span<const CellSummary> group;
  Figures paper = {};             // of each cell
  std::vector<double> ours = {};  // judged means
  std::vector<double> rank = {};  // of ours, among the cells that have both; else NaN
  std::vector<double> paper_rank = {};
  bool comparable = true;  // in value, not only in order
};

PaperColumn paper_column(const Section& section, std::span<const CellSummary> group,
                         std::size_t score) {
  const ScoreLayout& layout = section.layout.scores[score];
  PaperColumn column{.group = group};
  column.ours = judged_means(section.layout, group, score);
  std::vector<std::size_t> both;
  std::vector<double> a, b;
  for (std::size_t c = 0; c < group.size(); ++c) {
    column.paper.push_back(paper_figure(section.layout, layout.key, group[c]));
    if (!column.paper[c]) continue;
    column.comparable = column.comparable && column.paper[c]->comparable;
    if (std::isnan(column.ours[c])) continue;
    both.push_back(c);
    a.push_back(column.ours[c]);
    b.push_back(layout.larger ? -column.paper[c]->mean : column.paper[c]->mean);
  }
  column.rank.assign(group.size(), std::nan(""));
  column.paper_rank = column.rank;
  const std::vector<double> of_a = ranks(a), of_b = ranks(b);
  for (std::size_t k = 0; k < both.size(); ++k) {
    column.rank[both[k]] = of_a[k];
    column.paper_rank[both[k]] = of_b[k];
  }
  return column;
}

// Spearman's correlation of our ranks with the paper's; NaN for fewer than three methods.
double rank_correlation(const PaperColumn& column) {
  double n = 0;
  for (const double r : column.rank) n += std::isnan(r) ? 0 : 1;
  const double mean = (n + 1) / 2;
  double both = 0, ours = 0, theirs = 0;
  for (std::size_t c = 0; c < column.rank.size(); ++c) {
    if (std::isnan(column.rank[c])) continue;
    const double a = column.rank[c] - mean, b = column.paper_rank[c] - mean;
    both += a * b;
    ours += a * a;
    theirs += b * b;
  }
  return n >= 3 && ours > 0 && theirs > 0 ? both / std::sqrt(ours * theirs) : std::nan("");
}

// "945 ± 497 (6) [36.5 ± 2.1 (3)]" where only the order compares.
std::string with_ranks(const PaperColumn& column, std::size_t c, std::size_t score,
                       bool with_error) {
  std::string text = beside_paper(column.group[c].scores[score], std::nullopt, with_error);
  const bool ranked = !std::isnan(column.rank[c]);
  if (ranked) text += fmt::format(" ({:g})", column.rank[c]);
  if (!column.paper[c]) return text;
  text += fmt::format(" [{}", format_mean_se(column.paper[c]->mean, column.paper[c]->spread));
  return text + (ranked ? fmt::format(" ({:g})]", column.paper_rank[c]) : "]");
}

std::vector<PaperColumn> paper_columns(const Section& section, std::size_t score) {
  if (!has_scores(section.cells, score)) return {};
  std::vector<PaperColumn> columns;
  bool known = false;
  for (const auto group : groups_of(section.cells)) {
    columns.push_back(paper_column(section, group, score));
    known = known || std::ranges::any_of(columns.back().paper,
                                         [](const auto& figure) { return figure.has_value(); });
  }
  return known ? columns : std::vector<PaperColumn>{};
}

// A column for each group and a row for each method, as in the paper's tables.
void add_paper_table(const Section& section, const std::vector<PaperColumn>& columns,
                     std::size_t score) {
  const auto methods = methods_of(section.cells);
  const bool with_error = has_errors(section, score);
  const auto comparable = [](const PaperColumn& column) { return column.comparable; };
  const bool some_compare = std::ranges::any_of(columns, comparable);
  const bool some_do_not = !std::ranges::all_of(columns, comparable);
  Table table;
  table.caption =
      fmt::format("{}: mean ± standard {}, and [the paper's]", section.layout.scores[score].title,
                  with_error ? "error" : "deviation");
  if (some_compare) table.caption += "; ▾ below, ▴ above the paper's by more than its spread";
  if (some_do_not) {
    table.caption +=
        "; with ranks in parentheses where the paper's units are unknown, so that "
        "only the order compares";
  }
  table.columns.push_back({"method", Align::left});
  for (const PaperColumn& column : columns) {
    table.columns.push_back({section.name_of(column.group), Align::right});
  }
  for (const Method* const method : methods) {
    std::vector<Cell> row = {std::string(method->name)};
    for (const PaperColumn& column : columns) {
      const CellSummary* const cell = find_cell(column.group, method);
      if (cell == nullptr) {
        row.emplace_back("–");
        continue;
      }
      const std::size_t c = to_size(cell - column.group.data());
      row.emplace_back((column.comparable
                            ? beside_paper(cell->scores[score], column.paper[c], with_error)
                            : with_ranks(column, c, score, with_error)) +
                       (cell->group.done.empty() ? "" : doubt_text(section.layout, *cell)));
    }
    table.add(std::move(row));
  }
  for (std::size_t g = 0; g < columns.size(); ++g) {
    std::vector<double> values;
    for (const Method* const method : methods) {
      const CellSummary* const cell = find_cell(columns[g].group, method);
      values.push_back(cell ? columns[g].ours[to_size(cell - columns[g].group.data())]
                            : std::nan(""));
    }
    table.mark_best(g + 1, values);
  }
  std::vector<Cell> last = {"rank correlation"};
  bool known = false;
  for (const PaperColumn& column : columns) {
    const double correlation = rank_correlation(column);
    known = known || !std::isnan(correlation);
    last.emplace_back(std::isnan(correlation) ? "–" : format_fixed(correlation, 2));
  }
  if (known) {
    table.add_rule();
    table.add(std::move(last));
  }
  section.add_table(file_name(section.layout.scores[score]) + "-paper", table);
}

// The cell with the smallest value among ProbMix methods, or among the others; null if none has a
// value.
std::optional<std::size_t> best_of(std::span<const CellSummary> group,
                                   std::span<const double> values, bool probabilistic) {
  std::optional<std::size_t> best;
  for (std::size_t c = 0; c < group.size(); ++c) {
    if (group[c].method->probabilistic != probabilistic || !std::isfinite(values[c])) continue;
    if (!best || values[c] < values[*best]) best = c;
  }
  return best;
}

// "16/20 (p 0.0072)": the repeats on which the first has the better score, and Wilcoxon's p.
std::string wins_text(const Section& section, std::size_t score, const CellSummary& ours,
                      const CellSummary& other) {
  const Contest contest{section, score, {}, {}};
  const Comparison found = section.layout.scores[score].larger ? compare(contest, other, ours)
                                                               : compare(contest, ours, other);
  if (found.pairs == 0) return "–";
  const std::string wins = fmt::format("{}/{}", found.smaller, found.pairs);
  return found.has_enough_pairs() ? fmt::format("{} ({})", wins, format_p(found.p)) : wins;
}

// For each group the best ProbMix method against the best of the others, here and in the paper.
void add_best_table(const Section& section, const std::vector<PaperColumn>& columns,
                    std::size_t score) {
  const ScoreLayout& layout = section.layout.scores[score];
  Table table;
  table.caption = fmt::format(
      "Best {}: mean ± standard error, the better of the two in bold; the {}s on which the ProbMix "
      "method is better, with the p-value of Wilcoxon's paired test (not corrected for having "
      "chosen the best) if there are enough; and the paper's best",
      layout.title, section.layout.repeat);
  table.columns = {{section.layout.keys.size() == 1 ? "data set" : "", Align::left},
                   {"ProbMix method", Align::right},
                   {"other method", Align::right},
                   {section.layout.repeat + "s won", Align::right},
                   {"the paper's ProbMix method", Align::right},
                   {"its other method", Align::right}};
  for (const PaperColumn& column : columns) {
    std::vector<double> theirs;
    for (const auto& figure : column.paper) {
      theirs.push_back(!figure ? std::nan("") : layout.larger ? -figure->mean : figure->mean);
    }
    std::vector<Cell> row = {section.name_of(column.group)};
    const auto ours = best_of(column.group, column.ours, true);
    const auto other = best_of(column.group, column.ours, false);
    if (!ours || !other) continue;
    for (const auto& [best, rival] : {std::pair(ours, other), std::pair(other, ours)}) {
      const CellSummary& cell = column.group[*best];
      row.emplace_back(fmt::format("{} {}", cell.method->name, score_text(cell, score)));
      row.back().best = column.ours[*best] < column.ours[*rival];
    }
    row.emplace_back(wins_text(section, score, column.group[*ours], column.group[*other]));
    for (const bool probabilistic : {true, false}) {
      const auto best = best_of(column.group, theirs, probabilistic);
      row.emplace_back(best ? fmt::format("{} {}", column.group[*best].method->name,
                                          format_mean_se(column.paper[*best]->mean, std::nan("")))
                            : "–");
    }
    table.add(std::move(row));
  }
  if (!table.rows.empty()) section.add_table(file_name(layout) + "-best", table);
}

std::string ratio_text(double value, double base) {
  const bool has_ratio = std::isfinite(value) && std::isfinite(base) && value > 0 && base > 0;
  return has_ratio ? format_mean_se(value / base, std::nan("")) : "–";
}

// Dividing by the score of ERM cancels an unknown factor.
void add_ratio_table(const Section& section, const std::vector<PaperColumn>& columns,
                     std::size_t score) {
  const Method& erm = find_method("erm");
  if (std::ranges::any_of(columns, &PaperColumn::comparable)) return;
  if (!std::ranges::all_of(columns,
                           [&](const PaperColumn& c) { return find_cell(c.group, &erm); })) {
    return;
  }
  Table table;
  table.caption = fmt::format(
      "{}, divided by that of erm, and [the paper's]; no ratio where one of "
      "them is negative",
      section.layout.scores[score].title);
  table.columns.push_back({"method", Align::left});
  for (const PaperColumn& column : columns) {
    table.columns.push_back({section.name_of(column.group), Align::right});
  }
  for (const Method* const method : methods_of(section.cells)) {
    if (method == &erm) continue;
    std::vector<Cell> row = {std::string(method->name)};
    for (const PaperColumn& column : columns) {
      const CellSummary* const cell = find_cell(column.group, method);
      if (cell == nullptr) {
        row.emplace_back("–");
        continue;
      }
      const CellSummary* const base = find_cell(column.group, &erm);
      const auto& paper = column.paper[to_size(cell - column.group.data())];
      const auto& paper_base = column.paper[to_size(base - column.group.data())];
      std::string text = ratio_text(cell->scores[score].mean, base->scores[score].mean);
      if (paper && paper_base) {
        text += fmt::format(" [{}]", ratio_text(paper->mean, paper_base->mean));
      }
      row.emplace_back(std::move(text));
    }
    table.add(std::move(row));
  }
  section.add_table(file_name(section.layout.scores[score]) + "-ratios", table);
}

}  // namespace

bool has_errors(const Section& section, std::size_t score) {
  for (const CellSummary& cell : section.cells) {
    const auto paper = paper_figure(section.layout, section.layout.scores[score].key, cell);
    if (paper) return paper->is_error;  // as in the whole table
  }
  return true;
}

std::string beside_paper(const MeanSe& ours, const std::optional<PaperFigure>& paper,
                         bool with_error) {
  std::string text = format_mean_se(ours.mean, with_error ? ours.se : ours.sd);
  if (!paper) return text;
  text += fmt::format(" [{}]", format_mean_se(paper->mean, paper->spread));
  if (!std::isfinite(ours.mean)) return text;
  if (ours.mean < paper->mean - paper->spread) return text + " ▾";
  if (ours.mean > paper->mean + paper->spread) return text + " ▴";
  return text;
}

void add_paper(const Section& section) {
  if (count_alphas(section) >= 2) return;  // the tables over α have the paper's figures
  const bool has_sets = section.layout.keys.front() == "dataset";
  bool first = true;
  for (std::size_t k = 0; k < section.layout.scores.size(); ++k) {
    const std::vector<PaperColumn> columns = paper_columns(section, k);
    if (columns.empty()) continue;
    if (std::exchange(first, false)) section.page.add_subheading("Compared with the paper");
    add_paper_table(section, columns, k);
    if (!has_sets || std::ranges::count(section.layout.compared, k) == 0) continue;
    add_best_table(section, columns, k);
    if (k == section.layout.compared.front()) add_ratio_table(section, columns, k);
  }
}

}  // namespace probmix::report
