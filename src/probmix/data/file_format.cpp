#include "probmix/data/file_format.hpp"

namespace probmix {
namespace {

constexpr std::string_view use_python =
    "read it with 'python -m probmix', unpacked and by its path, or convert it to CSV";

constexpr FileFormat parquet{"a Parquet file", use_python, true};
constexpr FileFormat arrow{"an Arrow file", use_python, true};
constexpr FileFormat json_lines{"JSON, not CSV", use_python, true};
constexpr FileFormat sqlite{"an SQLite database",
                            "export a table: sqlite3 -header -csv FILE 'SELECT * FROM TABLE'"};
constexpr FileFormat zip{"a zip archive or an Excel workbook",
                         "unpack it, or save the sheet as CSV"};

// {"name": ...; a CSV file may name a column {a}, but cannot have a quote there.
bool begins_object(std::string_view text) {
  if (!text.starts_with('{')) return false;
  const std::size_t next = text.find_first_not_of(" \t\r\n", 1);
  return next != text.npos && text[next] == '"';
}

}  // namespace

const FileFormat* other_format(std::string_view first_bytes) {
  if (first_bytes.starts_with("PAR1")) return &parquet;
  if (first_bytes.starts_with("ARROW1")) return &arrow;
  if (first_bytes.starts_with("SQLite format 3")) return &sqlite;
  if (first_bytes.starts_with("PK\x03\x04")) return &zip;
  return begins_object(first_bytes) ? &json_lines : nullptr;
}

}  // namespace probmix
