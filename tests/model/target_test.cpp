#include "probmix/model/target.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

using Names = std::vector<std::string>;

Frame column_of(const std::vector<std::string>& values) {
  std::string text = "y,x\n";
  for (const std::string& value : values) text += value + ",1\n";
  return parse_frame(text, "t.csv", {.format = {.header = true}});
}

std::vector<Index> all_rows(const Frame& frame) {
  std::vector<Index> rows(to_size(frame.rows()));
  std::iota(rows.begin(), rows.end(), Index{0});
  return rows;
}

std::string proposed(const std::vector<std::string>& values) {
  const Frame frame = column_of(values);
  return propose_family(frame, frame.column("y"), all_rows(frame)).family;
}

// Rows that are held out say which values are possible, and nothing else.
TEST(ProposeFamily, ByTheRowsThatItMaySee) {
  const auto proposal = [](std::vector<std::string> values, const std::string& held_out) {
    const Index seen = std::ssize(values);
    values.push_back(held_out);
    const Frame frame = column_of(values);
    std::vector<Index> rows(to_size(seen));
    std::iota(rows.begin(), rows.end(), Index{0});
    return propose_family(frame, frame.column("y"), rows).family;
  };
  const std::vector<std::string> even = {"1.5", "2", "2.5", "3", "3.5"};
  EXPECT_EQ(proposal(even, "1000"), "gaussian");  // though very skewed with it
  std::vector<std::string> skewed(20, "1.5");
  skewed.emplace_back("100");
  EXPECT_EQ(proposal(skewed, "2"), "gamma");
  EXPECT_EQ(proposal(skewed, "-2"), "gaussian");  // which gamma cannot predict
}

TEST(ProposeFamily, ByTheValues) {
  EXPECT_EQ(proposed({"1.5", "-2", "3"}), "gaussian");
  EXPECT_EQ(proposed({"0", "1", "1", "NA"}), "bernoulli");
  EXPECT_EQ(proposed({"1", "2", "2"}), "bernoulli");
  EXPECT_EQ(proposed({"-1", "1", "-1"}), "bernoulli");
  EXPECT_EQ(proposed({"0.5", "1.5", "0.5"}), "gaussian");
  EXPECT_EQ(proposed({"yes", "no", "yes"}), "bernoulli");
  EXPECT_EQ(proposed({"a", "b", "c"}), "categorical");
  EXPECT_EQ(proposed({"0", "3", "1", "2", "2", "5", "1"}), "poisson");
  EXPECT_EQ(proposed({"5", "6", "5", "6", "7", "5"}), "gaussian");  // grades: too even for counts
  EXPECT_EQ(proposed({"1800", "1850", "1900", "1950", "2000"}), "gaussian");  // years
  EXPECT_EQ(proposed({"0.1", "0.5", "0.93"}), "beta");
  EXPECT_EQ(proposed({"0", "0.5", "1"}), "gaussian");  // 0 and 1 are outside the support of beta
  EXPECT_EQ(proposed({"1", "2", "1.5", "1.2", "1.1", "1.4", "1.3", "90"}), "gamma");
  EXPECT_EQ(proposed({"-1", "2", "1.5", "1.2", "1.1", "1.4", "1.3", "90"}), "gaussian");
}

const Names wide_counts{"0", "0", "0", "40", "1", "2", "7", "13", "22", "30", "9", "17", "50"};

TEST(ProposeFamily, ForManyZerosAndWideCounts) {
  EXPECT_EQ(proposed(wide_counts), "negative-binomial");
  EXPECT_EQ(proposed({"1", "40", "1", "2", "7", "13", "90"}), "gaussian");  // no 0
  EXPECT_EQ(proposed({"0", "0", "0", "4", "3", "5", "4", "2"}), "zero-inflated-poisson");
  EXPECT_EQ(proposed({"0", "0", "0", "0", "0", "30", "9", "17", "50", "5"}),
            "zero-inflated-negative-binomial");
  Names amounts{"0.5", "0.75", "1.5", "2", "2.5", "3", "4.5", "5", "7", "9", "12"};
  EXPECT_EQ(proposed(amounts), "gaussian");
  amounts.insert(amounts.end(), {"0", "0"});
  EXPECT_EQ(proposed(amounts), "gaussian");  // not many
  amounts.insert(amounts.end(), {"0", "0"});
  EXPECT_EQ(proposed(amounts), "gaussian");  // with a hint
  amounts.push_back("-1");
  EXPECT_EQ(proposed(amounts), "gaussian");
}

// Where densities are pooled log-linearly.
TEST(ProposeFamily, OfExponentialFamiliesAlone) {
  const auto exponential = [](const Names& values) {
    const Frame frame = column_of(values);
    return propose_family(frame, frame.column("y"), all_rows(frame), true);
  };
  EXPECT_EQ(exponential(wide_counts).family, "gaussian");
  EXPECT_NE(exponential(wide_counts)
                .hint.find("times their mean; if they are counts, `family` "
                           "negative-binomial"),
            std::string::npos);
  EXPECT_EQ(exponential({"0", "0", "0", "4", "3", "5", "4", "2"}).family, "poisson");
}

TEST(ProposeFamily, SaysWhy) {
  const Frame frame = column_of({"no", "yes"});
  EXPECT_EQ(propose_family(frame, frame.column("y"), all_rows(frame)).reason,
            "'y' has two classes, 'no', 'yes'");
  EXPECT_NE(message_of<UsageError>([] {
              proposed({"2020-01-01", "2020-01-02"});
            }).find("dates"),
            std::string::npos);
  EXPECT_EQ(message_of<Error>([] {
              proposed({"3", "3"});
            }),
            "t.csv: the target 'y' has only one value, 3; there is nothing to learn");
  EXPECT_EQ(message_of<Error>([] {
              proposed({"NA", "NA"});
            }),
            "t.csv: the target 'y' has no values");
}

TEST(ProposeFamily, HintsAtWhatElseItMayBe) {
  const auto hint = [](const std::vector<std::string>& values, int times) {
    std::vector<std::string> all;
    for (int k = 0; k < times; ++k) all.insert(all.end(), values.begin(), values.end());
    const Frame frame = column_of(all);
    return propose_family(frame, frame.column("y"), all_rows(frame)).hint;
  };
  EXPECT_EQ(hint({"0", "1", "2"}, 5),
            "'y' has 3 different whole numbers; if they are classes, give `family` categorical");
  EXPECT_NE(hint({"1", "2", "3", "4", "5"}, 5).find("5 different"), std::string::npos);
  EXPECT_EQ(hint({"0", "1", "2"}, 1), "");  // too few to tell
  EXPECT_NE(hint({"0", "0.5", "0.75"}, 5).find("but also 0; `family` beta"), std::string::npos);
  EXPECT_NE(hint({"0", "0.5", "1"}, 5).find("but also 0 and 1;"), std::string::npos);
  EXPECT_EQ(hint({"0.2", "0.5", "0.75"}, 5), "");
  EXPECT_EQ(hint(wide_counts, 1), "");  // negative-binomial
  EXPECT_EQ(hint({"1.5", "-2", "3"}, 9), "");
}

TEST(ProposeFamily, ATextAmongNumbersIsNamedWhateverItsRow) {
  for (const auto& values : {Names{"oops", "1", "2.5", "3"}, Names{"1", "2.5", "oops", "3"}}) {
    const auto line = std::ranges::find(values, "oops") - values.begin() + 2;
    EXPECT_EQ(message_of<Error>([&] { proposed(values); }),
              fmt::format("the target 'y' has numbers or dates, except for t.csv: line {}, column "
                          "'y': 'oops'; correct it, or name the column in `categories`",
                          line));
    const Frame frame = column_of(values);
    const Names y = {"y"};
    EXPECT_NE(message_of<UsageError>([&] {
                Target::learn(frame, y, "gaussian", {}, all_rows(frame));
              }).find("'oops'"),
              std::string::npos);
  }
}

// Classes may be any two numbers.
TEST(Target, NumbersAreNamesOfClasses) {
  const Frame frame = column_of({"1", "2", "2"});
  const Names y = {"y"};
  const Target target = Target::learn(frame, y, "bernoulli", {}, all_rows(frame));
  EXPECT_EQ(target.classes, (Names{"1", "2"}));
  EXPECT_EQ(target.encode(frame, all_rows(frame))(1, 0), 1);
}

TEST(Target, RealsAreStandardisedAndPositivesDivided) {
  const Frame frame = column_of({"10", "20", "30"});
  const Names y = {"y"};
  const auto rows = all_rows(frame);
  const Target real = Target::learn(frame, y, "gaussian", {}, rows);
  EXPECT_EQ(real.shift[0], 20);
  EXPECT_NEAR(real.scale[0], std::sqrt(200.0 / 3), 1e-12);
  EXPECT_NEAR(real.encode(frame, rows)(2, 0), std::sqrt(1.5), 1e-12);
  EXPECT_NEAR(real.log_scale(), 0.5 * std::log(200.0 / 3), 1e-12);
  const Target positive = Target::learn(frame, y, "gamma", {}, rows);
  EXPECT_EQ(positive.shift[0], 0);
  EXPECT_EQ(positive.encode(frame, rows)(2, 0), 1.5);
  const Target counts = Target::learn(frame, y, "poisson", {}, rows);
  EXPECT_EQ(counts.encode(frame, rows)(2, 0), 30);
  EXPECT_EQ(counts.log_scale(), 0);
}

// A probability has no unit: minus log_scale(), the log-density of 0 is log P(0) in any unit.
TEST(Target, TheProbabilityOfAnAtomHasNoUnit) {
  const Names y = {"y"};
  for (const auto& values : {Names{"0", "10", "20"}, Names{"0", "0.001", "0.002"}}) {
    const Frame frame = column_of(values);
    const Target target = Target::learn(frame, y, "zero-inflated-gamma", {}, all_rows(frame));
    const auto family = std::get<ZeroInflatedGamma>(target.make());
    const double out[] = {0, 0, std::log(3.0)};
    double phi[4];
    family.link(out, phi);
    const double zero = 0;
    EXPECT_NEAR(family.log_density(phi, &zero) - target.log_scale(), std::log(0.75), 1e-12);
  }
}

TEST(Target, ScalesAreThoseOfTraining) {
  const Frame frame = column_of({"10", "20", "1000"});
  const Names y = {"y"};
  const std::vector<Index> rows = {0, 1};
  EXPECT_EQ(Target::learn(frame, y, "gaussian", {}, rows).shift[0], 15);
}

TEST(Target, ClassesAreNumbered) {
  const Frame frame = column_of({"b", "c", "a", "b"});
  const Names y = {"y"};
  const auto rows = all_rows(frame);
  const Target target = Target::learn(frame, y, "categorical", {}, rows);
  EXPECT_EQ(target.classes, (Names{"a", "b", "c"}));
  EXPECT_EQ(target.options.classes, 3);
  EXPECT_EQ(target.encode(frame, rows)(1, 0), 2);
  const Frame other = column_of({"a", "d"});
  EXPECT_EQ(message_of<Error>([&] { target.encode(other, all_rows(other)); }),
            "t.csv: line 3, column 'y': the class 'd' is not one of 'a', 'b', 'c'");
  EXPECT_NE(message_of<UsageError>([&] {
              Target::learn(frame, y, "bernoulli", {}, rows);
            }).find("two classes"),
            std::string::npos);
}

TEST(Target, AMissingValueIsNamed) {
  const Names y = {"y"};
  for (const auto& [values, family] : {std::pair(Names{"a", "", "b"}, "bernoulli"),
                                       std::pair(Names{"1", "NA", "2"}, "gaussian")}) {
    const Frame frame = column_of(values);
    EXPECT_EQ(message_of<Error>(
                  [&, &name = family] { Target::learn(frame, y, name, {}, all_rows(frame)); }),
              "t.csv: line 3, column 'y': the target is missing");
  }
}

TEST(Target, SeveralRealColumns) {
  const Frame frame = parse_frame("a,b\n1,10\n3,30\n", "t.csv");
  const Names names = {"a", "b"};
  const auto rows = all_rows(frame);
  const Target target = Target::learn(frame, names, "gaussian", {}, rows);
  EXPECT_EQ(target.encode(frame, rows)(1, 0), 1);
  EXPECT_EQ(target.encode(frame, rows)(1, 1), 1);
  EXPECT_THROW(Target::learn(frame, names, "poisson", {}, rows), UsageError);
}

TEST(Target, WhatTheFamilyDoesNotKnowIsNamed) {
  const Frame frame = column_of({"1", "2.5", "-1"});
  const Names y = {"y"};
  const auto rows = all_rows(frame);
  const Target target = Target::learn(frame, y, "poisson", {}, rows);
  EXPECT_EQ(message_of<Error>([&] { target.encode(frame, rows); }),
            "t.csv: line 3, column 'y': '2.5' is outside the support of the poisson family: 0, 1, "
            "2, ...; choose another family");
  const Frame words = column_of({"a", "b"});
  EXPECT_NE(message_of<UsageError>([&] {
              Target::learn(words, y, "gaussian", {}, all_rows(words));
            }).find("has no numbers"),
            std::string::npos);
}

TEST(CompleteRows, LackNoneOfTheColumns) {
  const Frame frame = parse_frame("a,b,c\n1,x,\n,y,1\n3,,2\n4,z,NA\n", "t.csv");
  EXPECT_EQ(complete_rows(frame, Names{"a", "b"}), (std::vector<Index>{0, 3}));
}

}  // namespace
}  // namespace probmix::test
