#include "probmix/report/study/paired.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace probmix::report {
namespace {

TEST(PairedChange, IsOverTheRepeatsThatBothHave) {
  const PairedChange change =
      paired_change({{"0", 1}, {"1", 2}, {"2", 3}, {"7", 100}}, {{"0", 2}, {"1", 4}, {"2", 6}});
  EXPECT_EQ(change.pairs, 3U);
  EXPECT_DOUBLE_EQ(change.before, 2);
  EXPECT_DOUBLE_EQ(change.after, 4);
  EXPECT_DOUBLE_EQ(change.difference.mean, 2);
  EXPECT_DOUBLE_EQ(change.difference.se, 1 / std::sqrt(3.0));  // of 1, 2, 3
  EXPECT_EQ(change.direction(), 1);
  EXPECT_EQ(paired_change({{"0", 1}}, {{"1", 1}}).pairs, 0U);
}

TEST(PairedChange, NeedsTwoStandardErrorsForADirection) {
  // Differences −3 and −1: mean −2, standard error 1; then −4 and 0: standard error 2.
  EXPECT_EQ(paired_change({{"0", 3}, {"1", 1}}, {{"0", 0}, {"1", 0}}).direction(), -1);
  EXPECT_EQ(paired_change({{"0", 4}, {"1", 0}}, {{"0", 0}, {"1", 0}}).direction(), 0);
  EXPECT_EQ(paired_change({{"0", 4}}, {{"0", 0}}).direction(), 0);  // a single pair
  EXPECT_EQ(paired_change({{"0", 4}, {"1", 0}}, {{"0", 4}, {"1", 0}}).direction(), 0);  // the same
}

TEST(RepeatScores, LeavesOutWhatFailed) {
  const StudyLayout& layout = study_layout("uci");
  RunRecord good{.configuration = {{"split", 3}}, .result = {{"test", {{"nll", 1.5}}}}};
  RunRecord infinite{.configuration = {{"split", 4}},
                     .result = {{"test", {{"nll", std::numeric_limits<double>::infinity()}}}}};
  RunRecord diverged{.configuration = {{"split", 5}}, .status = RunStatus::diverged};
  const std::vector<const RunRecord*> runs = {&good, &infinite, &diverged};
  EXPECT_EQ(repeat_scores(layout, 0, runs), (RepeatScores{{"3", 1.5}}));
}

}  // namespace
}  // namespace probmix::report
