// A table as a value, shown alike on the terminal (text_table) and on a page.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace probmix::report {

enum class Align { left, right };

struct Column {
  std::string header;
  Align align = Align::left;
};

struct Cell {
  // Implicit, so that rows are plain lists.
  Cell(std::string content) : text(std::move(content)) {}
  Cell(const char* content) : text(content) {}

  std::string text;
  bool best = false;
};

struct Table {
  struct Row {
    std::vector<Cell> cells;
    bool rule_above = false;
  };

  // Throws unless there is one cell per column.
  void add(std::vector<Cell> cells);
  // Draws a rule between the last row and the next one.
  void add_rule() { rule_pending_ = true; }

  // Marks the smallest finite value of a column; one value per row, NaN for rows that do not
  // compete.
  void mark_best(std::size_t column, std::span<const double> values);

  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;

 private:
  bool rule_pending_ = false;
};

// A table to be exported; its name is that of a file: "uci-test-nll".
struct NamedTable {
  std::string name;
  Table table;
};

// Where the remark in a cell starts, which may be put on a second line: at the "[" in "2.4 ± 0.1
// [3.4]", at the "(" in "−0.3 (p 0.2)"; npos if there is none.
std::size_t remark_in(std::string_view text);

// Splits the columns of a table into parts of at most `width` characters (with remarks on a second
// line), as equal as possible; each repeats the columns on the left that say what a row is.
std::vector<std::vector<std::size_t>> columns_in_parts(const Table& table, int width);

// Aligned lines for a terminal; the best values are marked by '*'.
std::string text_table(const Table& table);

}  // namespace probmix::report
