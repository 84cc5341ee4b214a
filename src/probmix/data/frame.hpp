// A table in memory with a type for each column: numbers, dates or categories.
//
// A column is what all of its fields are that are not missing (field.hpp): numbers, else dates
// (date.hpp), else categories. Whoever knows better says so.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/data/csv_reader.hpp"

namespace probmix {

enum class ColumnKind { number, date, category };
inline constexpr std::array<std::string_view, 3> column_kind_names = {"number", "date", "category"};

struct FrameColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  std::vector<double> values = {};       // of numbers, and of dates in seconds; NaN: missing
  std::vector<std::int32_t> codes = {};  // of categories, positions in `levels`; −1: missing
  std::vector<std::string> levels = {};  // sorted
  Index missing = 0;                     // rows
  // Why it has categories that nobody asked for and not numbers or dates, as at least half of its
  // fields are: the first field that is no such, with its place. Else empty.
  std::string first_text = {};
  // What may be wrong about categories that nobody asked for: that all are numbers with commas, or
  // dates of another form than ISO 8601.
  std::string doubt = {};

  bool is_missing(Index row) const {
    return kind == ColumnKind::category ? codes[to_size(row)] < 0
                                        : std::isnan(values[to_size(row)]);
  }
};

// What stands in a row: the level, the number or the date; empty if it is missing.
std::string value_text(const FrameColumn& column, Index row);

struct Frame {
  std::string file;
  std::vector<FrameColumn> columns;
  std::vector<Index> line;  // of the file, where each row begins

  Index rows() const { return std::ssize(line); }
  // Throws an Error that lists the names there are.
  const FrameColumn& column(std::string_view name) const;
  // "houses.csv: line 7, column 'rooms'", for messages.
  std::string where(Index row, const FrameColumn& column) const;
};

struct FrameOptions {
  CsvFormat format = {};
  std::vector<std::string> categories = {};       // columns that are categories, even of numbers
  std::size_t most_bytes = std::size_t{8} << 30;  // of what has to be held in memory
  std::function<void(Index)> progress = {};       // told the rows so far, now and then
};

// Of numbers that a program has; NaN stands for missing. Throws an Error unless all columns are
// equally long and have names of their own.
Frame make_frame(std::vector<std::pair<std::string, std::vector<double>>> columns);

// Throws an Error that names the first field of these columns (none: of all) that is no finite
// number.
void check_all_numbers(const Frame& frame, std::span<const std::string> names = {});

// Puts the rows into the order of a column of numbers or dates; rows of equal values keep theirs.
Frame sorted_by(Frame frame, const std::string& name);

// At least one row. "-": standard input. Throws an Error of one line.
Frame read_frame(const std::string& path, const FrameOptions& options = {});

// The same of a text; `name` is what messages call it.
Frame parse_frame(std::string_view text, const std::string& name, const FrameOptions& options = {});

}  // namespace probmix
