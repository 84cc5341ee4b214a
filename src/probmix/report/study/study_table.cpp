#include "probmix/report/study/study_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/report/page/text.hpp"
#include "probmix/sweep/choice.hpp"

namespace probmix::report {

namespace {

// Data set and network always; settings only if they vary.
std::vector<std::string> shown_keys(const StudyLayout& layout, std::span<const CellSummary> cells) {
  std::vector<std::string> shown;
  for (const std::string& key : layout.keys) {
    const bool varies = std::ranges::any_of(
        cells, [&](const CellSummary& cell) { return cell.keys[key] != cells.front().keys[key]; });
    if (varies || key == "dataset" || key == "arch") shown.push_back(key);
  }
  return shown;
}

// In a study that chooses settings: α and β if any method has them, the pooling if it varies.
std::vector<std::string> shown_settings(const StudyLayout& layout,
                                        std::span<const CellSummary> cells) {
  std::vector<std::string> shown;
  if (!layout.chooses) return shown;
  for (const std::string& key : setting_keys) {
    std::vector<Json> values;
    for (const CellSummary& cell : cells) {
      if (cell.settings.contains(key)) values.push_back(cell.settings[key]);
    }
    const bool varies =
        std::ranges::any_of(values, [&](const Json& value) { return value != values.front(); });
    if (varies || (!values.empty() && key != "pooling")) shown.emplace_back(key);
  }
  return shown;
}

}  // namespace

std::string score_text(const CellSummary& cell, std::size_t score) {
  if (cell.group.done.empty()) return "diverged";
  const MeanSe& found = cell.scores[score];
  return std::isnan(found.mean) ? "–" : format_mean_se(found.mean, found.se);  // no test rows
}

std::string doubt_text(const StudyLayout& layout, const CellSummary& cell) {
  const std::size_t diverged = cell.diverged.size();
  const std::size_t runs = cell.group.done.size() + diverged;
  std::vector<std::string> doubts;
  if (diverged > 0) doubts.push_back(fmt::format("{} diverged", diverged));
  if (cell.missing > 0) {
    doubts.push_back(fmt::format("{} of {} {}s", runs, runs + cell.missing, layout.repeat));
  }
  return doubts.empty() ? "" : fmt::format(" ({})", fmt::join(doubts, ", "));
}

std::string value_text(const Json& value) {
  if (value.is_null()) return "–";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& part : value) parts.push_back(value_text(part));
    return fmt::format("{}", fmt::join(parts, ","));
  }
  return value.is_number_float() ? fmt::format("{}", value.get<double>()) : exact_json_text(value);
}

Table study_table(const StudyLayout& layout, std::span<const CellSummary> cells) {
  Table table;
  const auto keys = shown_keys(layout, cells);
  const auto settings = shown_settings(layout, cells);
  for (const std::string& key : keys) table.columns.push_back({key, Align::left});
  table.columns.push_back({"method", Align::left});
  for (const std::string& key : settings) table.columns.push_back({key, Align::left});
  const std::size_t first_score = table.columns.size();
  for (std::size_t k = 0; k < layout.tabled; ++k) {
    table.columns.push_back({layout.scores[k].title, Align::right});
  }
  for (const CellSummary& cell : cells) {
    if (&cell != &cells.front() && cell.keys != (&cell - 1)->keys) table.add_rule();
    std::vector<Cell> row;
    for (const std::string& key : keys) row.emplace_back(value_text(cell.keys[key]));
    row.emplace_back(std::string(cell.method->name));
    if (!cell.group.done.empty()) row.back().text += doubt_text(layout, cell);
    for (const std::string& key : settings) {
      row.emplace_back(value_text(cell.settings.contains(key) ? cell.settings[key] : Json()));
    }
    for (std::size_t k = 0; k < layout.tabled; ++k) {
      row.emplace_back(score_text(cell, k));
    }
    table.add(std::move(row));
  }
  for (const auto group : groups_of(cells)) {
    if (group.size() == 1) continue;  // the best of nothing else
    const auto first = static_cast<std::size_t>(group.data() - cells.data());
    for (std::size_t k = 0; k < layout.tabled; ++k) {
      std::vector<double> values(cells.size(), std::numeric_limits<double>::quiet_NaN());
      std::ranges::copy(judged_means(layout, group, k), values.begin() + static_cast<Index>(first));
      table.mark_best(first_score + k, values);
    }
  }
  return table;
}

}  // namespace probmix::report
