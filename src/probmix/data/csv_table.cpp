// Access to the fields of a CsvTable.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/csv.hpp"

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
  const auto fail = [&](std::string_view reason) {
    throw Error(
        fmt::format("{}: {} {}", where(row, column), in_quotes(field(row, column)), reason));
  };
  std::string_view text = without_blanks(field(row, column));
  if (text.empty()) fail("is no number, the value is missing; fill it in or remove the row");
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    fail("is not a number; write numbers as 1234.5 or 1.2345e3");
  }
  if (error == std::errc::result_out_of_range) {
    fail("is too large or too small a number; change its unit");
  }
  if (!std::isfinite(value)) fail("is not a finite number; fill it in or remove the row");
  return value;
}

}  // namespace probmix
