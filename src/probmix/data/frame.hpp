// A table in memory with a type for each column: numbers, dates or categories.
//
// A column's type is inferred from the fields that are not missing (field.hpp): all numbers, else
// all dates (date.hpp), else categories. FrameOptions::categories overrides this.
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
#include "probmix/data/numbers.hpp"

namespace probmix {

enum class ColumnKind { number, date, category };
inline constexpr std::array<std::string_view, 3> column_kind_names = {"number", "date", "category"};

struct FrameColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  Numbers values = {};                   // numbers, or dates in seconds; NaN: missing
  std::vector<std::int32_t> codes = {};  // categories: positions in `levels`; −1: missing
  std::vector<std::string> levels = {};  // sorted
  Index missing = 0;                     // rows
  // For a column inferred as categories although at least half of its fields are numbers or dates:
  // the first field that is not, and where. Else empty.
  std::string first_text = {};
  // What may be wrong with inferred categories: all are numbers with commas, or dates not in ISO
  // 8601 form. Else empty.
  std::string doubt = {};

  bool is_missing(Index row) const {
    return kind == ColumnKind::category ? codes[to_size(row)] < 0
                                        : std::isnan(values[to_size(row)]);
  }
};

// The value in a row as text: the level, number or date; empty if missing.
std::string value_text(const FrameColumn& column, Index row);

struct Frame {
  std::string file;
  std::vector<FrameColumn> columns;
  std::vector<Index> line;         // of the file where each row begins, from 1
  Index unnumbered = 0;            // rows of a table in memory, which has no lines
  std::string_view unit = "line";  // what `line` numbers: "row" in a file that has no lines

  Index rows() const { return line.empty() ? unnumbered : std::ssize(line); }
  // Throws a UsageError that lists the existing names.
  const FrameColumn& column(std::string_view name) const;
  // "line 7", or "row 5": in a file counted from 1, in memory from 0.
  std::string place(Index row) const;
  // "houses.csv: line 7, column 'rooms'", for messages.
  std::string where(Index row, const FrameColumn& column) const;
};

struct FrameOptions {
  CsvFormat format = {};
  std::vector<std::string> categories = {};       // columns to read as categories even if numeric
  std::size_t most_bytes = std::size_t{8} << 30;  // limit of memory for the table
  std::function<void(Index)> progress = {};       // called now and then with the rows so far
};

// A table from a program's own numbers; NaN means missing. Throws an Error unless the columns are
// equally long and have distinct names.
Frame make_frame(std::vector<std::pair<std::string, std::vector<double>>> columns);

// Turns these columns into categories, with their numbers or dates as text. Throws a UsageError
// that lists the existing columns if one is not there.
void make_categories(Frame& frame, std::span<const std::string> names);

// Throws an Error that names the first field of these columns (empty: of all) that is not a finite
// number.
void check_all_numbers(const Frame& frame, std::span<const std::string> names = {});

// Sorts the rows by a column of numbers or dates, stably, with missing values last. With a column
// of groups, rows of a group come together.
Frame sorted_by(Frame frame, const std::string& name, const std::string& group = "");

// Has at least one row. "-" means standard input. Throws a one-line Error.
Frame read_frame(const std::string& path, const FrameOptions& options = {});

// The same from text; messages call it `name`.
Frame parse_frame(std::string_view text, const std::string& name, const FrameOptions& options = {});

}  // namespace probmix
