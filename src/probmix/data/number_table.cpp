#include "probmix/data/number_table.hpp"

#include <algorithm>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/base/read_file.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

// Takes everything before the first of `ends`, and that, off the front of a text.
std::string_view take_until(std::string_view& rest, std::string_view ends) {
  const std::size_t end = std::min(rest.find_first_of(ends), rest.size());
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return taken;
}

// Adds the numbers of a line to `values` and returns how many there are.
std::size_t read_line(std::string_view text, const std::string& file, Index line,
                      const CsvLimits& limits, std::vector<double>& values) {
  std::size_t columns = 0;
  while (!(text = without_blanks(text)).empty()) {
    const std::string_view field = take_until(text, " \t");
    check(columns < limits.columns, "{}: line {}: more than {} columns, the most that is read",
          file, line, limits.columns);
    check(values.size() < limits.fields,
          "{}: line {}: more than {} numbers, the most that is read; use fewer rows", file, line,
          limits.fields);
    double value = 0;
    const std::string_view fault = read_number(field, value);
    if (!fault.empty()) {
      throw Error(fmt::format("{}: line {}, column {}: {} {}", file, line, columns + 1,
                              in_quotes(field), fault));
    }
    values.push_back(value);
    ++columns;
  }
  return columns;
}

}  // namespace

NumberTable parse_number_table(std::string_view text, std::string file, const CsvLimits& limits) {
  NumberTable table;
  table.file = std::move(file);
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  std::vector<double> values;
  std::size_t columns = 0;
  for (Index line = 1; !text.empty(); ++line) {
    std::string_view row = take_until(text, "\n");
    if (row.ends_with('\r')) row.remove_suffix(1);
    const std::size_t found = read_line(row, table.file, line, limits, values);
    if (found == 0) continue;
    if (table.line.empty()) columns = found;
    table.line.push_back(line);
    check(found == columns, "{}: line {}: {} numbers where line {} has {}; every row needs as many",
          table.file, line, found, table.line.front(), columns);
  }
  check(!table.line.empty(), "{}: the file is empty; it must hold rows of numbers", table.file);
  table.values = Matrix<double>(std::ssize(table.line), static_cast<Index>(columns));
  std::ranges::copy(values, table.values.data());
  return table;
}

NumberTable read_number_table(const std::filesystem::path& path, const CsvLimits& limits) {
  return parse_number_table(read_file(path, limits.file_bytes), printable(path.string()), limits);
}

}  // namespace probmix
