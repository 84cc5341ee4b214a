// Studies as lists of runs, spread over machines, with settings chosen on validation rows.
#include "probmix/experiment/study.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "experiment/plan_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/experiment/choice.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

// A made-up cell: its validation NLL is (α − best)², plus a number of the repeat's own.
StudyCell cell(std::string dataset, std::string method, double best, int* runs = nullptr) {
  return {dataset + " " + method, [](const MixOptions&) {},
          [=](const MixOptions& mix, Index split) {
            Json configuration = {
                {"dataset", dataset}, {"method", method}, {"split", split}, {"epochs", 7}};
            if (method != "erm") configuration["alpha"] = mix.alpha;
            return StudyRun{
                configuration, [=] {
                  if (runs != nullptr) ++*runs;
                  const double off = (mix.alpha - best) * (mix.alpha - best);
                  const double own = 100 * static_cast<double>(split);
                  Json scores = {{"nll", off + own}, {"draws_nll", off}, {"rmse", off}};
                  return Json{{"train", scores}, {"validation", scores}, {"test", scores}};
                }};
          }};
}

std::vector<MixOptions> alphas(std::initializer_list<double> values) {
  std::vector<MixOptions> settings;
  for (const double alpha : values) settings.push_back({.alpha = alpha});
  return settings;
}

TEST(Study, HasARunOnceForAllValuesOfAnOptionThatItsMethodDoesNotUse) {
  Study study("uci");
  study.add(cell("a", "erm", 1), alphas({1, 2, 3}), {0, 1});
  EXPECT_EQ(study.configurations().size(), 2U);
  study.add(cell("a", "mix", 1), alphas({1, 2, 3}), {0, 1});
  EXPECT_EQ(study.configurations().size(), 8U);
  EXPECT_EQ(study.execute(study.configurations()[7])["test"]["nll"], 104);
  EXPECT_EQ(message_of<Error>([&] {
              study.execute({{"run", 9}});
            }),
            "no run of the study 'uci' has the configuration {\"run\":9}");
}

TEST(Shards, ArePartsOfTheCells) {
  std::vector<StudyCell> cells;
  for (int k = 0; k < 10; ++k) cells.push_back(cell(std::to_string(k), "mix", 1));
  std::multiset<std::string> names;
  for (Index number = 1; number <= 3; ++number) {
    const auto part = shard_of(cells, {number, 3});
    EXPECT_GE(part.size(), 3U);
    for (const StudyCell& c : part) names.insert(c.name);
  }
  EXPECT_EQ(names.size(), 10U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), 10U);
  EXPECT_EQ(shard_of(cells, {}).size(), 10U);
  for (const Shard wrong : {Shard{0, 3}, Shard{4, 3}, Shard{1, 0}, Shard{-1, -1}}) {
    EXPECT_THROW(shard_of(cells, wrong), UsageError);
  }
}

TEST(Plan, SettingsAreComparedOnAFewRepeatsAndTheBestGoesThroughAll) {
  int runs = 0;
  const StudyPlan plan{.name = "uci",
                       .cells = {cell("a", "erm", 0, &runs), cell("a", "mix", 2.2, &runs),
                                 cell("b", "mix", 0.9, &runs)},
                       .settings = alphas({1, 2, 3}),
                       .repeats = {0, 1, 2, 3},
                       .tuning = {0, 1}};
  ASSERT_TRUE(plan.tunes());
  const auto first = records_of(first_runs(plan));
  EXPECT_EQ(first.size(), 2U + 6U + 6U);
  EXPECT_EQ(runs, 14);
  const auto best = records_of(best_runs(plan, first));
  ASSERT_EQ(best.size(), 12U);
  for (const RunRecord& record : best) {
    const Json& run = record.configuration;
    if (run["method"] == "erm") continue;
    EXPECT_EQ(run["alpha"], run["dataset"] == "a" ? 2 : 1);
  }
  // Summed up, the choice is the same, and the other settings are left out.
  std::vector<RunRecord> all = first;
  for (const RunRecord& record : best) {
    if (record.configuration["split"].get<int>() >= 2) all.push_back(record);
  }
  const auto cells = sum_up(study_view("uci"), all);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[1].settings["alpha"], 2);
  EXPECT_EQ(cells[1].group.done.size(), 4U);
  EXPECT_NEAR(mean_of(cells[1], study_view("uci"), "test_nll"), 150.04, 1e-9);
  EXPECT_EQ(cells[2].settings["alpha"], 1);
  EXPECT_FALSE(cells[0].settings.contains("alpha"));
}

TEST(Plan, WithOneSettingThereIsNothingToTune) {
  const StudyPlan one{.name = "uci",
                      .cells = {cell("a", "mix", 1)},
                      .settings = alphas({1}),
                      .repeats = {0, 1, 2},
                      .tuning = {0}};
  EXPECT_FALSE(one.tunes());
  EXPECT_EQ(first_runs(one).configurations().size(), 3U);
  StudyPlan toy = one;
  toy.name = "toy-regression";  // goes through its grid
  toy.settings = alphas({1, 2});
  EXPECT_FALSE(toy.tunes());
  EXPECT_EQ(first_runs(toy).configurations().size(), 6U);
}

TEST(BestSettings, CompareOnlyTheRepeatsThatAllHave) {
  // α = 1 is better on split 0, which both have; α = 2 has run the easy split 1 as well.
  const auto record = [](double alpha, int split, double nll) {
    return RunRecord{.configuration = {{"dataset", "a"}, {"alpha", alpha}, {"split", split}},
                     .result = {{"validation", {{"nll", nll}}}}};
  };
  std::vector<RunRecord> records = {record(2, 0, 5), record(2, 1, -90), record(1, 0, 4)};
  auto best = best_settings(records, {"dataset"}, "split");
  ASSERT_EQ(best.size(), 1U);
  EXPECT_EQ(best[0], &records[2]);
  records[2].status = RunStatus::diverged;
  best = best_settings(records, {"dataset"}, "split");
  ASSERT_EQ(best.size(), 2U);
  EXPECT_EQ(best[0], &records[0]);
  records[0].result["validation"]["nll"] = std::numeric_limits<double>::quiet_NaN();
  records[2] = record(1, 0, 1e9);
  EXPECT_EQ(best_settings(records, {"dataset"}, "split").front(), &records[2]);
  records[2].configuration["split"] = 9;  // one that no other setting has
  EXPECT_THROW(best_settings(records, {"dataset"}, "split"), Error);
  records[2] = record(1, 0, 1e9);
  records[2].result = {{"validation", "?"}};
  EXPECT_THROW(best_settings(records, {"dataset"}, "split"), Error);
}

}  // namespace
}  // namespace probmix::test
