#include "probmix/model/examples.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "support/message.hpp"

namespace probmix::test {
namespace {

using Rows = std::vector<Index>;
const std::vector<std::string> y = {"y"};

Rows all_of(const Examples& examples) {
  Rows all(to_size(examples.count()));
  std::iota(all.begin(), all.end(), Index{0});
  return all;
}

Examples find(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules = {}) {
  return find_examples(frame, shape, rules, y);
}

Split split(const Frame& frame, const SeriesShape& shape, double share,
            const SeriesRules& rules = {}) {
  FitOptions options;
  options.series = shape;
  options.rules = rules;
  options.validation = share;
  const Examples examples = find(frame, shape, rules);
  return split_examples(frame, options, examples, all_of(examples), {}, 1);
}

TEST(Examples, OfATableAreItsRowsWithATarget) {
  const Frame frame = parse_frame("x,y\n1,2\n2,NA\n3,4\n", "t.csv");
  const Examples examples = find(frame, {});
  EXPECT_EQ(examples.last, (Rows{0, 2}));
  EXPECT_EQ(examples.target, (Rows{0, 2}));
  EXPECT_EQ(examples.without_target, 1);
}

TEST(Examples, OfASeriesSeeAWindowAndAreForARowToCome) {
  const Frame frame = parse_frame("t,y\n1,1\n2,2\n3,3\n4,4\n5,\n6,6\n", "t.csv");
  const SeriesShape shape{.window = 2, .horizon = 1, .time = "t"};
  const Examples examples = find(frame, shape);
  EXPECT_EQ(examples.last, (Rows{1, 2, 4}));  // the target of the window (3, 4) is missing
  EXPECT_EQ(examples.target, (Rows{2, 3, 5}));
  Matrix<float> x(6, 1);
  for (Index r = 0; r < 6; ++r) x(r, 0) = static_cast<float>(r);
  const Matrix<float> windows = gather_windows(x, examples.last, 2);
  EXPECT_EQ(windows.cols(), 2);
  EXPECT_EQ(windows(2, 0), 3);
  EXPECT_EQ(windows(2, 1), 4);
  EXPECT_EQ(rows_seen(examples, all_of(examples), 2), (Rows{0, 1, 2, 3, 4}));
  EXPECT_EQ(rows_seen(examples, Rows{0, 2}, 2), (Rows{0, 1, 3, 4}));
}

TEST(Examples, WindowsDoNotReachIntoAnotherGroup) {
  const Frame frame = parse_frame("g,t,y\na,1,1\na,2,2\na,3,3\nb,1,4\nb,2,5\nb,3,6\n", "t.csv");
  const Examples examples = find(frame, {.window = 2, .horizon = 1, .time = "t", .group = "g"});
  EXPECT_EQ(examples.last, (Rows{1, 4}));
  EXPECT_EQ(examples.target, (Rows{2, 5}));
  EXPECT_EQ(examples.place, (Rows{2, 2}));
}

TEST(Examples, TimesOfASeriesMustAscend) {
  const Frame frame =
      parse_frame("t,y\n2024-01-02,1\n2024-01-03,2\n2024-01-03,3\n2024-01-05,4\n", "t.csv");
  EXPECT_EQ(message_of<Error>([&] { find(frame, {.window = 2, .time = "t"}); }),
            "t.csv: line 4, column 't': 2024-01-03 is not later than 2024-01-03 in the row before "
            "(line 3); sort the rows of a series by time (`sort`), and keep one row per time");
  EXPECT_EQ(find(frame, {.time = "t"}).count(), 4);  // a table may be in any order
}

// Days 1 to 9, then 25 to 30: no window or horizon reaches from one part into the other.
TEST(Examples, OfASeriesDoNotReachAcrossAGap) {
  std::string text = "g,t,y\n";
  for (const char* const group : {"a", "b"}) {
    for (int day = 1; day <= 30; ++day) {
      if (day > 9 && day < 25) continue;
      text += fmt::format("{},2024-01-{:02},{}\n", group, day, day);
    }
  }
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 2, .horizon = 1, .time = "t", .group = "g"};
  const Examples examples = find(frame, shape);
  EXPECT_EQ(examples.gaps,
            "'t' has 2 gaps, the longest between 2024-01-09 and 2024-01-25 (line 11); no window "
            "reaches across; if rows are missing, fill them in");
  EXPECT_EQ(examples.count(), 2 * (7 + 4));
  for (const Index target : examples.target) {
    EXPECT_NE(target % 15, 9);
    EXPECT_NE(target % 15, 10);
  }
  EXPECT_EQ(find(frame, shape, {.gaps = GapRule::ignore}).count(), 2 * 13);
  EXPECT_NE(message_of<Error>([&] {
              find(frame, {.window = 12, .time = "t", .group = "g"});
            }).find("`horizon`; 't' has 2 gaps"),
            std::string::npos);
  // Without groups the dates would not ascend; without a time nothing is known about gaps.
  EXPECT_EQ(find(frame, {.window = 2, .group = "g"}).gaps, "");
}

TEST(Examples, GapsMayBeRefused) {
  std::string text = "t,y\n";
  for (int day = 1; day <= 30; ++day) {
    if (day < 10 || day > 24) text += fmt::format("2024-01-{:02},{}\n", day, day);
  }
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 2, .horizon = 1, .time = "t"};
  const auto fault = [&](double max_gap_days) {
    return message_of<Error>(
        [&] { find(frame, shape, {.gaps = GapRule::refuse, .max_gap_days = max_gap_days}); });
  };
  EXPECT_EQ(fault(0),
            "t.csv: a gap of 16 days between 2024-01-09 and 2024-01-25 (rows usually come on 6 "
            "days a week, at most 4 of these days may be missing in a row); fill in the missing "
            "rows, allow longer gaps (`max-gap-days`), or ignore gaps (`gaps` ignore)");
  EXPECT_NE(fault(15).find("(at most 15 days are allowed)"), std::string::npos);
  EXPECT_NO_THROW(find(frame, shape, {.gaps = GapRule::refuse, .max_gap_days = 16}));
  EXPECT_EQ(find(frame, shape, {.max_gap_days = 16}).gaps, "");
  EXPECT_NE(find(frame, shape, {.max_gap_days = 15}).gaps, "");
}

TEST(Examples, WithoutGapsKeepTheirWeekendsAndTheirDisorder) {
  std::string week = "t,y\n", odd = "t,y\n";
  int second = 0;
  for (int day = 1; day <= 28; ++day) {
    if (day % 7 != 6 && day % 7 != 0) week += fmt::format("2024-01-{:02},1\n", day);
    second += day * day;  // no regular spacing
    odd += fmt::format("2024-01-01 {:02}:{:02}:{:02}.5,1\n", second / 3600, second / 60 % 60,
                       second % 60);
  }
  for (const std::string& text : {week, odd}) {
    const Frame frame = parse_frame(text, "t.csv");
    EXPECT_EQ(find(frame, {.window = 2, .time = "t"}).gaps, "") << text;
  }
}

TEST(Examples, TimesOfASeriesMayHaveFractions) {
  const Frame frame = parse_frame(
      "t,y\n2024-01-01 00:00:01.25,1\n2024-01-01 00:00:01.5,2\n"
      "2024-01-01 00:00:01.125,3\n",
      "t.csv");
  EXPECT_EQ(message_of<Error>([&] { find(frame, {.window = 2, .time = "t"}); }),
            "t.csv: line 4, column 't': 2024-01-01 00:00:01.125 is not later than 2024-01-01 "
            "00:00:01.500 in the row before (line 3); sort the rows of a series by time (`sort`), "
            "and keep one row per time");
}

TEST(Examples, AreNotThereIfTheWindowIsTooLong) {
  const Frame frame = parse_frame("t,y\n1,1\n2,2\n", "t.csv");
  EXPECT_EQ(message_of<Error>([&] { find(frame, {.window = 3}); }),
            "t.csv: none of the 2 rows has both a target and the rows before it that a window of 3 "
            "and a horizon of 0 need; shorten `window` or `horizon`");
}

TEST(Examples, OfASeriesAreSplitInTime) {
  std::string text = "y\n";
  for (int r = 0; r < 20; ++r) text += fmt::format("{}\n", r);
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 3, .horizon = 2};
  const Index count = find(frame, shape).count();  // targets 4 to 19
  const Split known = split(frame, shape, 0.25);
  EXPECT_EQ(known.validation, (Rows{12, 13, 14, 15}));  // targets 16 to 19
  // The target just before the first validation target was unknown when that one was predicted.
  EXPECT_EQ(std::ssize(known.train) + 4 + 1, count);
  EXPECT_EQ(known.train.back(), 10);
  const Split keep = split(frame, shape, 0.25, {.straddling = Straddling::keep});
  EXPECT_EQ(keep.validation, known.validation);
  EXPECT_EQ(keep.train.back(), 11);
}

// A window of 3 and a horizon of 2 span 5 rows; only the one with target 19 begins at row 15.
TEST(Examples, ThatBeginBeforeTheirPeriodMayBeDropped) {
  std::string text = "y\n";
  for (int r = 0; r < 20; ++r) text += fmt::format("{}\n", r);
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 3, .horizon = 2};
  const SeriesRules rules{.straddling = Straddling::drop};
  const Split parts = split(frame, shape, 5.0 / 16, rules);
  EXPECT_EQ(parts.validation, (Rows{15}));
  EXPECT_EQ(parts.train.back(), 10);  // its target is row 14
  EXPECT_EQ(message_of<Error>([&] { split(frame, shape, 0.25, rules); }),
            "t.csv: no window lies entirely within the validation period; make it longer "
            "(`validation`), shorten `window` or `horizon`, or keep the windows that begin before "
            "it (`straddling` keep)");
}

TEST(Examples, OfASeriesMayBeSplitAtRandom) {
  std::string text = "y\n";
  for (int r = 0; r < 40; ++r) text += fmt::format("{}\n", r);
  const Frame frame = parse_frame(text, "t.csv");
  FitOptions options;
  options.series = {.window = 3, .horizon = 2};
  options.validation_rows = ValidationRows::random;
  const Examples examples = find(frame, options.series);
  const Split parts = split_examples(frame, options, examples, all_of(examples), {}, 1);
  EXPECT_EQ(std::ssize(parts.train) + std::ssize(parts.validation), examples.count());
  EXPECT_LT(parts.validation.front(), parts.train.back());
}

// Without times, the latest of each group are for validation.
TEST(Examples, OfSeveralSeriesAreSplitWithinEach) {
  std::string text = "g,y\n";
  for (int r = 0; r < 40; ++r) text += fmt::format("{},{}\n", r < 20 ? "a" : "b", r);
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 2, .horizon = 1, .group = "g"};
  const Examples examples = find(frame, shape);
  const Split parts = split(frame, shape, 0.2);
  Index of_a = 0;
  for (const Index k : parts.validation) of_a += examples.target[to_size(k)] < 20 ? 1 : 0;
  EXPECT_EQ(2 * of_a, std::ssize(parts.validation));
}

}  // namespace
}  // namespace probmix::test
