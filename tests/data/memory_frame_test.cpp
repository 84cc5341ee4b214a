// Tables from a program's memory.
#include "probmix/data/memory_frame.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Numbers, AreReadWhereTheyLie) {
  const float table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
  const Numbers down = Numbers::in_memory<float>(&table[0][1], 3, sizeof(table[0]), nullptr);
  EXPECT_EQ(down.copy(), (std::vector<double>{2, 4, 6}));
  const Numbers up =
      Numbers::in_memory<float>(&table[2][0], 3, -static_cast<Index>(sizeof(table[0])), nullptr);
  EXPECT_EQ(up.copy(), (std::vector<double>{5, 3, 1}));
  // A field of a record that is not aligned.
  struct [[gnu::packed]] Record {
    char letter;
    std::int32_t number;
  };
  const Record records[2] = {{'a', 7}, {'b', -8}};
  const Numbers fields = Numbers::in_memory<std::int32_t>(
      reinterpret_cast<const char*>(records) + 1, 2, sizeof(Record), nullptr);
  EXPECT_EQ(fields.copy(), (std::vector<double>{7, -8}));
}

TEST(Numbers, KeepTheirOwner) {
  auto owner = std::make_shared<std::vector<double>>(std::vector<double>{1, 2});
  const std::weak_ptr<std::vector<double>> alive = owner;
  {
    const Numbers numbers = Numbers::in_memory<double>(owner->data(), 2, sizeof(double), owner);
    owner.reset();
    EXPECT_EQ(numbers[1], 2);
  }
  EXPECT_TRUE(alive.expired());
}

TEST(MemoryFrame, SortsLevelsAndDropsThoseThatDoNotOccur) {
  const FrameColumn column = category_column("c", {2, 0, -1, 1, 2}, {"b", "", "a", "unused"});
  EXPECT_EQ(column.levels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(column.codes, (std::vector<std::int32_t>{0, 1, -1, -1, 0}));
  EXPECT_EQ(column.missing, 2);
  const FrameColumn joined = category_column("c", {0, 1}, {"a", "a"});
  EXPECT_EQ(joined.codes, (std::vector<std::int32_t>{0, 0}));
  EXPECT_EQ(message_of<Error>([] { category_column("c", {0, 4}, {"a"}); }),
            "column 'c', row 1: 4 is not the position of one of 1 levels");
}

TEST(MemoryFrame, TakesTextForDatesIfAllOfItIs) {
  const FrameColumn dates = text_column("d", {1, 0, -1}, {"1970-01-02", "1970-01-01 00:00:01"});
  EXPECT_EQ(dates.kind, ColumnKind::date);
  EXPECT_EQ(dates.values[0], 1);
  EXPECT_EQ(dates.values[1], 86'400);
  EXPECT_EQ(dates.missing, 1);
  EXPECT_EQ(text_column("d", {0, 1}, {"1970-01-02", "never"}).kind, ColumnKind::category);
  EXPECT_EQ(category_column("d", {0}, {"1970-01-02"}).kind, ColumnKind::category);
  EXPECT_EQ(text_column("n", {0, 1}, {"7", "8"}).kind, ColumnKind::category);
}

TEST(MemoryFrame, CountsItsRowsFromZero) {
  const Frame frame = memory_frame({number_column("a", {{1, nan, 3}})}, "X");
  EXPECT_EQ(frame.rows(), 3);
  EXPECT_EQ(frame.columns[0].missing, 1);
  EXPECT_EQ(frame.where(1, frame.columns[0]), "X: row 1, column 'a'");
}

TEST(MemoryFrame, RefusesWhatDoesNotFit) {
  const auto message = [](std::vector<FrameColumn> columns) {
    return message_of<Error>([&] { memory_frame(std::move(columns), "X"); });
  };
  EXPECT_EQ(message({}), "X needs a column and a row");
  EXPECT_EQ(message({number_column("a", {})}), "X needs a column and a row");
  EXPECT_EQ(message({number_column("a", {{1}}), category_column("b", {0, 0}, {"u"})}),
            "column 'b' has 2 rows, but 'a' has 1");
  EXPECT_EQ(message({number_column("a", {{1}}), number_column("a", {{2}})}),
            "two columns are named 'a'");
  EXPECT_EQ(message_of<Error>([] { number_column("a", {{1, -HUGE_VAL}}); }),
            "column 'a' has an infinite value in row 1");
}

TEST(MemoryFrame, StacksTables) {
  const Frame top = memory_frame(
      {number_column("a", {{1, 2}}), category_column("c", {0, 1}, {"v", "u"})}, "top");
  const Frame bottom =
      memory_frame({category_column("c", {0}, {"w"}), number_column("a", {{3}})}, "bottom");
  const Frame both = stacked(top, bottom);
  EXPECT_EQ(both.rows(), 3);
  EXPECT_EQ(both.columns[0].values.copy(), (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(both.columns[1].levels, (std::vector<std::string>{"u", "v", "w"}));
  EXPECT_EQ(both.columns[1].codes, (std::vector<std::int32_t>{1, 0, 2}));
  EXPECT_EQ(message_of<Error>([&] {
              stacked(top, memory_frame({number_column("a", {{1}}), number_column("c", {{1}})}, "X"));
            }),
            "column 'c' is a category column in top, but a number column in X");
}

}  // namespace
}  // namespace probmix::test
