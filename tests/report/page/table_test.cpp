#include "probmix/report/page/table.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "probmix/base/error.hpp"

namespace probmix::report {
namespace {

Table example() {
  Table table;
  table.columns = {{"method", Align::left}, {"λ law", Align::left}, {"NLL", Align::right}};
  table.add({"erm", "–", "173.1 ± 27.3"});
  table.add_rule();
  table.add({"probmix", "½", "−0.66 ± 0.1"});
  return table;
}

TEST(TextTable, AlignsUtf8) {
  EXPECT_EQ(text_table(example()),
            "method   λ law           NLL\n"
            "───────  ─────  ────────────\n"
            "erm      –      173.1 ± 27.3\n"
            "───────  ─────  ────────────\n"
            "probmix  ½       −0.66 ± 0.1\n");
}

TEST(TextTable, MarksTheBest) {
  Table table = example();
  table.caption = "Toy";
  table.mark_best(2, std::vector{173.1, -0.66});
  EXPECT_EQ(text_table(table),
            "Toy\n"
            "\n"
            "method   λ law           NLL\n"
            "───────  ─────  ─────────────\n"
            "erm      –      173.1 ± 27.3\n"
            "───────  ─────  ─────────────\n"
            "probmix  ½       −0.66 ± 0.1*\n");
}

TEST(TextTable, NoRowsAndControlCharacters) {
  Table table;
  table.columns = {{"a"}, {"b"}};
  EXPECT_EQ(text_table(table), "a  b\n─  ─\n");
  table.add({"x\ny\x1b[1m", std::string()});
  EXPECT_EQ(text_table(table), "a        b\n───────  ─\nx y [1m\n");
}

TEST(MarkBest, SkipsNonFiniteAndKeepsTies) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  constexpr double inf = std::numeric_limits<double>::infinity();
  Table table;
  table.columns = {{"value"}};
  for (int i = 0; i < 5; ++i) table.add({"v"});
  const auto marked = [&] {
    std::string out;
    for (const auto& row : table.rows) out += row.cells[0].best ? '1' : '0';
    return out;
  };
  table.mark_best(0, std::vector{nan, 2.0, 1.0, -inf, 1.0});
  EXPECT_EQ(marked(), "00101");
  // Rows that are not compared keep their marks: a table may have several groups.
  table.mark_best(0, std::vector{3.0, 2.0, nan, nan, nan});
  EXPECT_EQ(marked(), "01101");
  for (auto& row : table.rows) row.cells[0].best = false;
  table.mark_best(0, std::vector{nan, nan, nan, inf, nan});
  EXPECT_EQ(marked(), "00000");
}

using Parts = std::vector<std::vector<std::size_t>>;

TEST(ColumnsInParts, FitTheWidth) {
  Table table;
  table.columns = {{"set"}, {"method"}};
  std::vector<Cell> row = {"12345", "12345"};  // 7 and 8 with the header and the space
  for (int k = 0; k < 5; ++k) {
    table.columns.push_back({"naval-plant", Align::right});  // 6 + 2, broken
    row.emplace_back("1234 [12345]");                        // 7 + 2, in two lines
  }
  table.add(row);
  EXPECT_EQ(columns_in_parts(table, 60), (Parts{{0, 1, 2, 3, 4, 5, 6}}));
  EXPECT_EQ(columns_in_parts(table, 59), (Parts{{0, 1, 2, 3, 4}, {0, 1, 5, 6}}));
  EXPECT_EQ(columns_in_parts(table, 41), (Parts{{0, 1, 2, 3}, {0, 1, 4, 5}, {0, 1, 6}}));
  // At least one column, even if it is too wide.
  EXPECT_EQ(columns_in_parts(table, 1).size(), 5U);
  table.columns.resize(2);
  table.rows.clear();
  EXPECT_EQ(columns_in_parts(table, 1), (Parts{{0, 1}}));
}

TEST(RemarkIn, IsInBracketsAfterASpace) {
  EXPECT_EQ(remark_in("2.4 ± 0.1 [3.4] ▾"), std::string("2.4 ± 0.1 ").size());
  EXPECT_EQ(remark_in("−0.3 (p 0.2)"), std::string("−0.3 ").size());
  EXPECT_EQ(remark_in("f(x)"), std::string::npos);
}

TEST(Table, WrongSizes) {
  Table table = example();
  EXPECT_THROW(table.add({"one"}), Error);
  EXPECT_THROW(table.mark_best(1, std::vector{1.0}), Error);
  EXPECT_THROW(table.mark_best(3, std::vector{1.0, 2.0}), Error);
}

}  // namespace
}  // namespace probmix::report
