#include "probmix/report/page/fill.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/report/page/export.hpp"

namespace probmix::report {

namespace {

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r\n");
  if (first == line.npos) return {};
  return line.substr(first, line.find_last_not_of(" \t\r\n") + 1 - first);
}

// The text between "<!-- " and " -->"; empty unless the line is one comment.
std::string_view comment_in(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with("<!--") || !line.ends_with("-->") || line.size() < 7) return {};
  return trimmed(line.substr(4, line.size() - 7));
}

// The name of the table that starts on this line.
std::optional<std::string_view> table_started(std::string_view line) {
  std::string_view comment = comment_in(line);
  if (!comment.starts_with("table ")) return {};
  return trimmed(comment.substr(6));
}

// Removes the first line, with its newline, from `rest` and returns it.
std::string_view take_line(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size() - 1) + 1;
  const std::string_view line = rest.substr(0, end);
  rest.remove_prefix(end);
  return line;
}

const Table& table_named(std::string_view name, std::span<const NamedTable> tables,
                         std::string_view file, std::size_t line) {
  const auto found = std::ranges::find(tables, name, &NamedTable::name);
  if (found != tables.end()) return found->table;
  std::vector<std::string> names;
  for (const NamedTable& table : tables) names.push_back(table.name);
  throw Error(fmt::format("'{}', line {}: there is no table '{}'; the report has {}", file, line,
                          name, fmt::join(names, ", ")));
}

}  // namespace

FilledPage fill_tables(std::string_view page, std::string_view file,
                       std::span<const NamedTable> tables, std::string_view part) {
  const std::string prefix = part.empty() ? "" : std::string(part) + "/";
  FilledPage filled;
  std::size_t started = 0;  // the line of the open marker; 0: none
  bool replaces = false;    // the open table is ours
  bool fenced = false;
  std::size_t number = 0;
  for (std::string_view rest = page; !rest.empty();) {
    const std::string_view line = take_line(rest);
    ++number;
    if (trimmed(line).starts_with("```")) fenced = !fenced;
    const auto name = fenced ? std::nullopt : table_started(line);
    const bool ends = !fenced && comment_in(line) == "end";
    check(!name || started == 0, "'{}', line {}: the table of line {} has no <!-- end -->", file,
          number, started);
    check(!ends || started > 0, "'{}', line {}: <!-- end --> without a table", file, number);
    if (name) {
      started = number;
      const bool of_part =
          prefix.empty() ? name->find('/') == name->npos : name->starts_with(prefix);
      filled.text += line;
      if (!of_part) continue;
      replaces = true;
      ++filled.tables;
      const Table& table = table_named(name->substr(prefix.size()), tables, file, number);
      filled.text.append("\n").append(markdown_table(table)).append("\n");
      continue;
    }
    if (ends) {
      started = 0;
      replaces = false;
    }
    if (!replaces) filled.text += line;
  }
  check(started == 0, "'{}', line {}: the table has no <!-- end -->", file, started);
  check(filled.tables > 0, "'{}' has no line <!-- table {}NAME --> to fill", file, prefix);
  return filled;
}

}  // namespace probmix::report
