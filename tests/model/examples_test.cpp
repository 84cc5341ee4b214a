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

TEST(Examples, OfATableAreItsRowsWithATarget) {
  const Frame frame = parse_frame("x,y\n1,2\n2,NA\n3,4\n", "t.csv");
  const Examples examples = find_examples(frame, {}, y);
  EXPECT_EQ(examples.last, (Rows{0, 2}));
  EXPECT_EQ(examples.target, (Rows{0, 2}));
}

TEST(Examples, OfASeriesSeeAWindowAndAreForARowToCome) {
  const Frame frame = parse_frame("t,y\n1,1\n2,2\n3,3\n4,4\n5,\n6,6\n", "t.csv");
  const SeriesShape shape{.window = 2, .horizon = 1, .time = "t"};
  const Examples examples = find_examples(frame, shape, y);
  EXPECT_EQ(examples.last, (Rows{1, 2, 4}));  // the target of the window (3, 4) is missing
  EXPECT_EQ(examples.target, (Rows{2, 3, 5}));
  Matrix<float> x(6, 1);
  for (Index r = 0; r < 6; ++r) x(r, 0) = static_cast<float>(r);
  const Matrix<float> windows = gather_windows(x, examples, all_of(examples), 2);
  EXPECT_EQ(windows.cols(), 2);
  EXPECT_EQ(windows(2, 0), 3);
  EXPECT_EQ(windows(2, 1), 4);
  EXPECT_EQ(rows_seen(examples, all_of(examples), 2), (Rows{0, 1, 2, 3, 4}));
  EXPECT_EQ(rows_seen(examples, Rows{0, 2}, 2), (Rows{0, 1, 3, 4}));
}

TEST(Examples, WindowsDoNotReachIntoAnotherGroup) {
  const Frame frame = parse_frame("g,t,y\na,1,1\na,2,2\na,3,3\nb,1,4\nb,2,5\nb,3,6\n", "t.csv");
  const Examples examples =
      find_examples(frame, {.window = 2, .horizon = 1, .time = "t", .group = "g"}, y);
  EXPECT_EQ(examples.last, (Rows{1, 4}));
  EXPECT_EQ(examples.target, (Rows{2, 5}));
  EXPECT_EQ(examples.place, (Rows{2, 2}));
}

TEST(Examples, TimesOfASeriesMustAscend) {
  const Frame frame =
      parse_frame("t,y\n2024-01-02,1\n2024-01-03,2\n2024-01-03,3\n2024-01-05,4\n", "t.csv");
  EXPECT_EQ(message_of<Error>([&] { find_examples(frame, {.window = 2, .time = "t"}, y); }),
            "t.csv: line 4, column 't': 2024-01-03 does not come after 2024-01-03 of the row "
            "before; sort the rows of a series by time");
  EXPECT_EQ(find_examples(frame, {.time = "t"}, y).count(), 4);  // a table may be in any order
}

TEST(Examples, AreNotThereIfTheWindowIsTooLong) {
  const Frame frame = parse_frame("t,y\n1,1\n2,2\n", "t.csv");
  EXPECT_EQ(message_of<Error>([&] { find_examples(frame, {.window = 3}, y); }),
            "t.csv: none of 2 rows has a target and the rows before it that a window of 3 and a "
            "horizon of 0 need");
}

TEST(Examples, OfASeriesAreSplitInTime) {
  std::string text = "y\n";
  for (int r = 0; r < 20; ++r) text += fmt::format("{}\n", r);
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 3, .horizon = 2};
  const Examples examples = find_examples(frame, shape, y);
  const Split split = split_examples(frame, shape, examples, all_of(examples), {}, 0.25, 1);
  // The target just before the first for validation was not known when that was to be predicted.
  EXPECT_EQ(split.train.size() + split.validation.size() + 1, to_size(examples.count()));
  EXPECT_EQ(split.validation.size(), 4U);
  EXPECT_LT(split.train.back(), split.validation.front());
}

// Without times, the latest of each group are for validation.
TEST(Examples, OfSeveralSeriesAreSplitWithinEach) {
  std::string text = "g,y\n";
  for (int r = 0; r < 40; ++r) text += fmt::format("{},{}\n", r < 20 ? "a" : "b", r);
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 2, .horizon = 1, .group = "g"};
  const Examples examples = find_examples(frame, shape, y);
  const Split split = split_examples(frame, shape, examples, all_of(examples), {}, 0.2, 1);
  Index of_a = 0;
  for (const Index k : split.validation) of_a += examples.target[to_size(k)] < 20 ? 1 : 0;
  EXPECT_EQ(2 * of_a, std::ssize(split.validation));
}

}  // namespace
}  // namespace probmix::test
