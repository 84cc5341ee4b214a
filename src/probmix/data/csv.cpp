#include "probmix/data/csv.hpp"

#include "probmix/base/error.hpp"
#include "probmix/data/csv_reader.hpp"

namespace probmix {

CsvTable parse_csv(std::string_view text, std::string file, const CsvLimits& limits) {
  CsvReader reader(text_source(text, std::move(file)), {.separator = ',',
                                                        .header = true,
                                                        .most_columns = limits.columns,
                                                        .field_bytes = limits.field_bytes});
  CsvTable table{.file = reader.file(), .header = reader.columns(), .line = {}, .rows = {}};
  while (reader.next()) {
    table.line.push_back(reader.line());
    table.rows.emplace_back(reader.fields().begin(), reader.fields().end());
    check(table.rows.size() * table.header.size() <= limits.fields,
          "{}: line {}: more than {} fields in the table, the most that is read; use fewer rows",
          table.file, table.line.back(), limits.fields);
  }
  check(!table.rows.empty(), "{}: there are no rows below the header", table.file);
  return table;
}

CsvTable read_csv(const std::filesystem::path& path, const CsvLimits& limits) {
  const auto source = open_source(path.string());
  return parse_csv(read_all(*source, limits.file_bytes), source->name(), limits);
}

}  // namespace probmix
