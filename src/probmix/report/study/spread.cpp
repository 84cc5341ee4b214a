// What lies behind the means: medians and extremes over the repeats, and the epochs that were kept.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "probmix/report/page/text.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

namespace {

// A column for each group and a row for each method; text(cell) is for cells with finished runs.
Table table_of_cells(const Section& section, std::string caption, auto&& text) {
  const auto groups = groups_of(section.cells);
  Table table;
  table.caption = std::move(caption);
  table.columns.push_back({"method", Align::left});
  for (const auto group : groups) table.columns.push_back({section.name_of(group), Align::right});
  for (const Method* const method : methods_of(section.cells)) {
    std::vector<Cell> row = {std::string(method->name)};
    for (const auto group : groups) {
      const CellSummary* const cell = find_cell(group, method);
      row.emplace_back(cell == nullptr ? "–"
                       : cell->group.done.empty()
                           ? "diverged"
                           : text(*cell) + doubt_text(section.layout, *cell));
    }
    table.add(std::move(row));
  }
  return table;
}

// "0.61 (0.40 to 1.09)".
std::string range_text(const CellSummary& cell, const ScoreLayout& score) {
  const std::vector<double> values = cell.group.values(score.pointer);
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return "–";
  const auto [low, high] = std::ranges::minmax(values);
  const auto number = [](double value) { return format_mean_se(value, std::nan("")); };
  return fmt::format("{} ({} to {})", number(median(values)), number(low), number(high));
}

std::string epoch_text(const CellSummary& cell) {
  return fmt::format("{:.0f}", median(cell.group.values("/best_epoch")));
}

}  // namespace

void add_spread(const Section& section) {
  const std::string& repeat = section.layout.repeat;
  for (const std::size_t k : section.layout.compared) {
    if (!has_scores(section.cells, k)) continue;
    const ScoreLayout& score = section.layout.scores[k];
    section.keep_table(
        file_name(score) + "-ranges",
        table_of_cells(
            section, fmt::format("{}: median (smallest to largest) over {}s", score.title, repeat),
            [&](const CellSummary& cell) { return range_text(cell, score); }));
  }
  const bool recorded = std::ranges::all_of(
      section.cells, [](const CellSummary& cell) { return cell.group.has("/best_epoch"); });
  if (!recorded) return;
  section.keep_table(
      "best-epochs",
      table_of_cells(section, fmt::format("The epoch that was kept, median over {}s", repeat),
                     epoch_text));
}

}  // namespace probmix::report
