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

// Every example is judged once, and never by a model that has seen it.
void expect_a_partition(const std::vector<Fold>& folds, Index n) {
  std::multiset<Index> judged;
  for (const Fold& fold : folds) {
    judged.insert(fold.test.begin(), fold.test.end());
    const std::set<Index> seen(fold.train.begin(), fold.train.end());
    for (const Index k : fold.test) EXPECT_FALSE(seen.contains(k));
    EXPECT_EQ(std::ssize(fold.train) + std::ssize(fold.test), n);
  }
  EXPECT_EQ(std::ssize(judged), n);
  EXPECT_EQ(std::ssize(std::set<Index>(judged.begin(), judged.end())), n);
}

TEST(Folds, AreAPartition) {
  const Frame frame = table(43);
  const Examples examples = find_examples(frame, {}, y);
  const std::vector<Fold> folds = make_folds(frame, {}, examples, {}, 5, 1);
  expect_a_partition(folds, 43);
  for (const Fold& fold : folds) EXPECT_NEAR(static_cast<double>(fold.test.size()), 8.6, 1);
  const std::vector<Fold> other = make_folds(frame, {}, examples, {}, 5, 2);
  EXPECT_NE(folds[0].test, other[0].test);
}

TEST(Folds, HaveEqualSharesOfClasses) {
  const Frame frame = table(60);
  const Examples examples = find_examples(frame, {}, y);
  std::vector<std::int64_t> classes(60, 0);
  for (std::size_t k = 0; k < 60; k += 6) classes[k] = 1;  // ten of sixty
  for (const Fold& fold : make_folds(frame, {}, examples, classes, 5, 1)) {
    Index rare = 0;
    for (const Index k : fold.test) rare += classes[to_size(k)];
    EXPECT_EQ(rare, 2);
  }
}

TEST(Folds, KeepGroupsTogether) {
  const Frame frame = table(60);
  const SeriesShape shape{.group = "g"};
  const Examples examples = find_examples(frame, shape, y);
  const std::vector<Fold> folds = make_folds(frame, shape, examples, {}, 3, 1);
  expect_a_partition(folds, 60);
  for (const Fold& fold : folds) {
    EXPECT_EQ(fold.test.size(), 20U);
    std::set<Index> groups;
    for (const Index k : fold.test) groups.insert(k % 6);
    EXPECT_EQ(groups.size(), 2U);
  }
  EXPECT_EQ(message_of<Error>([&] { make_folds(frame, shape, examples, {}, 7, 1); }),
            "6 groups cannot be dealt out to 7 folds; take fewer folds");
}

TEST(Folds, InTimeLearnFromThePast) {
  const Frame frame = table(60);
  const SeriesShape shape{.time = "t"};
  const Examples examples = find_examples(frame, shape, y);
  const std::vector<Fold> folds = make_folds(frame, shape, examples, {}, 4, 1);
  const std::vector<double> time = example_times(frame, shape, examples);
  std::size_t before = 0;
  for (const Fold& fold : folds) {
    double latest = -1, earliest = 1e9;
    for (const Index k : fold.train) latest = std::max(latest, time[to_size(k)]);
    for (const Index k : fold.test) earliest = std::min(earliest, time[to_size(k)]);
    EXPECT_LT(latest, earliest);
    EXPECT_EQ(fold.test.size(), 12U);
    EXPECT_GT(fold.train.size(), before);
    before = fold.train.size();
  }
}

}  // namespace
}  // namespace probmix::test
