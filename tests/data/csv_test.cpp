// Whole files through CsvReader: what is accepted, and the messages for the rest.
#include <algorithm>
#include <array>

#include "probmix/data/csv_reader.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Row = std::vector<std::string>;
using std::string_literals::operator""s;

struct CsvTable {
  std::string file;
  Row header;
  std::vector<Index> line;
  std::vector<Row> rows;
};

CsvTable parse_csv(const std::string& text, CsvFormat format = {}) {
  if (!format.separator) format.separator = ',';
  if (!format.header) format.header = true;
  CsvReader reader(text_source(text, "t.csv"), format);
  CsvTable table{reader.file(), reader.columns(), {}, {}};
  while (reader.next()) {
    table.line.push_back(reader.line());
    table.rows.emplace_back(reader.fields().begin(), reader.fields().end());
  }
  return table;
}

struct Good {
  std::string text;
  Row header;
  std::vector<Row> rows;
  std::vector<Index> line;
};

TEST(Csv, ReadsWhatRfc4180Allows) {
  const std::vector<Good> cases{
      {"a,b\n1,2\n", {"a", "b"}, {{"1", "2"}}, {2}},
      {"a,b\n1,2", {"a", "b"}, {{"1", "2"}}, {2}},
      {"a,b\r\n1,2\r\n3,4\r\n", {"a", "b"}, {{"1", "2"}, {"3", "4"}}, {2, 3}},
      {"\xEF\xBB\xBF"
       "a,b\n1,2\n",
       {"a", "b"},
       {{"1", "2"}},
       {2}},
      {"\xEF\xBB\xBF\"a\",b\n1,2\n", {"a", "b"}, {{"1", "2"}}, {2}},
      {"\n \t\r\na,b\n\n1,2\n  \n\r\n3,4\n\n  ", {"a", "b"}, {{"1", "2"}, {"3", "4"}}, {5, 8}},
      {" a ,\tb b\n 1 ,2\n", {"a", "b b"}, {{" 1 ", "2"}}, {2}},
      {"  a,b\n  1,2\n", {"a", "b"}, {{"  1", "2"}}, {2}},
      {"a,b\n\"x,\"\"y\"\"\",\"\"\n", {"a", "b"}, {{"x,\"y\"", ""}}, {2}},
      {"a,b\n\"1\n\r\n2\",3\n4,5\n", {"a", "b"}, {{"1\n\r\n2", "3"}, {"4", "5"}}, {2, 5}},
      {"a,b\n,\n", {"a", "b"}, {{"", ""}}, {2}},
      {"a,b\n1,\"2\"", {"a", "b"}, {{"1", "2"}}, {2}},
      {"a,b\n1,\"2\"\r\n", {"a", "b"}, {{"1", "2"}}, {2}},
      {"a\n\"\"\n", {"a"}, {{""}}, {2}},
      {"a\n1\n\n2\n", {"a"}, {{"1"}, {"2"}}, {2, 4}},
      {"é,\"b\nc\"\n1,2\n", {"é", "b\nc"}, {{"1", "2"}}, {3}},
  };
  for (const Good& good : cases) {
    SCOPED_TRACE(good.text);
    const CsvTable table = parse_csv(good.text);
    EXPECT_EQ(table.file, "t.csv");
    EXPECT_EQ(table.header, good.header);
    EXPECT_EQ(table.rows, good.rows);
    EXPECT_EQ(table.line, good.line);
  }
}

struct Bad {
  std::string text;
  std::string message;  // its beginning, after the file
};

const CsvFormat small{.most_columns = 4, .field_bytes = 10};

TEST(Csv, HostileTextIsALocatedErrorOfOneLine) {
  const std::vector<Bad> cases{
      {"", "the file is empty; its first line must name the columns"},
      {"\xEF\xBB\xBF", "the file is empty"},
      {" \n\r\n\t", "the file is empty"},
      {"a,b\n1,2\n\n3\n", "line 4: expected 2 fields, as in the header, but found 1"},
      {"a,b\n1,2,\n", "line 2: expected 2 fields, as in the header, but found 3"},
      {"a,b\n\"\n\",2\n1\n", "line 4: expected 2 fields"},
      {"a,a\n1,2\n", "line 1: two columns are named 'a'; rename one"},
      {"a, a \n1,2\n", "line 1: two columns are named 'a'"},
      {"\na,\n1,2\n", "line 2: column 2 has no name"},
      {",a\n1,2\n", "line 1: column 1 has no name"},
      {"a,\"\"\n1,2\n", "line 1: column 2 has no name"},
      {"\"a\nb\",\"a\nb\"\n1,2\n", "line 1: two columns are named 'a\\nb'"},
      {"a,b\n1,2\n3,\0\n"s, "line 3: a NUL byte, so this is not plain text; save the table as CSV"},
      {"\xFF\xFE"
       "a\0,\0b\0"s,
       "line 1: a NUL byte"},
      {"\0"s, "line 1: a NUL byte"},
      {"a,b\n1,\"2\n3,4\n", "line 2: a quote is opened but never closed"},
      {"a,b\n1,\"", "line 2: a quote is opened but never closed"},
      {"a,b\n1,\"2\"\"", "line 2: a quote is opened but never closed"},
      {"a,\"b\n", "line 1: a quote is opened but never closed"},
      {"a,b\n1,\"\n\n\n12345678\"\n", "line 2: a quoted field exceeds the limit of 10 bytes"},
      {"a,b\n1,\"12345678901", "line 2: a quoted field exceeds the limit of 10 bytes"},
      {"a,b\n1,\"12345\"\"67890\"\n", "line 2: a quoted field exceeds the limit of 10 bytes"},
      {"a,b\n1,12345678901\n", "line 2: a field exceeds the limit of 10 bytes"},
      {"a,b\n1,12345678901", "line 2: a field exceeds the limit of 10 bytes"},
      {"a,b\n1,\"2\"3\n", "line 2: field 2 continues after its closing quote"},
      {"a,b\n\"1\" ,2\n", "line 2: field 1 continues after its closing quote"},
      {"a,b\n\"1\"\r,2\n", "line 2: field 1 continues after its closing quote"},
      {"a,b\n1,2\"3\"\n", "line 2: a quote inside the unquoted field that begins '2'"},
      {"a,b\n \"1\",2\n", "line 2: a quote inside the unquoted field that begins ' '"},
      {"a,b\r1,2\r", "line 1: a carriage return inside a field"},
      {"a,b\n1\r\r\n", "line 2: a carriage return inside a field"},
      {"a,b\n1,2\r", "line 2: a carriage return inside a field"},
      {"a,b,c,d,e\n", "line 1: more than 4 columns"},
      {"a\n1,2,3,4,5\n", "line 2: more than 4 columns"},
  };
  for (const Bad& bad : cases) {
    SCOPED_TRACE(bad.text);
    const std::string message = message_of<Error>([&] { parse_csv(bad.text, small); });
    EXPECT_TRUE(message.starts_with("t.csv: " + bad.message)) << message;
    EXPECT_EQ(message.find_first_of("\n\r\0"s), message.npos) << message;
  }
}

TEST(Csv, LimitsAreInclusive) {
  const CsvTable table =
      parse_csv("a,b,c,d\n1234567890,\"1234567890\",\"\"\"\",\n1,2,3,4\n", small);
  EXPECT_EQ(table.rows[0], (Row{"1234567890", "1234567890", "\"", ""}));
}

TEST(Csv, ASpaceSeparatesByAnyBlanks) {
  const CsvFormat blanks{.separator = ' ', .header = false};
  const std::vector<Good> cases{
      {"1 2\n3 4\n", {"c1", "c2"}, {{"1", "2"}, {"3", "4"}}, {1, 2}},
      {"  1 \t 2\t\n\n \t\n3\t4  ", {"c1", "c2"}, {{"1", "2"}, {"3", "4"}}, {1, 4}},
      {"1 2 \r\n3 4\r\n", {"c1", "c2"}, {{"1", "2"}, {"3", "4"}}, {1, 2}},
      {"\xEF\xBB\xBF 7", {"c1"}, {{"7"}}, {1}},
      {"\"a b\" c\n", {"c1", "c2"}, {{"a b", "c"}}, {1}},
  };
  for (const Good& good : cases) {
    SCOPED_TRACE(good.text);
    const CsvTable table = parse_csv(good.text, blanks);
    EXPECT_EQ(table.header, good.header);
    EXPECT_EQ(table.rows, good.rows);
    EXPECT_EQ(table.line, good.line);
  }
  EXPECT_EQ(message_of<Error>([&] { parse_csv("1 2\n3\n", blanks); }),
            "t.csv: line 2: expected 2 fields, as in the first row, but found 1; every row needs "
            "one field per column");
}

// Every text of up to six of these characters is a table or an Error, and a table is rectangular.
TEST(Csv, AnyTextIsATableOrAnError) {
  constexpr std::array<char, 6> alphabet{'a', ',', '"', '\n', '\r', ' '};
  int tables = 0;
  for (int length = 0; length <= 6; ++length) {
    std::string text(static_cast<std::size_t>(length), ' ');
    int count = 1;
    for (int i = 0; i < length; ++i) count *= 6;
    for (int number = 0; number < count; ++number) {
      int rest = number;
      for (char& c : text) {
        c = alphabet[static_cast<std::size_t>(rest % 6)];
        rest /= 6;
      }
      try {
        const CsvTable table = parse_csv(text);
        ++tables;
        for (const Row& row : table.rows) ASSERT_EQ(row.size(), table.header.size()) << text;
        ASSERT_TRUE(std::ranges::is_sorted(table.line)) << text;
        if (table.line.empty()) continue;
        ASSERT_LE(table.line.back(), 1 + std::ranges::count(text, '\n')) << text;
      } catch (const Error&) {
      }
    }
  }
  EXPECT_GT(tables, 500);
}

}  // namespace
}  // namespace probmix::test
