// Studies as lists of runs, spread over machines, with settings chosen on validation rows.
#include "probmix/sweep/study.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/sweep/choice.hpp"
#include "support/message.hpp"
#include "sweep/plan_support.hpp"

namespace probmix::test {
namespace {

// A made-up cell: its validation NLL is (α − best)², plus a number for each repeat.
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
  std::vector<StudyRun> runs;
  add_runs(cell("a", "erm", 1), alphas({1, 2, 3}), {0, 1}, runs);
  EXPECT_EQ(runs.size(), 2U);
  add_runs(cell("a", "mix", 1), alphas({1, 2, 3}), {0, 1}, runs);
  EXPECT_EQ(runs.size(), 8U);
  EXPECT_EQ(runs[7].execute()["test"]["nll"], 104);
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
  // The summary makes the same choice, and leaves out the other settings.
  std::vector<RunRecord> all = first;
  for (const RunRecord& record : best) {
    if (record.configuration["split"].get<int>() >= 2) all.push_back(record);
  }
  const auto cells = sum_up(study_layout("uci"), all);
  ASSERT_EQ(cells.size(), 3U);
  EXPECT_EQ(cells[1].settings["alpha"], 2);
  EXPECT_EQ(cells[1].group.done.size(), 4U);
  EXPECT_NEAR(mean_of(cells[1], study_layout("uci"), "test_nll"), 150.04, 1e-9);
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
  EXPECT_EQ(first_runs(one).size(), 3U);
  StudyPlan toy = one;
  toy.name = "toy-regression";  // goes through its grid
  toy.settings = alphas({1, 2});
  EXPECT_FALSE(toy.tunes());
  EXPECT_EQ(first_runs(toy).size(), 6U);
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
  records[2] = record(1, 0, 1e9);
  records[2].result = {{"validation", "?"}};
  EXPECT_THROW(best_settings(records, {"dataset"}, "split"), Error);
}

RunRecord tuned(double alpha, int split, double nll) {
  return {
      .configuration = {{"dataset", "a"}, {"method", "mix"}, {"alpha", alpha}, {"split", split}},
      .result = {{"validation", {{"nll", nll}}}}};
}

TEST(BestSettings, FewestFailuresIfAllHaveSome) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<RunRecord> records = {tuned(1, 0, nan), tuned(1, 1, nan), tuned(2, 0, 99),
                                    tuned(2, 1, nan), tuned(3, 0, 5),   tuned(3, 1, 1)};
  const auto choose = [&] { return choose_settings(records, {"dataset", "method"}, "split"); };
  EXPECT_EQ(choose().runs.front(), &records[4]);
  EXPECT_EQ(choose().remark, "");
  records[5].status = RunStatus::diverged;
  records[4].status = RunStatus::diverged;
  EXPECT_EQ(choose().runs.front(), &records[2]);
  EXPECT_EQ(choose().remark,
            "no setting of a mix has a finite validation NLL on every split that is compared; the "
            "one with the fewest failures is used");
}

// For example a study first run with fixed settings, then tuned in the same file.
TEST(BestSettings, OtherRepeatsThanThoseForTuningDoNotChangeTheChoice) {
  std::vector<RunRecord> records = {tuned(1, 1, -90), tuned(1, 0, 4), tuned(2, 0, 3),
                                    tuned(2, 1, 50)};
  const auto alpha = [&] {
    return best_settings(records, {"dataset", "method"}, "split").front()->configuration["alpha"];
  };
  EXPECT_EQ(alpha(), 1);  // none was for tuning: both splits count
  records[2].tuning = {{"alpha", {1.0, 2.0}}, {"repeats", {0}}};
  EXPECT_EQ(alpha(), 2);
  records[2].tuning["repeats"] = {7};  // which not all have
  EXPECT_EQ(alpha(), 1);
}

TEST(BestSettings, WithoutACommonRepeatTheOneWithTheMostRuns) {
  const std::vector<RunRecord> records = {tuned(1, 0, -9), tuned(2, 1, 5), tuned(2, 2, 5)};
  const Choice choice = choose_settings(records, {"dataset", "method"}, "split");
  EXPECT_EQ(choice.runs.front(), &records[1]);
  EXPECT_EQ(choice.remark,
            "the settings of a mix have no split in common to compare them on; the one with the "
            "most runs is used");
}

TEST(Plan, SeveralSettingsNeedValidation) {
  StudyPlan plan{.name = "uci",
                 .cells = {cell("a", "mix", 1)},
                 .settings = alphas({1, 2}),
                 .repeats = {0, 1},
                 .tuning = {0},
                 .has_validation = false};
  EXPECT_NE(message_of<UsageError>([&] { first_runs(plan); }).find("`validation` above 0"),
            std::string::npos);
  plan.settings = alphas({1});
  EXPECT_NO_THROW(first_runs(plan));
}

// If no run is marked for tuning, a report compares on all repeats that the settings share, and so
// does the plan.
TEST(Plan, ChoosesOnAllRepeatsThatTheFileHas) {
  const StudyPlan plan{.name = "uci",
                       .cells = {cell("a", "mix", 1)},
                       .settings = alphas({1, 2}),
                       .repeats = {0, 1, 2},
                       .tuning = {0}};
  const auto first = records_of(first_runs(plan));
  std::vector<RunRecord> in_file = first;
  for (const double alpha : {1, 2, 3}) {
    for (const int split : {1, 2}) {
      in_file.push_back(first[0]);
      in_file.back().configuration["alpha"] = alpha;
      in_file.back().configuration["split"] = split;
      in_file.back().result["validation"]["nll"] = alpha == 2 ? -50 : 50;
    }
  }
  const StudyLayout& layout = study_layout("uci");
  const auto all = with_other_repeats(first, in_file, layout.cell_keys(), layout.repeat);
  EXPECT_EQ(all.size(), 6U);  // α = 3 is not of the plan
  EXPECT_EQ(best_runs(plan, first)[0].configuration["alpha"], 1);
  EXPECT_EQ(best_runs(plan, all)[0].configuration["alpha"], 2);
  EXPECT_EQ(sum_up(layout, all)[0].settings["alpha"], 2);  // as a report
}

TEST(Plan, AChoiceThatWasNotFinishedIsTold) {
  const StudyPlan plan{.name = "uci",
                       .cells = {cell("a", "erm", 1), cell("a", "mix", 1), cell("b", "mix", 1)},
                       .settings = alphas({1, 2}),
                       .repeats = {0, 1, 2},
                       .tuning = {0, 1}};
  std::vector<RunRecord> records =
      Sweep(plan.name, "").run(first_runs(plan), {.tuning = tuning_note(plan)});
  ASSERT_EQ(records.size(), 10U);
  const auto told = [&] {
    return unfinished_choices(records, study_layout("uci").cell_keys(), "split");
  };
  EXPECT_EQ(told(), "");
  records.pop_back();
  EXPECT_EQ(told(),
            "the choice of settings for b mix is unfinished: tuning runs are missing, and with "
            "them other settings might be chosen");
  records.resize(3);  // erm, and one run of mix
  EXPECT_NE(told().find("for a mix is"), std::string::npos) << told();
  // Further runs do not replace the missing ones.
  records.push_back(records[2]);
  records.back().configuration["split"] = 2;
  records.back().tuning = {};
  EXPECT_NE(told(), "");
}

}  // namespace
}  // namespace probmix::test
