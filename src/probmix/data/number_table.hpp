// Tables of nothing but numbers: no header, columns separated by spaces and tabs, a row a line.
//
// LF or CRLF, a byte order mark and blank lines (skipped) are accepted. Everything else is an Error
// of one line that names file, line and column (both from 1), the value found and the remedy.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/data/csv.hpp"

namespace probmix {

struct NumberTable {
  std::string file;
  std::vector<Index> line;  // of the file, from 1, for each row
  Matrix<double> values;    // all finite; at least one row
};

NumberTable read_number_table(const std::filesystem::path& path, const CsvLimits& limits = {});

// The same of a text; `file` is its name in messages.
NumberTable parse_number_table(std::string_view text, std::string file,
                               const CsvLimits& limits = {});

}  // namespace probmix
