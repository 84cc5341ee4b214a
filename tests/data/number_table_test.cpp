#include "probmix/data/number_table.hpp"

#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

using std::string_literals::operator""s;

TEST(NumberTable, ReadsWhatPublishedFilesLookLike) {
  for (const char* const text : {
           "1 2.5\n-3 4e2\n",
           "1 2.5\n-3 4e2",
           "  1   2.5\n -3  4e2\n",
           "1\t2.5\n-3\t4e2\n\n",
           "1 \t2.5 \t\n-3 \t4e2 \t\n\n",
           "1 2.5\r\n-3 4e2\r\n",
           "\xEF\xBB\xBF+1 2.5\n-3 400\n \t\n",
       }) {
    SCOPED_TRACE(text);
    const NumberTable table = parse_number_table(text, "t.txt");
    ASSERT_EQ(table.values.rows(), 2);
    ASSERT_EQ(table.values.cols(), 2);
    EXPECT_EQ(table.values(0, 0), 1);
    EXPECT_EQ(table.values(0, 1), 2.5);
    EXPECT_EQ(table.values(1, 0), -3);
    EXPECT_EQ(table.values(1, 1), 400);
    EXPECT_EQ(table.line, (std::vector<Index>{1, 2}));
  }
  EXPECT_EQ(parse_number_table("\n\n7\n\n8\n", "t.txt").line, (std::vector<Index>{3, 5}));
}

constexpr CsvLimits kSmall{.file_bytes = 12, .columns = 3, .fields = 5};

TEST(NumberTable, HostileTextIsALocatedErrorOfOneLine) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"", "the file is empty; it must hold rows of numbers"},
      {" \n\r\n\t", "the file is empty"},
      {"\xEF\xBB\xBF", "the file is empty"},
      {"1 2\n\n3\n", "line 3: 1 numbers where line 1 has 2; every row needs as many"},
      {"\n1 2\n3 4 5\n", "line 3: 3 numbers where line 2 has 2"},
      {"1 2\n3 x\n", "line 2, column 2: 'x' is not a number; write numbers as"},
      {"a b\n", "line 1, column 1: 'a' is not a number"},
      {"1,2\n", "line 1, column 1: '1,2' is not a number"},
      {"1 nan\n", "line 1, column 2: 'nan' is not a finite number"},
      {"1 -inf\n", "line 1, column 2: '-inf' is not a finite number"},
      {"1 1e999\n", "line 1, column 2: '1e999' is too large or too small a number"},
      {"1\r2\n", "line 1, column 1: '1\\r2' is not a number"},
      {"1\0\n"s, "line 1, column 1: '1\\x00' is not a number"},
      {"1 2 3 4\n", "line 1: more than 3 columns, the most that is read"},
      {"1 2\n3 4\n5 6\n", "line 3: more than 5 numbers, the most that is read"},
  };
  for (const auto& [text, expected] : cases) {
    SCOPED_TRACE(text);
    const std::string message =
        message_of<Error>([&] { parse_number_table(text, "t.txt", kSmall); });
    EXPECT_TRUE(message.starts_with("t.txt: " + expected)) << message;
    EXPECT_EQ(message.find_first_of("\n\r\0"s), message.npos) << message;
  }
}

class NumberTableFile : public InTemporaryDirectory {};

TEST_F(NumberTableFile, IsReadWithinItsLimit) {
  EXPECT_EQ(read_number_table(write("t.txt", "1 2 3\n"), kSmall).values(0, 2), 3);
  const auto large = write("large.txt", "1\n2\n3\n4\n1234567\n");
  EXPECT_NE(message_of<Error>([&] { read_number_table(large, kSmall); }).find("more than 12 bytes"),
            std::string::npos);
  EXPECT_THROW(read_number_table(directory / "none.txt"), Error);
}

}  // namespace
}  // namespace probmix::test
