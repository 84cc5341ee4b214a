// Access to the fields of a CsvTable.
#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/csv.hpp"
#include "probmix/data/number.hpp"

namespace probmix {

Index CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(header, name);
  check(found != header.end(), "{}: there is no column {}; columns: {}", file, in_quotes(name),
        names_in_quotes(header));
  return found - header.begin();
}

std::string CsvTable::where(Index row, Index column) const {
  return fmt::format("{}: line {}, column {}", file, line[to_size(row)],
                     in_quotes(header[to_size(column)]));
}

double CsvTable::number(Index row, Index column) const {
  double value = 0;
  const std::string_view fault = read_number(field(row, column), value);
  if (!fault.empty()) {
    throw Error(fmt::format("{}: {} {}", where(row, column), in_quotes(field(row, column)), fault));
  }
  return value;
}

}  // namespace probmix
