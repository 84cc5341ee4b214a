#include "probmix/data/frame.hpp"

#include <unistd.h>

#include <array>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

TEST(Field, MissingHasAFewWords) {
  for (const char* const text :
       {"", "  ", "NA", "na", " n/a ", "#N/A", "NaN", "nan", "NULL", "None", "?", "-"}) {
    EXPECT_TRUE(is_missing(text)) << text;
  }
  for (const char* const text : {"0", "no", "nano", "nil", "-1", "--", "N.A.", "missing"}) {
    EXPECT_FALSE(is_missing(text)) << text;
  }
}

TEST(Frame, ColumnsHaveTheKindOfTheirFields) {
  const Frame frame = parse_frame(
      "size,when,where,empty,mixed\n"
      "1.5,2020-01-02,b,,1\n"
      "NA,2020-01-03 12:00,a,NA,x\n"
      "-2e3,?,b, ,2\n",
      "t.csv");
  EXPECT_EQ(frame.rows(), 3);
  EXPECT_EQ(frame.line, (std::vector<Index>{2, 3, 4}));

  const FrameColumn& size = frame.column("size");
  EXPECT_EQ(size.kind, ColumnKind::number);
  EXPECT_EQ(size.missing, 1);
  EXPECT_EQ(size.values[0], 1.5);
  EXPECT_TRUE(std::isnan(size.values[1]));
  EXPECT_EQ(size.values[2], -2000);

  const FrameColumn& when = frame.column("when");
  EXPECT_EQ(when.kind, ColumnKind::date);
  EXPECT_EQ(when.values[1] - when.values[0], 1.5 * day_seconds);
  EXPECT_TRUE(std::isnan(when.values[2]));

  const FrameColumn& where = frame.column("where");
  EXPECT_EQ(where.kind, ColumnKind::category);
  EXPECT_EQ(where.levels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(where.codes, (std::vector<std::int32_t>{1, 0, 1}));

  EXPECT_EQ(frame.column("empty").kind, ColumnKind::number);
  EXPECT_EQ(frame.column("empty").missing, 3);

  // Numbers first: the earlier fields are then read again as text.
  const FrameColumn& mixed = frame.column("mixed");
  EXPECT_EQ(mixed.kind, ColumnKind::category);
  EXPECT_EQ(mixed.levels, (std::vector<std::string>{"1", "2", "x"}));
  EXPECT_EQ(mixed.codes, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_TRUE(mixed.values.empty());
  EXPECT_EQ(mixed.first_text, "t.csv: line 3, column 'mixed': 'x'");
  EXPECT_EQ(where.first_text, "");
}

TEST(Frame, DatesThatAreNotAllDatesAreCategories) {
  const Frame frame = parse_frame("d\n2020-01-01\nsoon\n", "t.csv");
  EXPECT_EQ(frame.columns[0].kind, ColumnKind::category);
  EXPECT_EQ(frame.columns[0].levels, (std::vector<std::string>{"2020-01-01", "soon"}));
}

// Wherever the text is, and likewise for dates.
TEST(Frame, ATextAmongNumbersIsNamedWhateverItsRow) {
  for (const char* const text : {"oops", "inf", "1e999"}) {
    for (int at = 0; at < 5; ++at) {
      std::string table = "y,d,z\n";
      for (int r = 0; r < 5; ++r) {
        table += r == at ? fmt::format("{},{},a\n", text, text)
                         : fmt::format("{},2024-01-0{},b\n", r, r + 1);
      }
      const Frame frame = parse_frame(table, "t.csv", {.format = {.header = true}});
      EXPECT_EQ(frame.column("y").kind, ColumnKind::category);
      EXPECT_EQ(frame.column("y").first_text,
                fmt::format("t.csv: line {}, column 'y': '{}'", at + 2, text));
      EXPECT_EQ(frame.column("d").first_text,
                fmt::format("t.csv: line {}, column 'd': '{}'", at + 2, text));
      EXPECT_EQ(frame.column("z").first_text, "");
    }
  }
  const FrameOptions asked{.format = {.header = true}, .categories = {"y"}};
  EXPECT_EQ(parse_frame("y\nx\n1\n2\n", "t.csv", asked).column("y").first_text, "");
  const Frame few = parse_frame("y\nx\n1\nz\n", "t.csv", {.format = {.header = true}});
  EXPECT_EQ(few.column("y").first_text, "");  // mostly text: categories
}

TEST(Frame, TimesMayHaveFractionsAndOffsets) {
  const Frame frame = parse_frame(
      "d\n2024-03-01 08:15:30.125\n2024-03-01T10:15:30+02:00\n2024-03-01T08:15:30.000Z\n", "t.csv");
  ASSERT_EQ(frame.columns[0].kind, ColumnKind::date);
  EXPECT_EQ(frame.columns[0].values[0] - frame.columns[0].values[2], 0.125);
  EXPECT_EQ(frame.columns[0].values[1], frame.columns[0].values[2]);
}

TEST(Frame, DatesOfOtherFormsAreInDoubt) {
  const auto doubt = [](const std::string& text) {
    return parse_frame("d\n" + text, "t.csv", {.format = {.header = true}}).columns[0].doubt;
  };
  for (const char* const text :
       {"01/03/2023\n13/03/2023\n", "1.3.2023\n", "2023/3/1 14:00\n", "3-1-2023T08:00\n"}) {
    EXPECT_TRUE(doubt(text).starts_with("has what look like dates")) << text;
  }
  for (const char* const text :
       {"01/03/2023\nsoon\n", "12-34-56\n", "1/2\n", "1/2/3/2020\n", "1/2-2020\n", "//2020\n"}) {
    EXPECT_EQ(doubt(text), "") << text;
  }
}

TEST(Frame, CategoriesCanBeNumbers) {
  const Frame frame = parse_frame("a,b\n2,1\n10,2\n,3\n", "t.csv", {.categories = {"a"}});
  EXPECT_EQ(frame.column("a").levels, (std::vector<std::string>{"10", "2"}));
  EXPECT_EQ(frame.column("a").codes, (std::vector<std::int32_t>{1, 0, -1}));
  EXPECT_EQ(frame.column("b").kind, ColumnKind::number);
  EXPECT_EQ(message_of<UsageError>([] { parse_frame("a\n1\n", "t.csv", {.categories = {"z"}}); }),
            "t.csv: there is no column 'z'; columns: 'a'");
}

TEST(Frame, ErrorsNameThePlace) {
  const Frame frame = parse_frame("a,b\n\n1,2\n", "t.csv");
  EXPECT_EQ(frame.where(0, frame.columns[1]), "t.csv: line 3, column 'b'");
  EXPECT_EQ(message_of<UsageError>([&] { frame.column("c"); }),
            "t.csv: there is no column 'c'; columns: 'a', 'b'");
  EXPECT_EQ(message_of<Error>([] { parse_frame("a,b\n", "t.csv"); }),
            "t.csv: there are no rows below the header");
  const std::string message =
      message_of<Error>([] { parse_frame("a\n1\n2\n", "t.csv", {.most_bytes = 20}); });
  EXPECT_TRUE(message.starts_with("t.csv: line 3: the table so far takes")) << message;
  // Texts count too.
  EXPECT_THROW(parse_frame("a\n" + std::string(500, 'x') + "\n", "t.csv", {.most_bytes = 400}),
               Error);
}

using FrameFile = InTemporaryDirectory;

TEST_F(FrameFile, IsReadAgainWhereAColumnTurnsOutToBeText) {
  const auto path = write("t.csv", "a\n1\nx\n");
  EXPECT_EQ(read_frame(path.string()).columns[0].levels, (std::vector<std::string>{"1", "x"}));
}

TEST_F(FrameFile, MayBeAPipe) {
  const auto piped = [](std::string_view text) {
    std::array<int, 2> ends{};
    EXPECT_EQ(pipe(ends.data()), 0);
    EXPECT_EQ(::write(ends[1], text.data(), text.size()), std::ssize(text));
    close(ends[1]);
    Frame frame = read_frame("/dev/fd/" + std::to_string(ends[0]));
    close(ends[0]);
    return frame;
  };
  EXPECT_EQ(piped("a\n1\n2\n").columns[0].values.copy(), (std::vector<double>{1, 2}));
  EXPECT_EQ(piped("a\n1\nx\n").columns[0].levels, (std::vector<std::string>{"1", "x"}));
}

// It may have no end, so it is judged while it is read.
TEST(Frame, OfWhatIsNoTableIsRefusedAtItsFirstBytes) {
  const std::string message =
      message_of<Error>([] { read_frame("/dev/zero", {.most_bytes = std::size_t{1} << 24}); });
  EXPECT_NE(message.find("line 1: a NUL byte"), std::string::npos) << message;
}

TEST(Frame, SortedByTimeKeepsGroupsTogether) {
  const Frame frame = parse_frame("g,t,v\nb,2,1\na,3,2\nb,1,3\na,,4\na,1,5\n", "t.csv");
  EXPECT_EQ(sorted_by(frame, "t").column("v").values.copy(), (std::vector<double>{3, 5, 1, 2, 4}));
  const Frame grouped = sorted_by(frame, "t", "g");
  EXPECT_EQ(grouped.column("v").values.copy(), (std::vector<double>{3, 1, 5, 2, 4}));
  EXPECT_EQ(grouped.line, (std::vector<Index>{4, 2, 6, 3, 5}));
}

}  // namespace
}  // namespace probmix::test
