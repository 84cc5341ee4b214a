#include "probmix/model/inputs.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/data/column_builder.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Names = std::vector<std::string>;

Frame frame_of(const std::string& text) { return parse_frame(text, "t.csv"); }

Inputs learn(const Frame& frame, const InputOptions& options = {}) {
  Names names;
  for (const FrameColumn& column : frame.columns) names.push_back(column.name);
  std::vector<Index> rows(to_size(frame.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return Inputs::learn(frame, names, rows, options);
}

std::vector<float> row_of(const Matrix<float>& x, Index r) {
  return {x.row(r), x.row(r) + x.cols()};
}

// A row of a later table, whose columns have the kinds of training.
std::vector<float> encode(const Inputs& inputs, const std::vector<std::string_view>& fields,
                          InputOddities& oddities) {
  Frame frame{.file = "new.csv", .columns = {}, .line = {2}};
  for (std::size_t c = 0; c < fields.size(); ++c) {
    const InputColumn& column = inputs.columns()[c];
    ColumnBuilder builder(column.name, column.kind());
    EXPECT_TRUE(builder.add(fields[c])) << fields[c];
    frame.columns.push_back(builder.take());
  }
  return row_of(inputs.encode(frame, oddities), 0);
}

TEST(Inputs, NumbersAreStandardisedAndTheMissingMarked) {
  const Frame frame = frame_of("a,b\n1,10\n3,NA\n1,20\n3,30\n");
  const Inputs inputs = learn(frame, {.wide_limits = true});
  EXPECT_EQ(inputs.names(), (Names{"a", "b", "b is missing"}));
  InputOddities oddities;
  const Matrix<float> x = inputs.encode(frame, oddities);
  const auto b = static_cast<float>(10 / std::sqrt(200.0 / 3));  // mean 20
  EXPECT_EQ(row_of(x, 0), (std::vector<float>{-1, -b, 0}));
  EXPECT_EQ(row_of(x, 1), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(row_of(x, 2), (std::vector<float>{-1, 0, 0}));
  EXPECT_EQ(oddities.missing, 0);
  // A missing value in a column where training had none becomes the mean, and is counted.
  EXPECT_EQ(encode(inputs, {" 3 ", "?"}, oddities), (std::vector<float>{1, 0, 1}));
  EXPECT_EQ(encode(inputs, {"", "20"}, oddities), (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(oddities.missing, 1);
  EXPECT_EQ(oddities.first_missing, "new.csv: line 2, column 'a'");
  // Numbers beyond the range of training (1 to 3) by more than three times its width are clipped;
  // those beyond it by a standard deviation (1) are counted.
  EXPECT_EQ(encode(inputs, {"3.9", "20"}, oddities)[0], 1.9F);
  EXPECT_EQ(oddities.extreme, 0);
  EXPECT_EQ(encode(inputs, {"1e300", "20"}, oddities)[0], 7);
  EXPECT_EQ(encode(inputs, {"-1.7e308", "20"}, oddities)[0], -7);
  EXPECT_EQ(oddities.extreme, 2);
  EXPECT_EQ(oddities.first_extreme, "new.csv: line 2, column 'a': '1e+300'");
}

TEST(Inputs, NumbersAreClippedAtTheQuantilesOfTraining) {
  std::string text = "a,mark\n";  // 1 to 3000; a mark in one row of them
  for (int r = 1; r <= 3000; ++r) text += fmt::format("{},{}\n", r, r == 7 ? 1 : 0);
  const Inputs inputs = learn(frame_of(text));
  const auto& a = std::get<NumberInput>(inputs.columns()[0].how);
  EXPECT_EQ(a.limits.low, 4);
  EXPECT_EQ(a.limits.high, 2997);
  InputOddities oddities;
  const float highest = encode(inputs, {"2997", "0"}, oddities)[0];
  EXPECT_GT(highest, encode(inputs, {"2996", "0"}, oddities)[0]);
  EXPECT_EQ(encode(inputs, {"3000", "0"}, oddities)[0], highest);
  EXPECT_EQ(encode(inputs, {"3800", "0"}, oddities)[0], highest);
  EXPECT_EQ(oddities.extreme, 0);
  EXPECT_EQ(encode(inputs, {"3900", "0"}, oddities)[0], highest);  // a deviation is 866
  EXPECT_EQ(oddities.extreme, 1);
  // What is rarer than the quantiles still varies.
  EXPECT_GT(encode(inputs, {"1", "1"}, oddities)[1], encode(inputs, {"1", "0"}, oddities)[1]);
}

// 0 inside, d / (1 + d) at the distance d.
TEST(Inputs, TellHowFarARowIsOutside) {
  std::string text = "a,town,day,rare\n";
  for (int r = 0; r < 1000; ++r) {
    text += fmt::format("{},{},2024-{:02}-01,{}\n", r, r % 2 == 0 ? "a" : "b", 1 + r % 11,
                        r == 0 ? 500 : r % 3);
  }
  const Inputs inputs = learn(frame_of(text));
  const double deviation = std::sqrt((1e6 - 1) / 12);
  const auto outside = [&](const std::string& row) {
    InputOddities oddities;
    const Frame frame =
        frame_of("a,town,day,rare\n" + text.substr(16, text.find('\n', 16) - 15) + row);
    Matrix<float> x(2, inputs.width());
    std::vector<double> found(2);
    inputs.encode(frame, 0, x.view(), oddities, found);
    EXPECT_EQ(found[0], 0);
    return found[1];
  };
  EXPECT_EQ(outside("999,a,2024-11-01,500\n"), 0);  // as far as training went
  EXPECT_NEAR(outside(fmt::format("{},a,2024-05-05,1\n", 999 + deviation)), 0.5, 1e-4);
  EXPECT_NEAR(outside(fmt::format("{},a,2024-05-05,1\n", -3 * deviation)), 0.75, 1e-4);
  EXPECT_NEAR(outside("5,c,2024-05-05,1\n"), 0.5, 1e-12);
  EXPECT_NEAR(outside("5,,2024-05-05,1\n"), 0.5, 1e-12);
  // Training took 305 days, to the first of November.
  EXPECT_NEAR(outside("5,a,2025-09-02,1\n"), 0.5, 1e-9);
  EXPECT_NEAR(outside(fmt::format("{},c,2025-09-02,1\n", 999 + deviation)),
              std::sqrt(3) / (1 + std::sqrt(3)), 1e-4);
}

TEST(Inputs, CategoriesHaveAnInputForEachLevel) {
  const Frame frame = frame_of("town,n\nb,1\na,2\n,3\nb,4\n");
  const Inputs inputs = learn(frame);
  EXPECT_EQ(inputs.names(), (Names{"town = a", "town = b", "town is missing", "n"}));
  InputOddities oddities;
  const Matrix<float> x = inputs.encode(frame, oddities);
  EXPECT_EQ(x(0, 1), 1);
  EXPECT_EQ(x(0, 0) + x(0, 2), 0);
  EXPECT_EQ(x(2, 2), 1);
  // Without a level for rare values, an unseen one is none of the known.
  const std::vector<float> unseen = encode(inputs, {"c", "1"}, oddities);
  EXPECT_EQ(unseen[0] + unseen[1] + unseen[2], 0);
  EXPECT_EQ(oddities.unseen, 1);
  EXPECT_EQ(oddities.first_unseen, "new.csv: line 2, column 'town': 'c'");
}

TEST(Inputs, RareLevelsShareOneInputWithUnseenOnes) {
  const Frame frame = frame_of("t\na\nb\nb\nc\nc\nc\nd\n");
  const Inputs inputs = learn(frame, {.most_levels = 2});
  EXPECT_EQ(inputs.names(), (Names{"t = b", "t = c", "t is another"}));
  InputOddities oddities;
  const Matrix<float> x = inputs.encode(frame, oddities);
  EXPECT_EQ(row_of(x, 0), (std::vector<float>{0, 0, 1}));  // a
  EXPECT_EQ(row_of(x, 1), (std::vector<float>{1, 0, 0}));  // b
  EXPECT_EQ(encode(inputs, {"z"}, oddities), (std::vector<float>{0, 0, 1}));
  EXPECT_EQ(oddities.unseen, 0);
  EXPECT_EQ(encode(inputs, {""}, oddities), (std::vector<float>{0, 0, 0}));  // and not another
  EXPECT_EQ(oddities.missing, 1);
}

TEST(Inputs, OdditiesOfATable) {
  const Inputs inputs = learn(frame_of("a,t\n1,x\n2,y\n"));
  InputOddities oddities;
  inputs.encode(frame_of("a,t\n,z\n1,\n1e300,w\n"), oddities);
  EXPECT_EQ(oddities.missing, 2);
  EXPECT_EQ(oddities.unseen, 2);
  EXPECT_EQ(oddities.extreme, 1);
  EXPECT_EQ(oddities.first_unseen, "t.csv: line 2, column 't': 'z'");
}

TEST(Inputs, DatesHaveTheCyclesThatTheyVaryIn) {
  // Two years of months, always at midnight.
  std::string text = "d\n";
  for (int month = 0; month < 24; ++month) {
    text += "20" + std::to_string(19 + month / 12) + "-" + (month % 12 < 9 ? "0" : "") +
            std::to_string(month % 12 + 1) + "-01\n";
  }
  const Frame frame = frame_of(text);
  const Inputs inputs = learn(frame);
  EXPECT_EQ(inputs.names(), (Names{"d", "d, sine of the year", "d, cosine of the year",
                                   "d, sine of the week", "d, cosine of the week"}));
  InputOddities oddities;
  const Matrix<float> x = inputs.encode(frame, oddities);
  // A year apart the season is the same (to a leap day), the time is not.
  EXPECT_NEAR(x(0, 1), x(12, 1), 0.02);
  EXPECT_NEAR(x(0, 2), x(12, 2), 0.02);
  EXPECT_LT(x(0, 0), x(12, 0));
  EXPECT_NEAR(x(3, 1) * x(3, 1) + x(3, 2) * x(3, 2), 1, 1e-6);
  EXPECT_EQ(encode(inputs, {"NA"}, oddities), std::vector<float>(5, 0.0F));
  EXPECT_EQ(oddities.missing, 1);
}

TEST(Inputs, AFewWeeksHaveNoSeason) {
  EXPECT_EQ(learn(frame_of("d\n2024-01-01\n2024-01-20\n2024-02-09\n")).names(),
            (Names{"d", "d, sine of the week", "d, cosine of the week"}));
}

TEST(Inputs, WhatDoesNotVaryIsLeftOut) {
  const Frame frame =
      frame_of("same,one,empty,day,x\n5,a,,2020-01-01,1\n5,a,,2020-01-01,2\n5,a,,2020-01-01,3\n");
  EXPECT_EQ(learn(frame).names(), (Names{"x"}));
  // But a column that is sometimes missing varies.
  EXPECT_EQ(learn(frame_of("a,b\n5,1\nNA,2\n")).names(), (Names{"a is missing", "b"}));
  EXPECT_NE(message_of<Error>([] { learn(frame_of("a\n1\n1\n")); }).find("no column varies"),
            std::string::npos);
}

TEST(Inputs, AnAbsurdNumberDoesNotSpoilTheScale) {
  std::string text = "a\n1e300\n";
  for (int k = 0; k < 100; ++k) text += fmt::format("{}\n", k % 10);
  const Frame frame = frame_of(text);
  const Inputs inputs = learn(frame);
  InputOddities oddities;
  const Matrix<float> x = inputs.encode(frame, oddities);
  EXPECT_NEAR(x(1, 0), -1.57, 0.01);  // 0, as if the absurd number were a 9
  EXPECT_NEAR(x(10, 0), 1.55, 0.02);
  EXPECT_EQ(oddities.extreme, 1);
  EXPECT_EQ(oddities.first_extreme, "t.csv: line 2, column 'a': '1e+300'");
}

TEST(Inputs, LearnOnTheRowsOfTraining) {
  const Frame frame = frame_of("a,t\n0,x\n2,x\n100,y\n0,z\n");
  const std::vector<Index> rows = {0, 1};
  const Names names = {"a", "t"};
  const Inputs inputs = Inputs::learn(frame, names, rows);
  EXPECT_EQ(inputs.names(), (Names{"a"}));  // t is always x
  InputOddities oddities;
  EXPECT_EQ(inputs.encode(frame, oddities)(2, 0), 1);  // clipped at 2
}

TEST(Inputs, ATableOfOtherKindsIsRefused) {
  const Inputs inputs = learn(frame_of("a,b\n1,2\n2,3\n"));
  InputOddities oddities;
  EXPECT_EQ(message_of<Error>([&] { inputs.encode(frame_of("a,b\nx,2\ny,3\n"), oddities); }),
            "t.csv: column 'a' is a category column, but in training it was a number "
            "column");
  EXPECT_EQ(message_of<UsageError>([&] { inputs.encode(frame_of("a\n1\n"), oddities); }),
            "t.csv: there is no column 'b'; columns: 'a'");
}

// Nine of ten values are 0: it has one knot, and the others share what is left.
TEST(Inputs, AFrequentValueIsAKnotOfItsOwn) {
  std::string text = "x,y\n";
  for (int r = 0; r < 200; ++r) text += fmt::format("{},1\n", r % 10 == 0 ? 10 + r : 0);
  const Frame frame = frame_of(text);
  std::vector<Index> rows(to_size(frame.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Inputs inputs = Inputs::learn(frame, Names{"x"}, rows, {.bins = 6});
  ASSERT_EQ(inputs.encoded().size(), 1u);
  EXPECT_EQ(inputs.encoded()[0].knots.size(), 7u);
}

TEST(Inputs, KnotsAreDistinctQuantiles) {
  std::string text = "x,few,two,y\n";
  for (int r = 0; r < 101; ++r) text += fmt::format("{},{},{},1\n", r, r % 3, r % 2);
  const Frame frame = frame_of(text);
  std::vector<Index> rows(to_size(frame.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  const Inputs inputs = Inputs::learn(frame, Names{"x", "few", "two"}, rows, {.bins = 4});
  const std::vector<NumberKnots> encoded = inputs.encoded();
  ASSERT_EQ(encoded.size(), 2u);  // two values need no knots
  EXPECT_EQ(encoded[0].input, 0);
  ASSERT_EQ(encoded[0].knots.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {  // 0, 25, 50, 75 and 100, standardised
    EXPECT_NEAR(encoded[0].knots[k], (25.0 * static_cast<double>(k) - 50) / 29.15, 1e-3);
  }
  EXPECT_EQ(encoded[1].input, 1);
  EXPECT_EQ(encoded[1].knots.size(), 3u);
  EXPECT_EQ(inputs.width(), 3);  // the network encodes
}

}  // namespace
}  // namespace probmix::test
