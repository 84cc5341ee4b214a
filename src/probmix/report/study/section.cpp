#include "probmix/report/study/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/mix/options.hpp"
#include "probmix/options/option.hpp"
#include "probmix/report/study/study_table.hpp"

namespace probmix::report {

void Section::keep_table(const std::string& name, Table table) const {
  tables.push_back({layout.name + "-" + name, std::move(table)});
}

void Section::add_table(const std::string& name, const Table& table) const {
  page.add_table(table);
  keep_table(name, table);
}

std::string key_text(const std::string& key, const Json& value) {
  if (key == "dataset" || key == "arch") return value_text(value);
  if (key == "alpha" || key == "beta") {
    return fmt::format("{} = {}", key == "alpha" ? "α" : "β", value_text(value));
  }
  std::string words = key;
  std::ranges::replace_if(
      words, [](char c) { return c == '-' || c == '_'; }, ' ');
  return fmt::format("{} {}", words, value_text(value));
}

// The NLLs of one method may be a thousand times those of another.
ScoreScale scale_of(std::span<const CellSummary> cells, std::size_t score) {
  Range range = Range::nothing();
  for (const CellSummary& cell : cells) range.include(cell.scores[score].mean);
  const double low = std::abs(range.low), high = std::abs(range.high);
  return std::max(low, high) > 20 * std::max(1.0, std::min(low, high)) ? ScoreScale::symlog
                                                                       : ScoreScale::linear;
}

std::string group_name(const StudyLayout& layout, std::span<const CellSummary> cells,
                       std::span<const CellSummary> group) {
  std::vector<std::string> parts;
  for (const std::string& key : layout.keys) {
    const Json& value = group.front().keys[key];
    const bool varies = std::ranges::any_of(
        cells, [&](const CellSummary& cell) { return cell.keys[key] != value; });
    if (varies || key == "dataset" || key == "arch") parts.push_back(key_text(key, value));
  }
  return parts.empty() ? "all runs" : fmt::format("{}", fmt::join(parts, ", "));
}

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

bool has_scores(std::span<const CellSummary> cells, std::size_t score) {
  return std::ranges::any_of(
      cells, [&](const CellSummary& cell) { return std::isfinite(cell.scores[score].mean); });
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double below = values[values.size() % 2 == 1 ? half : half - 1];
  return below == -values[half] ? 0 : (below + values[half]) / 2;
}

std::string gaps_text(const StudyLayout& layout, std::span<const CellSummary> cells) {
  const auto has_gap = [](const CellSummary& cell) { return cell.missing > 0; };
  const auto first = std::ranges::find_if(cells, has_gap);
  if (first == cells.end()) return "";
  return fmt::format(
      "{} of {} cells lack {}s that other methods have, the first: {} ({}). They are shown but "
      "neither marked as best nor ranked; paired tests use the {}s that both methods have.",
      std::ranges::count_if(cells, has_gap), cells.size(), layout.repeat, first->method->name,
      group_name(layout, cells, std::span(first, 1)), layout.repeat);
}

std::vector<std::span<const CellSummary>> pictured_groups(const Section& section) {
  auto groups = groups_of(section.cells);
  if (std::ranges::find(section.layout.keys, "alpha") == section.layout.keys.end()) return groups;
  const auto preset = std::ranges::find_if(groups, [](const auto group) {
    const Json& keys = group.front().keys;
    return keys["alpha"] == MixOptions{}.alpha && keys["beta"] == MixOptions{}.beta;
  });
  return {preset == groups.end() ? groups.front() : *preset};
}

std::size_t count_alphas(const Section& section) {
  if (std::ranges::find(section.layout.keys, "alpha") == section.layout.keys.end()) return 0;
  std::vector<Json> found;
  for (const CellSummary& cell : section.cells) {
    const Json& alpha = cell.keys["alpha"];
    if (std::ranges::find(found, alpha) == found.end()) found.push_back(alpha);
  }
  return found.size();
}

std::string file_name(const ScoreLayout& score) {
  std::string name = score.key;
  std::ranges::replace(name, '_', '-');
  return name;
}

void add_divergences(const Section& section) {
  const auto diverged = [](const RunRecord& run) { return run.status == RunStatus::diverged; };
  const auto first = std::ranges::find_if(section.records, diverged);
  if (first == section.records.end()) return;
  std::string where;
  for (const std::string& key : section.layout.cell_keys()) {
    if (!first->configuration.contains(key)) continue;
    where += value_text(first->configuration[key]) + " ";
  }
  section.page.add_paragraph(
      fmt::format("{} of {} runs diverged, the first: {}({} {}), {}. A method with a diverged run "
                  "is not judged by its other runs: it ranks last, and in a paired test that run "
                  "is the worse of its pair.",
                  std::ranges::count_if(section.records, diverged), section.records.size(), where,
                  section.layout.repeat, value_text(first->configuration.at(section.layout.repeat)),
                  first->message));
}

// What all runs share; a list per group would be long and mostly the same.
void add_configuration(const Section& section) {
  Json shared;
  for (const CellSummary& cell : section.cells) {
    for (const RunRecord* run : cell.group.done) {
      if (shared.is_null()) shared = run->configuration;
      for (auto it = shared.begin(); it != shared.end();) {
        const bool same =
            !run->configuration.contains(it.key()) || run->configuration[it.key()] == it.value();
        it = same ? std::next(it) : shared.erase(it);
      }
    }
  }
  if (!shared.is_null()) section.page.add_details("Options of all runs", as_text(shared));
}

}  // namespace probmix::report
