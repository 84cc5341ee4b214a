#include "probmix/model/folds.hpp"

#include <gtest/gtest.h>

#include <set>

#include "support/message.hpp"

namespace probmix::test {
namespace {

Frame table(Index rows) {
  std::string text = "t,g,y\n";
  for (Index r = 0; r < rows; ++r) {
    text += fmt::format("{},{},{}\n", (r * 7) % rows, "abcdef"[r % 6], r);
  }
  return parse_frame(text, "t.csv");
}

const std::vector<std::string> y = {"y"};

const std::vector<Index>& test_of(const Fold& fold) { return fold.judged.at(0).examples; }

FitOptions with(const SeriesShape& shape, const SeriesRules& rules = {}) {
  FitOptions options;
  options.series = shape;
  options.rules = rules;
  return options;
}

// Every example is tested once, and never with a model that has seen it.
void expect_a_partition(const std::vector<Fold>& folds, Index n) {
  std::multiset<Index> judged;
  for (const Fold& fold : folds) {
    judged.insert(test_of(fold).begin(), test_of(fold).end());
    const std::set<Index> seen(fold.train.begin(), fold.train.end());
    for (const Index k : test_of(fold)) EXPECT_FALSE(seen.contains(k));
    EXPECT_EQ(std::ssize(fold.train) + std::ssize(test_of(fold)), n);
  }
  EXPECT_EQ(std::ssize(judged), n);
  EXPECT_EQ(std::ssize(std::set<Index>(judged.begin(), judged.end())), n);
}

TEST(Folds, AreAPartition) {
  const Frame frame = table(43);
  const Examples examples = find_examples(frame, {}, {}, y);
  const std::vector<Fold> folds = make_folds(frame, {}, examples, {}, 5, 1);
  expect_a_partition(folds, 43);
  for (const Fold& fold : folds) EXPECT_NEAR(static_cast<double>(test_of(fold).size()), 8.6, 1);
  const std::vector<Fold> other = make_folds(frame, {}, examples, {}, 5, 2);
  EXPECT_NE(test_of(folds[0]), test_of(other[0]));
}

TEST(Folds, HaveEqualSharesOfClasses) {
  const Frame frame = table(60);
  const Examples examples = find_examples(frame, {}, {}, y);
  std::vector<std::int64_t> classes(60, 0);
  for (std::size_t k = 0; k < 60; k += 6) classes[k] = 1;  // ten of sixty
  for (const Fold& fold : make_folds(frame, {}, examples, classes, 5, 1)) {
    Index rare = 0;
    for (const Index k : test_of(fold)) rare += classes[to_size(k)];
    EXPECT_EQ(rare, 2);
  }
}

TEST(Folds, KeepGroupsTogether) {
  const Frame frame = table(60);
  const SeriesShape shape{.group = "g"};
  const Examples examples = find_examples(frame, shape, {}, y);
  const std::vector<Fold> folds = make_folds(frame, with(shape), examples, {}, 3, 1);
  expect_a_partition(folds, 60);
  for (const Fold& fold : folds) {
    EXPECT_EQ(test_of(fold).size(), 20U);
    std::set<Index> groups;
    for (const Index k : test_of(fold)) groups.insert(k % 6);
    EXPECT_EQ(groups.size(), 2U);
  }
  EXPECT_EQ(message_of<Error>([&] { make_folds(frame, with(shape), examples, {}, 7, 1); }),
            "6 groups are too few for 7 folds; use fewer folds");
}

TEST(Folds, InTimeLearnFromThePast) {
  const Frame frame = table(60);
  const SeriesShape shape{.time = "t"};
  const Examples examples = find_examples(frame, shape, {}, y);
  const std::vector<Fold> folds = make_folds(frame, with(shape), examples, {}, 4, 1);
  const std::vector<double> time = times_of(frame, shape, examples).target;
  std::size_t before = 0;
  for (const Fold& fold : folds) {
    double latest = -1, earliest = 1e9;
    for (const Index k : fold.train) latest = std::max(latest, time[to_size(k)]);
    for (const Index k : test_of(fold)) earliest = std::min(earliest, time[to_size(k)]);
    EXPECT_LT(latest, earliest);
    EXPECT_EQ(test_of(fold).size(), 12U);
    EXPECT_GT(fold.train.size(), before);
    before = fold.train.size();
  }
}

// Rows 16 to 19 are the test period; a window of 3 and a horizon of 1 span 4 rows.
TEST(Folds, TheLastRowsMayBeTheTestPeriod) {
  std::string text = "y\n";
  for (int r = 0; r < 20; ++r) text += fmt::format("{}\n", r);
  const Frame frame = parse_frame(text, "t.csv");
  const SeriesShape shape{.window = 3, .horizon = 1};
  const Examples examples = find_examples(frame, shape, {}, y);
  const auto targets = [&](const std::vector<Index>& chosen) {
    return take(examples.target, chosen);
  };
  using Rows = std::vector<Index>;
  const Fold keep = last_fold(frame, with(shape, {.straddling = Straddling::keep}), examples, 0.2);
  EXPECT_EQ(targets(test_of(keep)), (Rows{16, 17, 18, 19}));
  EXPECT_EQ(targets(keep.train).back(), 15);
  const Fold drop = last_fold(frame, with(shape, {.straddling = Straddling::drop}), examples, 0.2);
  EXPECT_EQ(targets(test_of(drop)), (Rows{19}));
  EXPECT_EQ(targets(drop.train).back(), 15);
  EXPECT_TRUE(test_of(last_fold(frame, with(shape), examples, 0)).empty());
  EXPECT_THROW(last_fold(frame, with(shape), examples, 1), UsageError);
  EXPECT_THROW(last_fold(frame, with(shape, {.straddling = Straddling::drop}), examples, 0.1),
               Error);
}

}  // namespace
}  // namespace probmix::test
