#include "probmix/data/time_series.hpp"

#include "probmix/data/date.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

using Names = std::vector<std::string>;

class SeriesFile : public InTemporaryDirectory {
 protected:
  TimeSeries read(std::string_view text, const SeriesOptions& options = {}) const {
    return read_time_series(write("s.csv", text), options);
  }
  // Without the directory.
  template <class Type = Error>
  std::string message(std::string_view text, const SeriesOptions& options = {}) const {
    const std::string full = message_of<Type>([&] { read(text, options); });
    EXPECT_EQ(full.find('\n'), full.npos) << full;
    const std::string prefix = directory.string() + "/";
    return full.starts_with(prefix) ? full.substr(prefix.size()) : full;
  }
};

constexpr std::string_view kPlain =
    "Date,Open,Close\n2020-02-27,1,2\n2020-02-28,3,4\n\n2020-03-02,5,6\n";

TEST_F(SeriesFile, HasDatesColumnsAndValues) {
  const TimeSeries series = read(kPlain);
  EXPECT_EQ(series.columns, (Names{"Open", "Close"}));
  ASSERT_EQ(series.rows(), 3);
  EXPECT_EQ(series.time[0], parse_date("2020-02-27"));
  EXPECT_EQ(series.date(2), "2020-03-02");
  for (Index k = 0; k < 6; ++k) EXPECT_EQ(series.values.data()[k], static_cast<double>(k + 1));
  EXPECT_EQ(series.column("Close"), 1);
  EXPECT_EQ(message_of<UsageError>([&] { series.column("Low"); }),
            directory.string() + "/s.csv: there is no column 'Low'; columns: 'Open', 'Close'");
}

TEST_F(SeriesFile, ChosenColumnsInTheirOrder) {
  const std::string_view text = "a,b,day,c\n1,2,2020-01-01,x\n3,4, 2020-01-02 ,y\n";
  const TimeSeries series = read(text, {.date_column = "day", .columns = {"b", "a"}});
  EXPECT_EQ(series.columns, (Names{"b", "a"}));
  EXPECT_EQ(series.values(1, 0), 4);
  EXPECT_EQ(series.values(1, 1), 3);
  EXPECT_EQ(message(text, {.date_column = "day"}),
            "s.csv: line 2, column 'c': 'x' is not a number; write numbers as 1234.5 or 1.2345e3");
  EXPECT_EQ(
      message(text),
      "s.csv: there is no column 'Date'; columns: 'a', 'b', 'day', 'c'; say which one has the "
      "dates (--date-column)");
  EXPECT_EQ(message(text, {.date_column = "day", .columns = {"z"}}),
            "s.csv: there is no column 'z'; columns: 'a', 'b', 'day', 'c'");
  EXPECT_EQ(message(text, {.date_column = "day", .columns = {"a", "day"}}),
            "s.csv: the date column 'day' cannot be a value column too");
  EXPECT_EQ(message(text, {.date_column = "day", .columns = {"a", "b", "a"}}),
            "s.csv: the column 'a' is asked for twice");
  EXPECT_EQ(message("Date\n2020-01-01\n"),
            "s.csv: there is no column of values beside the date column 'Date'");
}

TEST_F(SeriesFile, MalformedDates) {
  EXPECT_EQ(
      message("Date,a\n2020-02-28,1\n2020-02-30,2\n"),
      "s.csv: line 3, column 'Date': '2020-02-30' is no date of the calendar; write YYYY-MM-DD "
      "or YYYY-MM-DD HH:MM[:SS], UTC");
  EXPECT_EQ(message("Date,a\n2019-01-02 00:00:00-05:00,1\n"),
            "s.csv: line 2, column 'Date': '2019-01-02 00:00:00-05:00' has an offset from UTC, "
            "which is not read; write YYYY-MM-DD or YYYY-MM-DD HH:MM[:SS], UTC");
  EXPECT_NE(message("Date,a\n,1\n").find("'' is no date"), std::string::npos);
}

TEST_F(SeriesFile, UnsortedDatesAreAnErrorOrSorted) {
  const std::string_view text = "Date,a\n2020-01-03,3\n2020-01-01,1\n2020-01-04,4\n2020-01-02,2\n";
  EXPECT_EQ(message(text),
            "s.csv: line 3: the date 2020-01-01 comes after 2020-01-03 on line 2; sort the rows by "
            "date, or let them be sorted (--sort)");
  const TimeSeries series = read(text, {.sort = true});
  for (Index r = 0; r < 4; ++r) {
    EXPECT_EQ(series.values(r, 0), static_cast<double>(r + 1));
    EXPECT_EQ(series.date(r), "2020-01-0" + std::to_string(r + 1));
  }
}

TEST_F(SeriesFile, DoubledDatesAreAnErrorSortedOrNot) {
  EXPECT_EQ(message("Date,a\n2020-01-01,3\n\n2020-01-01,1\n"),
            "s.csv: lines 2 and 4 have the same date 2020-01-01; keep one row a date");
  EXPECT_EQ(message("Date,a\n2020-01-05,3\n2020-01-01,1\n2020-01-05 00:00,1\n", {.sort = true}),
            "s.csv: lines 2 and 4 have the same date 2020-01-05; keep one row a date");
}

std::string days(std::vector<std::int64_t> numbers) {
  std::string text = "Date,a\n";
  for (const std::int64_t n : numbers) text += format_date(n * day_seconds) + ",1\n";
  return text;
}

TEST_F(SeriesFile, GapsAreAnErrorUnlessAllowed) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t day = 0; day < 60; ++day) numbers.push_back(day < 40 ? day : day + 30);
  const std::string text = days(numbers);
  EXPECT_EQ(message(text),
            "s.csv: a gap of 31 days between 1970-02-09 and 1970-03-12 (rows on 7 days of a "
            "week are usual, at most 2 of these days may be missing); fill in the missing rows, "
            "allow longer ones (--max-gap-days) or "
            "all gaps (--allow-gaps)");
  EXPECT_EQ(read(text, {.allow_gaps = true}).rows(), 60);
  EXPECT_EQ(read(text, {.max_gap_days = 31}).rows(), 60);
  EXPECT_NE(
      message(text, {.max_gap_days = 0.5}).find("(at most 0.5 days are allowed; 59 such gaps)"),
      std::string::npos);
  EXPECT_EQ(message<UsageError>(text, {.max_gap_days = -1}),
            "the longest gap in days must be a finite number of at least 0, but it is -1");
}

TEST_F(SeriesFile, ManyShortGapsAreAnErrorToo) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t day = 0; day < 100; ++day) {
    if (day % 6 != 0) numbers.push_back(day);
  }
  const std::string text = days(numbers);
  EXPECT_EQ(message(text),
            "s.csv: 16 days are missing between 1970-01-02 and 1970-04-10, in many short gaps (at "
            "most 9 may be); fill in the missing rows, or allow gaps (--allow-gaps)");
  EXPECT_EQ(read(text, {.allow_gaps = true}).rows(), 83);
  EXPECT_EQ(read(text, {.max_gap_days = 2}).rows(), 83);
  EXPECT_NE(message(text, {.max_gap_days = 1}).find("(at most 1 day is allowed; 16 such gaps)"),
            std::string::npos);
}

TEST_F(SeriesFile, UsualDistancesAreToldInGoodGrammar) {
  std::string text = "Date,a\n";
  for (std::int64_t hour = 0; hour < 60; ++hour) {
    text += format_date((hour < 40 ? hour : hour + 9) * 3600) + ",1\n";
  }
  EXPECT_NE(message(text).find("a gap of 10 hours between 1970-01-02 15:00 and 1970-01-03 01:00 (1 "
                               "hour is usual, at most 2 rows may be missing)"),
            std::string::npos)
      << message(text);
}

TEST_F(SeriesFile, IrregularDatesAreAnErrorUnlessAllowed) {
  const std::string text = days({0, 1, 11, 111, 113, 133, 333, 337, 377});
  EXPECT_EQ(message(text),
            "s.csv: the dates, 1970-01-01 to 1971-01-13, are irregular: few of their distances are "
            "near the usual one of 10 days; resample the rows to regular dates, or allow gaps "
            "(--allow-gaps)");
  EXPECT_EQ(read(text, {.allow_gaps = true}).rows(), 9);
  EXPECT_EQ(read(text, {.max_gap_days = 200}).rows(), 9);
}

TEST_F(SeriesFile, OneRowIsASeries) { EXPECT_EQ(read("Date,a\n2020-01-01,1\n").rows(), 1); }

}  // namespace
}  // namespace probmix::test
