#include "probmix/report/page/table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {
namespace {

// A line break or escape sequence from the data must not reach the terminal.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, ' ');
  return visible(text);
}

std::string pad(const std::string& text, int width, Align align) {
  const std::string space(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
  return align == Align::left ? text + space : space + text;
}

std::string line(const std::vector<std::string>& cells) {
  std::string out;
  for (const auto& cell : cells) out += (out.empty() ? "" : "  ") + cell;
  out.erase(out.find_last_not_of(' ') + 1);
  return out + "\n";
}

// In characters, including the gap to the next column. Headers may break at spaces and hyphens.
int width_of(const Table& table, std::size_t column) {
  constexpr int space = 2;
  int width = 0;
  std::string_view header = table.columns[column].header;
  while (!header.empty()) {
    const std::size_t end = std::min(header.find_first_of(" -"), header.size() - 1) + 1;
    width = std::max(width, display_width(header.substr(0, end)));
    header.remove_prefix(end);
  }
  for (const Table::Row& row : table.rows) {
    const std::string_view text = row.cells[column].text;
    const std::size_t remark = std::min(remark_in(text), text.size());
    width = std::max(
        {width, display_width(text.substr(0, remark)), display_width(text.substr(remark))});
  }
  return width + space;
}

}  // namespace

void Table::add(std::vector<Cell> cells) {
  check(cells.size() == columns.size(), "a table of {} columns got a row of {} cells",
        columns.size(), cells.size());
  rows.push_back({std::move(cells), std::exchange(rule_pending_, false)});
}

void Table::mark_best(std::size_t column, std::span<const double> values) {
  check(column < columns.size() && values.size() == rows.size(),
        "marking column {} of {} by {} values for {} rows: one value per row is needed", column,
        columns.size(), values.size(), rows.size());
  double least = std::numeric_limits<double>::infinity();
  for (double v : values) {
    if (std::isfinite(v)) least = std::min(least, v);
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (std::isfinite(values[r]) && values[r] == least) rows[r].cells[column].best = true;
  }
}

std::size_t remark_in(std::string_view text) {
  const std::size_t space = std::min(text.find(" ["), text.find(" ("));
  return space == text.npos ? space : space + 1;
}

std::vector<std::vector<std::size_t>> columns_in_parts(const Table& table, int width) {
  const std::size_t count = table.columns.size();
  const auto value = std::ranges::find(table.columns, Align::right, &Column::align);
  const auto keys = static_cast<std::size_t>(value - table.columns.begin());
  std::vector<int> widths;
  for (std::size_t c = 0; c < count; ++c) widths.push_back(width_of(table, c));
  const auto sum = [&](std::size_t from, std::size_t to) {
    return std::accumulate(widths.begin() + static_cast<std::ptrdiff_t>(from),
                           widths.begin() + static_cast<std::ptrdiff_t>(to), 0);
  };
  for (std::size_t share = count - keys;; share = (share + 1) / 2) {
    std::vector<std::vector<std::size_t>> parts;
    bool fits = true;
    for (std::size_t first = keys; parts.empty() || first < count; first += share) {
      const std::size_t end = std::min(first + share, count);
      auto& part = parts.emplace_back(keys);
      std::iota(part.begin(), part.end(), std::size_t{0});
      for (std::size_t c = first; c < end; ++c) part.push_back(c);
      fits = fits && sum(0, keys) + sum(first, end) <= width;
    }
    if (fits || share <= 1) return parts;
  }
}

std::string text_table(const Table& table) {
  // Lay out column by column: every column is a list of cells of equal width, header first.
  std::vector<std::vector<std::string>> grid(table.rows.size() + 1);
  std::vector<std::string> rules;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const auto& [header, align] = table.columns[c];
    const bool marked =
        std::ranges::any_of(table.rows, [&](const Table::Row& row) { return row.cells[c].best; });
    std::vector<std::string> cells{one_line(header) + (marked && align == Align::right ? " " : "")};
    for (const auto& row : table.rows) {
      cells.push_back(one_line(row.cells[c].text) + (row.cells[c].best ? "*" : marked ? " " : ""));
    }
    int width = 0;
    for (const auto& cell : cells) width = std::max(width, display_width(cell));
    for (std::size_t r = 0; r < cells.size(); ++r) grid[r].push_back(pad(cells[r], width, align));
    std::string rule;
    for (int i = 0; i < width; ++i) rule += "─";
    rules.push_back(std::move(rule));
  }

  std::string out = table.caption.empty() ? "" : one_line(table.caption) + "\n\n";
  out += line(grid[0]) + line(rules);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    if (table.rows[r].rule_above && r > 0) out += line(rules);
    out += line(grid[r + 1]);
  }
  return out;
}

}  // namespace probmix::report
