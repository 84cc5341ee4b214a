#include "probmix/data/csv.hpp"

#include <algorithm>
#include <array>

#include "support/temporary.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Row = std::vector<std::string>;
using std::string_literals::operator""s;

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
    const CsvTable table = parse_csv(good.text, "t.csv");
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

constexpr CsvLimits kSmall{.file_bytes = 1000, .columns = 4, .fields = 8, .field_bytes = 10};

TEST(Csv, HostileTextIsALocatedErrorOfOneLine) {
  const std::vector<Bad> cases{
      {"", "the file is empty; its first line must name the columns"},
      {"\xEF\xBB\xBF", "the file is empty"},
      {" \n\r\n\t", "the file is empty"},
      {"a,b\n", "there are no rows"},
      {"a,b", "there are no rows"},
      {"a,b\n\n \n", "there are no rows"},
      {"a,b\n1,2\n\n3\n", "line 4: 1 fields where the header names 2 columns"},
      {"a,b\n1,2,\n", "line 2: 3 fields where the header names 2 columns"},
      {"a,b\n\"\n\",2\n1\n", "line 4: 1 fields"},
      {"a,a\n1,2\n", "line 1: two columns have the name 'a'; rename one"},
      {"a, a \n1,2\n", "line 1: two columns have the name 'a'"},
      {"\na,\n1,2\n", "line 2: column 2 has no name"},
      {",a\n1,2\n", "line 1: column 1 has no name"},
      {"a,\"\"\n1,2\n", "line 1: column 2 has no name"},
      {"\"a\nb\",\"a\nb\"\n1,2\n", "line 1: two columns have the name 'a\\nb'"},
      {"a,b\n1,2\n3,\0\n"s, "line 3: a NUL byte, so this is no plain text; save the table as CSV"},
      {"\xFF\xFE"
       "a\0,\0b\0"s,
       "line 1: a NUL byte"},
      {"\0"s, "line 1: a NUL byte"},
      {"a,b\n1,\"2\n3,4\n", "line 2: a quote is opened but never closed"},
      {"a,b\n1,\"", "line 2: a quote is opened but never closed"},
      {"a,b\n1,\"2\"\"", "line 2: a quote is opened but never closed"},
      {"a,\"b\n", "line 1: a quote is opened but never closed"},
      {"a,b\n1,\"\n\n\n12345678\"\n", "line 2: a field in quotes has more than 10 bytes"},
      {"a,b\n1,\"12345678901", "line 2: a field in quotes has more than 10 bytes"},
      {"a,b\n1,\"12345\"\"67890\"\n", "line 2: a field in quotes has more than 10 bytes"},
      {"a,b\n1,12345678901\n", "line 2: a field has more than 10 bytes"},
      {"a,b\n1,12345678901", "line 2: a field has more than 10 bytes"},
      {"a,b\n1,\"2\"3\n", "line 2: field 2 goes on after its closing quote"},
      {"a,b\n\"1\" ,2\n", "line 2: field 1 goes on after its closing quote"},
      {"a,b\n\"1\"\r,2\n", "line 2: field 1 goes on after its closing quote"},
      {"a,b\n1,2\"3\"\n", "line 2: a quote inside of the field that begins '2'"},
      {"a,b\n \"1\",2\n", "line 2: a quote inside of the field that begins ' '"},
      {"a,b\r1,2\r", "line 1: a carriage return inside of a field"},
      {"a,b\n1\r\r\n", "line 2: a carriage return inside of a field"},
      {"a,b\n1,2\r", "line 2: a carriage return inside of a field"},
      {"a,b,c,d,e\n", "line 1: more than 4 columns"},
      {"a\n1,2,3,4,5\n", "line 2: more than 4 columns"},
      {"a,b,c\n1,2,3\n1,2,3\n1,2,3\n", "line 4: more than 8 fields in the table"},
  };
  for (const Bad& bad : cases) {
    SCOPED_TRACE(bad.text);
    const std::string message = message_of<Error>([&] { parse_csv(bad.text, "t.csv", kSmall); });
    EXPECT_TRUE(message.starts_with("t.csv: " + bad.message)) << message;
    EXPECT_EQ(message.find_first_of("\n\r\0"s), message.npos) << message;
  }
}

TEST(Csv, LimitsAreInclusive) {
  const CsvTable table =
      parse_csv("a,b,c,d\n1234567890,\"1234567890\",\"\"\"\",\n1,2,3,4\n", "t.csv", kSmall);
  EXPECT_EQ(table.rows[0], (Row{"1234567890", "1234567890", "\"", ""}));
}

TEST(Csv, NumbersAreFiniteOrALocatedError) {
  const auto table = [](const std::string& value) {
    return parse_csv("a,b c\n0,0\n\n1,\"" + value + "\"\n", "t.csv");
  };
  const std::vector<std::pair<std::string, double>> good{
      {"1", 1},   {"-2.5", -2.5}, {"+3", 3},      {" 4\t", 4},        {".5", 0.5},
      {"5.", 5},  {"1e3", 1000},  {"1E-2", 0.01}, {"1e308", 1e308},   {"-0", 0},
      {"007", 7}, {"+.5e1", 5},   {"0.1", 0.1},   {"4e-320", 4e-320}, {"52.292500", 52.2925},
  };
  for (const auto& [text, value] : good) EXPECT_EQ(table(text).number(1, 1), value) << text;

  constexpr std::string_view no_number = "is not a number; write numbers as 1234.5";
  constexpr std::string_view size = "is too large or too small a number";
  constexpr std::string_view finite = "is not a finite number";
  constexpr std::string_view missing = "is no number, the value is missing";
  const std::vector<std::pair<std::string, std::string_view>> bad{
      {"", missing},         {"  ", missing},   {"abc", no_number},  {"1,5", no_number},
      {"1 2", no_number},    {"1e", no_number}, {"--1", no_number},  {"+-1", no_number},
      {"++1", no_number},    {"+", no_number},  {"0x10", no_number}, {"1.2.3", no_number},
      {"$5", no_number},     {"5%", no_number}, {"\n1", no_number},  {"1e999x", no_number},
      {"1e999", size},       {"-1e999", size},  {"1e-999", size},    {std::string(500, '9'), size},
      {"nan", finite},       {"NaN", finite},   {"+nan", finite},    {"inf", finite},
      {"-Infinity", finite}, {"NA", no_number}, {"null", no_number}, {"١", no_number},
  };
  for (const auto& [text, reason] : bad) {
    const std::string message = message_of<Error>([&] { table(text).number(1, 1); });
    EXPECT_TRUE(message.starts_with("t.csv: line 4, column 'b c': '")) << message;
    EXPECT_NE(message.find("' " + std::string(reason)), message.npos) << message;
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    EXPECT_LT(message.size(), 250u);
  }
  EXPECT_EQ(message_of<Error>([&] { table("x\n").number(1, 1); }),
            "t.csv: line 4, column 'b c': 'x\\n' is not a number; write numbers as 1234.5 or "
            "1.2345e3");
}

TEST(Csv, ColumnsByName) {
  const CsvTable table = parse_csv("Date,Close\n1,2\n", "t.csv");
  EXPECT_EQ(table.column("Date"), 0);
  EXPECT_EQ(table.column("Close"), 1);
  EXPECT_EQ(message_of<Error>([&] { table.column("close"); }),
            "t.csv: there is no column 'close'; columns: 'Date', 'Close'");
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
        const CsvTable table = parse_csv(text, "t.csv");
        ++tables;
        for (const Row& row : table.rows) ASSERT_EQ(row.size(), table.header.size()) << text;
        ASSERT_TRUE(std::ranges::is_sorted(table.line)) << text;
        ASSERT_LE(table.line.back(), 1 + std::ranges::count(text, '\n')) << text;
      } catch (const Error&) {
      }
    }
  }
  EXPECT_GT(tables, 500);
}

using CsvFile = InTemporaryDirectory;

TEST_F(CsvFile, IsReadOrNamed) {
  const auto path = write("t\n.csv", "a,b\n1,2\n");
  EXPECT_EQ(read_csv(path).number(0, 1), 2);
  EXPECT_EQ(read_csv(path).file, directory.string() + "/t\\n.csv");
  const auto message = [](const auto& file) {
    return message_of<Error>([&] { read_csv(file, kSmall); });
  };
  EXPECT_NE(message(directory).find("Is a directory"), std::string::npos);
  EXPECT_NE(message(directory / "none.csv").find("none.csv': No such file"), std::string::npos);
  EXPECT_NE(
      message(write("u.csv", std::string(1001, '\n'))).find("u.csv' has more than 1000 bytes"),
      std::string::npos);
}

}  // namespace
}  // namespace probmix::test
