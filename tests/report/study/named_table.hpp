// Finds a table of a report by name, and reads its cells.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/report/study/report.hpp"

namespace probmix::report {

using Texts = std::vector<std::string>;

inline const Table& table_named(const Report& report, const std::string& name) {
  const auto found = std::ranges::find(report.tables, name, &NamedTable::name);
  if (found == report.tables.end()) throw Error("no table " + name);
  return found->table;
}

inline Texts texts(const Table::Row& row) {
  Texts found;
  for (const Cell& cell : row.cells) found.push_back(cell.text);
  return found;
}

}  // namespace probmix::report
