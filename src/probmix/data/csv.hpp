// Small tables in CSV files as text: a header line, then rows of as many fields, with commas
// between them (csv_reader.hpp says what is accepted).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"

namespace probmix {

struct CsvLimits {
  std::size_t file_bytes = std::size_t{256} << 20;
  std::size_t columns = 10'000;
  std::size_t fields = 50'000'000;  // rows times columns: a short field takes 32 bytes of memory
  std::size_t field_bytes = std::size_t{64} << 10;  // also how far a missing quote can reach
};

struct CsvTable {
  std::string file;
  std::vector<std::string> header;
  std::vector<Index> line;  // of the file, from 1, where each row begins
  std::vector<std::vector<std::string>> rows;

  Index row_count() const { return static_cast<Index>(rows.size()); }
  // The position of a column; throws an Error that lists the names there are.
  Index column(std::string_view name) const;
  const std::string& field(Index row, Index column) const {
    return rows[to_size(row)][to_size(column)];
  }
  // A finite number; nan, infinity and numbers that no double can hold are errors.
  double number(Index row, Index column) const;
  // "prices.csv: line 7, column 'Close'", for messages.
  std::string where(Index row, Index column) const;
};

// At least one row.
CsvTable read_csv(const std::filesystem::path& path, const CsvLimits& limits = {});

// The same of a text; `file` is its name in messages.
CsvTable parse_csv(std::string_view text, std::string file, const CsvLimits& limits = {});

}  // namespace probmix
