// The same runs with other options: their scores, and the paired change against the baseline.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "probmix/paper/printed.hpp"
#include "probmix/report/page/text.hpp"
#include "probmix/report/study/paired.hpp"
#include "probmix/report/study/section.hpp"
#include "probmix/report/study/study_table.hpp"
#include "probmix/sweep/choice.hpp"

namespace probmix::report {

namespace {

// A variant's runs of this study.
struct VariantCells {
  std::string header;
  std::vector<CellSummary> cells;
  bool has_other_method;  // it and the baseline have one each: they are compared
};

const Method* only_method(std::span<const CellSummary> cells) {
  const bool is_one = std::ranges::all_of(
      cells, [&](const CellSummary& cell) { return cell.method == cells.front().method; });
  return is_one && !cells.empty() ? cells.front().method : nullptr;
}

bool have_other_methods(std::span<const CellSummary> a, std::span<const CellSummary> b) {
  return only_method(a) != nullptr && only_method(b) != nullptr && only_method(a) != only_method(b);
}

std::set<std::string> values_of(std::span<const CellSummary> cells, const std::string& key) {
  std::set<std::string> values;
  for (const CellSummary& cell : cells) {
    for (const RunRecord* run : cell.group.done) {
      if (run->configuration.contains(key)) values.insert(value_text(run->configuration[key]));
    }
  }
  return values;
}

std::set<std::string> options_of(const StudyLayout& layout, std::span<const CellSummary> cells) {
  std::set<std::string> keys;
  for (const CellSummary& cell : cells) {
    for (const RunRecord* run : cell.group.done) {
      for (const auto& item : run->configuration.items()) keys.insert(item.key());
    }
  }
  // These say what was run, not how; and which options a preset varies follows from the others.
  for (const char* const key :
       {"dataset", "arch", "method", "rows", "features", "fingerprint", "varied"}) {
    keys.erase(key);
  }
  keys.erase(layout.repeat);
  return keys;
}

// "patience 300", "α = 1, β = 0.01": the options with one value that the baseline does not have.
std::string difference_text(const StudyLayout& layout, std::span<const CellSummary> baseline,
                            std::span<const CellSummary> cells) {
  std::vector<std::string> parts;
  if (have_other_methods(baseline, cells)) {
    parts.push_back(fmt::format("method {}", only_method(cells)->name));
  }
  for (const std::string& key : options_of(layout, cells)) {
    const auto values = values_of(cells, key);
    if (values.size() == 1 && values != values_of(baseline, key)) {
      const std::string& value = *values.begin();
      parts.push_back(value == "true" ? key : key_text(key, value));  // a flag
    }
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::vector<VariantCells> columns_of(const Section& section) {
  std::vector<VariantCells> columns;
  for (const Variant& variant : section.variants) {
    const auto study =
        std::ranges::find(variant.studies, section.layout.name, &StudyRecords::study);
    if (study == variant.studies.end()) continue;
    VariantCells column{"", sum_up(section.layout, study->records), false};
    column.has_other_method = have_other_methods(section.cells, column.cells);
    column.header = difference_text(section.layout, section.cells, column.cells);
    const bool taken = std::ranges::count(columns, column.header, &VariantCells::header) > 0;
    if (column.header.empty() || taken) column.header = variant.name;
    columns.push_back(std::move(column));
  }
  return columns;
}

// The keys that distinguish the cells of one file. A key that is constant within each file, such as
// α, may be what the variants differ in.
std::vector<std::string> matched_keys(const Section& section,
                                      const std::vector<VariantCells>& columns) {
  const auto varies = [](std::span<const CellSummary> cells, const std::string& key) {
    return std::ranges::any_of(
        cells, [&](const CellSummary& cell) { return cell.keys[key] != cells.front().keys[key]; });
  };
  std::vector<std::string> matched;
  for (const std::string& key : section.layout.keys) {
    const bool varies_somewhere =
        varies(section.cells, key) ||
        std::ranges::any_of(columns, [&](const VariantCells& c) { return varies(c.cells, key); });
    if (varies_somewhere || key == "dataset" || key == "arch") matched.push_back(key);
  }
  return matched;
}

const CellSummary* partner_of(const CellSummary& cell, const VariantCells& column,
                              const std::vector<std::string>& keys) {
  const auto found = std::ranges::find_if(column.cells, [&](const CellSummary& other) {
    const bool is_same = other.method == cell.method || column.has_other_method;
    return is_same && std::ranges::all_of(keys, [&](const std::string& key) {
             return other.keys[key] == cell.keys[key];
           });
  });
  return found == column.cells.end() ? nullptr : &*found;
}

std::string key_header(const std::string& key) {
  return key == "dataset" ? "data set" : key == "alpha" ? "α" : key == "beta" ? "β" : key;
}

// The cells that at least one variant has.
std::vector<CellSummary> shared_cells(const Section& section,
                                      const std::vector<VariantCells>& columns,
                                      const std::vector<std::string>& keys) {
  std::vector<CellSummary> shared;
  std::ranges::copy_if(section.cells, std::back_inserter(shared), [&](const CellSummary& cell) {
    return std::ranges::any_of(
        columns, [&](const VariantCells& column) { return partner_of(cell, column, keys); });
  });
  return shared;
}

// The columns on the left: what a row is, without the method if there is only one.
struct Rows {
  const Section& section;
  std::vector<std::string> keys;
  std::vector<CellSummary> cells;
  bool with_method;

  void start(Table& table) const {
    for (const std::string& key : keys) table.columns.push_back({key_header(key), Align::left});
    if (with_method) table.columns.push_back({"method", Align::left});
  }
  std::vector<Cell> row(const CellSummary& cell) const {
    std::vector<Cell> cells;
    for (const std::string& key : keys) cells.emplace_back(value_text(cell.keys[key]));
    if (with_method) cells.emplace_back(std::string(cell.method->name));
    return cells;
  }
};

// Means, and the paper's figure if it has one.
Table mean_table(const Rows& rows, const std::vector<VariantCells>& columns, std::size_t score) {
  const Section& section = rows.section;
  const ScoreLayout& layout = section.layout.scores[score];
  const bool in_paper = std::ranges::any_of(rows.cells, [&](const CellSummary& cell) {
    return paper_figure(section.layout, layout.key, cell).has_value();
  });
  Table table;
  table.caption = fmt::format("{} with other options: mean ± standard error over {}s", layout.title,
                              section.layout.repeat);
  rows.start(table);
  table.columns.push_back({"baseline", Align::right});
  for (const VariantCells& column : columns) table.columns.push_back({column.header, Align::right});
  if (in_paper) table.columns.push_back({"the paper", Align::right});
  for (const CellSummary& cell : rows.cells) {
    std::vector<Cell> row = rows.row(cell);
    row.emplace_back(score_text(cell, score) + doubt_text(section.layout, cell));
    for (const VariantCells& column : columns) {
      const CellSummary* const other = partner_of(cell, column, rows.keys);
      row.emplace_back(other ? score_text(*other, score) + doubt_text(section.layout, *other)
                             : "–");
    }
    if (in_paper) {
      const auto paper = paper_figure(section.layout, layout.key, cell);
      row.emplace_back(paper ? format_mean_se(paper->mean, paper->spread) : "–");
    }
    table.add(std::move(row));
  }
  return table;
}

// "149": the epoch that was kept, on average.
std::string best_epoch_text(const CellSummary& cell) {
  const bool recorded =
      !cell.group.done.empty() && std::ranges::all_of(cell.group.done, [](const RunRecord* run) {
        return run->result.contains("best_epoch");
      });
  return recorded ? fmt::format("{:.0f}", cell.group.summary("/best_epoch").mean) : "–";
}

Table change_table(const Rows& rows, const std::vector<VariantCells>& columns, std::size_t score) {
  const Section& section = rows.section;
  Table table;
  table.caption = fmt::format(
      "{} with other options, minus that of the baseline: mean ± standard error of the paired "
      "differences over {}s; bold: at least two standard errors. On the right the epoch that the "
      "baseline kept, on average",
      section.layout.scores[score].title, section.layout.repeat);
  rows.start(table);
  table.columns.push_back({"baseline", Align::right});
  for (const VariantCells& column : columns) table.columns.push_back({column.header, Align::right});
  table.columns.push_back({"best epoch", Align::right});
  for (const CellSummary& cell : rows.cells) {
    std::vector<Cell> row = rows.row(cell);
    const RepeatScores before = repeat_scores(section.layout, score, cell.group.done);
    const double size = std::max(std::abs(cell.scores[score].mean), cell.scores[score].sd);
    row.emplace_back(score_text(cell, score) + doubt_text(section.layout, cell));
    for (const VariantCells& column : columns) {
      const CellSummary* const other = partner_of(cell, column, rows.keys);
      const PairedChange change =
          other ? paired_change(before, repeat_scores(section.layout, score, other->group.done))
                : PairedChange{};
      Cell found("–");
      if (change.pairs > 0) {
        const std::string text =
            format_mean_difference(change.difference.mean, change.difference.se, size);
        found.best = change.direction() != 0 && !text.starts_with('0');  // not if it rounds to zero
        found.text = text + doubt_text(section.layout, *other);
      }
      row.push_back(std::move(found));
    }
    row.emplace_back(best_epoch_text(cell));
    table.add(std::move(row));
  }
  return table;
}

}  // namespace

void add_variants(const Section& section) {
  const std::vector<VariantCells> columns = columns_of(section);
  if (columns.empty()) return;
  const std::vector<std::string> keys = matched_keys(section, columns);
  const std::vector<CellSummary> cells = shared_cells(section, columns, keys);
  if (cells.empty()) return;
  const Rows rows{section, keys, cells, methods_of(cells).size() > 1};
  section.page.add_subheading("With other options");
  section.page.add_paragraph(
      fmt::format("The same {}s with other options; the results above are the baseline.",
                  section.layout.repeat));
  for (std::size_t k = 0; k < section.layout.scores.size(); ++k) {
    if (!has_scores(section.cells, k)) continue;
    const std::string name = file_name(section.layout.scores[k]);
    const bool shown = std::ranges::count(section.layout.compared, k) > 0;
    section.keep_table(name + "-variants", mean_table(rows, columns, k));
    if (shown) {
      section.add_table(name + "-changes", change_table(rows, columns, k));
    } else {
      section.keep_table(name + "-changes", change_table(rows, columns, k));
    }
  }
}

}  // namespace probmix::report
