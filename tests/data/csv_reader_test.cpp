#include "probmix/data/csv_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "probmix/base/error.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Row = std::vector<std::string>;

// A text delivered in pieces of a few bytes.
class Trickle final : public ByteSource {
 public:
  Trickle(std::string text, std::size_t piece)
      : ByteSource("t.csv"), text_(std::move(text)), piece_(piece) {}

  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min({out.size(), piece_, text_.size() - at_});
    std::copy_n(text_.data() + at_, count, out.data());
    at_ += count;
    return count;
  }

 private:
  std::string text_;
  std::size_t piece_, at_ = 0;
};

CsvReader reader_of(const std::string& text, const CsvFormat& format = {}) {
  return CsvReader(std::make_unique<Trickle>(text, 3), format);
}

struct Content {
  Row columns;
  std::vector<Row> rows;
  std::vector<Index> lines;
  bool operator==(const Content&) const = default;
};

Content content_of(CsvReader&& reader) {
  Content content{.columns = reader.columns(), .rows = {}, .lines = {}};
  while (reader.next()) {
    content.rows.emplace_back(reader.fields().begin(), reader.fields().end());
    content.lines.push_back(reader.line());
  }
  return content;
}

TEST(CsvReader, FindsTheSeparator) {
  const std::vector<std::pair<std::string, char>> cases = {
      {"a,b\n1,2\n", ','},
      {"a;b\n1;2\n", ';'},
      {"a\tb\n1\t2\n", '\t'},
      {"a|b\n1|2\n", '|'},
      {"a;b\n1,5;2,5\n", ';'},  // a decimal comma
      {"a;b\n\"x,y,z\";2\n", ';'},
      {"name,note\nx,\"a;b;c\"\ny,d\n", ','},
      {"a\n1\n", ','},                      // one column
      {"a;b;c\n1;2;3\n1;2\n4;5;6\n", ';'},  // a bad row does not hide it
      {"a,b;c,d\n1,2;3,4\n", ','},          // both fit: the one with more columns
  };
  for (const auto& [text, separator] : cases) {
    EXPECT_EQ(reader_of(text).separator(), separator) << text;
  }
  EXPECT_EQ(reader_of("a;b\n1;2\n", {.separator = ','}).columns(), (Row{"a;b"}));
}

TEST(CsvReader, FindsTheHeader) {
  EXPECT_EQ(content_of(reader_of("1,2\n3,4\n")),
            (Content{{"c1", "c2"}, {{"1", "2"}, {"3", "4"}}, {1, 2}}));
  EXPECT_EQ(content_of(reader_of("2019-01-01,NA\n2019-01-02,4\n")).columns, (Row{"c1", "c2"}));
  EXPECT_EQ(content_of(reader_of("x,2\n3,4\n")).columns, (Row{"x", "2"}));
  EXPECT_EQ(content_of(reader_of("x,y\na,b\n")).columns, (Row{"x", "y"}));
  // Text among numbers, above and below: data.
  EXPECT_EQ(content_of(reader_of("5.1,3.5,setosa\n4.9,3.0,setosa\n")).columns,
            (Row{"c1", "c2", "c3"}));
  // An index without a name, as pandas writes it.
  EXPECT_EQ(content_of(reader_of(",a,b\n0,1,2\n")).columns, (Row{"c1", "a", "b"}));
  EXPECT_EQ(content_of(reader_of("1,2\n3,4\n", {.header = true})),
            (Content{{"1", "2"}, {{"3", "4"}}, {2}}));
  EXPECT_EQ(content_of(reader_of("x,y\n3,4\n", {.header = false})),
            (Content{{"c1", "c2"}, {{"x", "y"}, {"3", "4"}}, {1, 2}}));
  EXPECT_EQ(message_of<Error>([] { content_of(reader_of("1,2\n3\n")); }),
            "t.csv: line 2: expected 2 fields, as in the first row, but found 1; every row needs "
            "one field per column");
}

TEST(CsvReader, ReadsDecimalCommas) {
  const CsvFormat format{.decimal_comma = true};
  const auto rows = [](const std::string& text, const CsvFormat& as) {
    return content_of(reader_of(text, as)).rows;
  };
  EXPECT_EQ(rows("a;b\n1,5;x,y\n-2,25e1;1,2,3\n", format),
            (std::vector<Row>{{"1.5", "x,y"}, {"-2.25e1", "1,2,3"}}));
  EXPECT_EQ(rows("a,b\n\"1,5\",2\n", format), (std::vector<Row>{{"1.5", "2"}}));
  EXPECT_EQ(rows("a;b\n1,5;2\n", {}), (std::vector<Row>{{"1,5", "2"}}));
  // Commas do not separate.
  EXPECT_EQ(rows("1,5;2,5\n3,5;4\n", format), (std::vector<Row>{{"1.5", "2.5"}, {"3.5", "4"}}));
  EXPECT_EQ(rows("x\n1,5\n2,5\n", format), (std::vector<Row>{{"1.5"}, {"2.5"}}));
  const Content content = content_of(reader_of("town;2,5\n1,5;3\n", format));
  EXPECT_EQ(content.columns, (Row{"town", "2,5"}));
  EXPECT_EQ(message_of<Error>([&] { rows("a;b\n1;2;3\n", format); }),
            "t.csv: line 2: expected 2 fields, as in the header, but found 3; every row needs one "
            "field per column");
  EXPECT_EQ(message_of<Error>([&] { rows("a;b\n1,5;2.5\n", format); }),
            "t.csv: line 2, column 'b': '2.5' has a point, but numbers in this table have decimal "
            "commas; write it without thousands separators, or with a comma");
}

TEST(CsvReader, ATabIsNoBlankWhereItSeparates) {
  EXPECT_EQ(content_of(reader_of("a\tb\n1\t2\n\t\n3\t4\n")).rows,
            (std::vector<Row>{{"1", "2"}, {"", ""}, {"3", "4"}}));
}

// Cut anywhere: a record is found if and only if it is complete.
TEST(CsvScanner, ARecordEndsWhereItEnds) {
  const CsvScanner scanner(',', 100, 1000);
  for (const std::string text :
       {"a,\"b\"\"\"\r\nx", "a,b\r\nx", "\"a\n\",\r\nx", "\"\",\"\"\nx", ",\nx", "\r\nx"}) {
    CsvRecord whole, part;
    ASSERT_TRUE(scanner.scan(text, true, whole)) << text;
    EXPECT_EQ(whole.size, text.size() - 1);
    for (std::size_t n = 0; n <= text.size(); ++n) {
      const bool found = scanner.scan(std::string_view(text).substr(0, n), false, part);
      EXPECT_EQ(found, n >= whole.size) << text << n;
      if (!found) continue;
      EXPECT_EQ(part.size, whole.size);
      EXPECT_EQ(part.lines, whole.lines);
      ASSERT_EQ(part.fields.size(), whole.fields.size());
      for (std::size_t k = 0; k < whole.fields.size(); ++k) {
        EXPECT_EQ(part.fields[k].data(), whole.fields[k].data());
        EXPECT_EQ(part.fields[k].size(), whole.fields[k].size());
      }
    }
  }
}

TEST(CsvScanner, BlankLinesAreWholeLines) {
  const CsvScanner scanner(',', 100, 1000);
  const auto blank = [&](const char* text, bool is_all) {
    const CsvScanner::Blank found = scanner.blank_lines(text, is_all);
    return std::pair(found.size, found.lines);
  };
  using Found = std::pair<std::size_t, Index>;
  EXPECT_EQ(blank(" \n\t\r\n a", false), (Found{5, 2}));
  EXPECT_EQ(blank(" \n  ", false), (Found{2, 1}));  // the next piece may continue these
  EXPECT_EQ(blank(" \n  ", true), (Found{4, 1}));
  EXPECT_EQ(blank("\r", false), (Found{0, 0}));
  EXPECT_EQ(blank("a", true), (Found{0, 0}));
}

// For pieces of any size.
TEST(CsvReader, PiecesDoNotMatter) {
  const std::string text =
      "\xEF\xBB\xBF a ,\"b\"\"\"\r\n\n1,\"x\ny\"\r\n  \n\"\"\"\",2\n \n3,\"\"\"a\"\"b\"\"\"";
  const Content expected{{"a", "b\""}, {{"1", "x\ny"}, {"\"", "2"}, {"3", "\"a\"b\""}}, {3, 6, 8}};
  for (std::size_t piece = 1; piece <= text.size(); ++piece) {
    EXPECT_EQ(content_of(CsvReader(std::make_unique<Trickle>(text, piece))), expected) << piece;
  }
}

TEST(CsvReader, ManyAndLongRecordsGoThroughASmallBuffer) {
  std::string text = "a,b\n";
  for (int k = 0; k < 20'000; ++k) {
    text += std::to_string(k) + ",\"" + std::string(static_cast<std::size_t>(k % 97), 'x') +
            (k % 50 == 0 ? "\n" : "") + "\"\n";
  }
  text += "1," + std::string(60'000, 'y') + "\n";
  CsvReader reader(std::make_unique<Trickle>(text, 5'000));
  Index rows = 0, line = 2;
  for (; rows < 20'000; ++rows) {
    ASSERT_TRUE(reader.next());
    ASSERT_EQ(reader.line(), line);
    line += rows % 50 == 0 ? 2 : 1;
    ASSERT_EQ(reader.fields()[0], std::to_string(rows));
    ASSERT_EQ(std::ranges::count(reader.fields()[1], 'x'), rows % 97);
  }
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.fields()[1].size(), 60'000U);
  EXPECT_FALSE(reader.next());
  EXPECT_FALSE(reader.next());
}

TEST(CsvReader, NamesThePlace) {
  CsvReader reader = reader_of("a,b c\n\n1,2\n");
  reader.next();
  EXPECT_EQ(reader.where(1), "t.csv: line 3, column 'b c'");
}

}  // namespace
}  // namespace probmix::test
