// A table as a value: the terminal (text_table) and the HTML report show the same one.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace probmix {

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

  // Marks the rows with the smallest finite value of a column; one value per row, NaN for rows that
  // do not take part.
  void mark_best(std::size_t column, std::span<const double> values);

  std::string caption;
  std::vector<Column> columns;
  std::vector<Row> rows;

 private:
  bool rule_pending_ = false;
};

// Aligned lines for a terminal, each ended by a newline; the best values carry a '*'.
std::string text_table(const Table& table);

}  // namespace probmix
