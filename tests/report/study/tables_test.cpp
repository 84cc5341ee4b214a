// The tables that fill pages of the documentation.
#include <gtest/gtest.h>

#include "report/study/named_table.hpp"
#include "support/message.hpp"

namespace probmix::report {
namespace {

using test::message_of;

bool has_table(const Report& report, const std::string& name) {
  return std::ranges::count(report.tables, name, &NamedTable::name) > 0;
}

Texts headers(const Table& table) {
  Texts found;
  for (const Column& column : table.columns) found.push_back(column.header);
  return found;
}

Report report_of(StudyRecords study, const std::vector<Variant>& variants = {}) {
  return make_report(std::vector<StudyRecords>{std::move(study)}, {}, variants);
}

Json scores_of(double nll) {
  return {{"nll", nll}, {"draws_nll", nll}, {"rmse", nll}, {"mse", nll}};
}

RunRecord run_of(Json configuration, double nll) {
  const Json scores = scores_of(nll);
  return {.configuration = std::move(configuration),
          .result = {{"train", scores},
                     {"validation", scores},
                     {"test", scores},
                     {"id", scores},
                     {"ood", scores},
                     {"best_epoch", 10}}};
}

// GOOG with the LSTM, where the paper's test NLLs have the order m-probmix 5.83, erm 36.5, mix 149.
StudyRecords stocks() {
  StudyRecords study{"stocks", {}};
  const auto add = [&](const char* method, double nll) {
    for (int run = 0; run < 2; ++run) {
      study.records.push_back(run_of(
          {{"dataset", "GOOG"}, {"arch", "lstm"}, {"rows", 100}, {"method", method}, {"run", run}},
          nll + run));
    }
  };
  add("erm", 100);
  add("mix", 50);
  add("m-probmix", 10);
  return study;
}

TEST(PaperTable, ShowsRanksWhereOnlyTheOrderCompares) {
  const Report report = report_of(stocks());
  const Table& table = table_named(report, "stocks-test-nll-paper");
  EXPECT_EQ(headers(table), (Texts{"method", "GOOG, lstm"}));
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0].cells[1].text, "100.5 ± 0.7 (3) [36.5 ± 6.3 (2)]");
  EXPECT_TRUE(table.rows[2].cells[1].best);
  // Ranks 3, 2, 1 against 2, 3, 1.
  EXPECT_EQ(texts(table.rows[3]), (Texts{"rank correlation", "0.50"}));
  EXPECT_TRUE(has_table(report, "stocks-train-rmse-paper"));
  const Table& ratios = table_named(report, "stocks-test-nll-ratios");
  ASSERT_EQ(ratios.rows.size(), 2U);
  EXPECT_EQ(ratios.rows[0].cells[1].text, "0.50 [4.07]");  // the paper has 148.71 / 36.52
  const Table& best = table_named(report, "stocks-test-nll-best");
  ASSERT_EQ(best.rows.size(), 1U);
  EXPECT_EQ(texts(best.rows[0]), (Texts{"GOOG, lstm", "m-probmix 10.5 ± 0.5", "mix 50.5 ± 0.5",
                                        "2/2", "m-probmix 5.83", "erm 36.5"}));
  EXPECT_TRUE(best.rows[0].cells[1].best);
  EXPECT_FALSE(best.rows[0].cells[2].best);
}

// probmix under two poolings and two α, and erm, which has neither.
StudyRecords pooling() {
  StudyRecords study{"pooling", {}};
  for (int run = 0; run < 2; ++run) {
    study.records.push_back(run_of({{"method", "erm"}, {"run", run}}, 70 + run));
    for (const char* const pooling : {"log-linear", "linear"}) {
      for (const double alpha : {0.1, 1.0}) {
        const double nll = (pooling[1] == 'i' ? 20 : 200) * alpha + run;
        study.records.push_back(run_of({{"method", "probmix"},
                                        {"pooling", pooling},
                                        {"alpha", alpha},
                                        {"beta", 0.0},
                                        {"run", run}},
                                       nll));
      }
    }
  }
  return study;
}

TEST(TablesOverAlpha, HaveARowForWhatAMethodDependsOn) {
  const Report report = report_of(pooling());
  const Table& table = table_named(report, "pooling-ood-nll-over-alpha");
  EXPECT_EQ(headers(table), (Texts{"method", "α = 0.1", "α = 1"}));
  ASSERT_EQ(table.rows.size(), 3U);
  EXPECT_EQ(texts(table.rows[0]), (Texts{"erm", "70.5 ± 0.5", "70.5 ± 0.5"}));
  EXPECT_EQ(texts(table.rows[1]),
            (Texts{"probmix, pooling log-linear", "20.5 ± 0.5", "200.5 ± 0.5"}));
  EXPECT_EQ(texts(table.rows[2]), (Texts{"probmix, pooling linear", "2.50 ± 0.50", "20.5 ± 0.5"}));
  EXPECT_TRUE(table.rows[2].cells[1].best);
  // The paper has single draws: linear 85.3 and 91.8.
  const Table& draws = table_named(report, "pooling-ood-draws-nll-over-alpha");
  EXPECT_EQ(draws.rows[2].cells[1].text, "2.50 ± 0.50 [85 ± 14] ▾");
  EXPECT_FALSE(has_table(report, "pooling-ood-draws-nll-paper"));
}

// On yacht α = 1 has the better validation NLL, on energy the preset.
StudyRecords tuned() {
  StudyRecords study{"uci", {}};
  for (const char* const dataset : {"yacht", "energy"}) {
    for (const double alpha : {0.1, 1.0}) {
      for (int split = 0; split < 4; ++split) {
        const bool better = (alpha == 1) == (dataset[0] == 'y');
        study.records.push_back(run_of({{"dataset", dataset},
                                        {"rows", 60},
                                        {"method", "probmix"},
                                        {"alpha", alpha},
                                        {"beta", 0.0},
                                        {"pooling", "log-linear"},
                                        {"split", split}},
                                       split + (better ? 0 : 1 + 0.1 * split)));
      }
    }
  }
  return study;
}

TEST(ChosenSettings, AreShownWithTheirChange) {
  const Report report = report_of(tuned());
  const Table& table = table_named(report, "uci-test-nll-chosen");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(texts(table.rows[0]), (Texts{"probmix", "1, 0: 2.65 → 1.50", "="}));
  EXPECT_TRUE(table.rows[0].cells[1].best);
  EXPECT_TRUE(has_table(report, "uci-test-rmse-chosen"));
  // Nothing was chosen where there was one setting.
  StudyRecords fixed = tuned();
  std::erase_if(fixed.records,
                [](const RunRecord& run) { return run.configuration["alpha"] == 1; });
  EXPECT_FALSE(has_table(report_of(fixed), "uci-test-nll-chosen"));
}

TEST(ChosenSettings, MayBeWorseOnTheTestRows) {
  StudyRecords study = tuned();
  for (RunRecord& run : study.records) {
    if (run.configuration["alpha"] == 1) {
      run.result["test"]["nll"] = run.result["test"]["nll"].get<double>() + 9;
    }
  }
  const Report report = report_of(study);
  const Table& table = table_named(report, "uci-test-nll-chosen");
  EXPECT_EQ(table.rows[0].cells[1].text, "1, 0: 2.65 → 10.5 (worse)");
  EXPECT_FALSE(table.rows[0].cells[1].best);
}

StudyRecords uci(double added, const Json& options) {
  StudyRecords study{"uci", {}};
  for (const char* const dataset : {"yacht", "energy"}) {
    for (int split = 0; split < 3; ++split) {
      Json configuration = {
          {"dataset", dataset}, {"rows", 60}, {"method", "probmix"}, {"split", split}};
      configuration.update(options);
      study.records.push_back(
          run_of(configuration, split + (dataset[0] == 'y' ? added * (split + 1) : 0)));
    }
  }
  return study;
}

TEST(Variants, HaveTheirPairedChanges) {
  const StudyRecords baseline = uci(0, {{"patience", 0}, {"alpha", 0.1}});
  const std::vector<Variant> variants = {{"p300", {uci(1, {{"patience", 300}, {"alpha", 0.1}})}},
                                         {"alpha1", {uci(-1, {{"patience", 0}, {"alpha", 1.0}})}},
                                         {"again", {uci(0, {{"patience", 0}, {"alpha", 0.1}})}}};
  const Report report = report_of(baseline, variants);
  const Table& changes = table_named(report, "uci-test-nll-changes");
  EXPECT_EQ(headers(changes),
            (Texts{"data set", "baseline", "patience 300", "α = 1", "again", "best epoch"}));
  // Differences of 1, 2 and 3: 2 ± 0.58.
  EXPECT_EQ(texts(changes.rows[0]),
            (Texts{"yacht", "1.00 ± 0.58", "+2.00 ± 0.58", "−2.00 ± 0.58", "0.000 ± 0.000", "10"}));
  EXPECT_TRUE(changes.rows[0].cells[2].best);
  EXPECT_FALSE(changes.rows[0].cells[4].best);
  EXPECT_EQ(changes.rows[1].cells[2].text, "0.000 ± 0.000");
  const Table& means = table_named(report, "uci-test-nll-variants");
  EXPECT_EQ(texts(means.rows[0]), (Texts{"yacht", "1.00 ± 0.58", "3.00 ± 1.15", "−1.00 ± 0.00",
                                         "1.00 ± 0.58", "1.39 ± 0.42"}));
  EXPECT_TRUE(has_table(report, "uci-train-rmse-changes"));
}

TEST(Variants, AChangeThatRoundsToZeroIsNotBold) {
  const Report report =
      report_of(uci(0, {{"patience", 0}}), {{"p", {uci(1e-6, {{"patience", 9}})}}});
  const Cell& change = table_named(report, "uci-test-nll-changes").rows[0].cells[2];
  EXPECT_EQ(change.text, "0.000 ± 0.000");
  EXPECT_FALSE(change.best);
}

TEST(Variants, MayDifferInWhatTellsCellsApart) {
  const auto toy = [](double beta) {
    StudyRecords study{"toy-regression", {}};
    for (int run = 0; run < 2; ++run) {
      study.records.push_back(run_of({{"method", "probmix"},
                                      {"pooling", "log-linear"},
                                      {"alpha", 0.1},
                                      {"beta", beta},
                                      {"run", run}},
                                     run + 100 * beta));
    }
    return study;
  };
  const Report report = report_of(toy(0), {{"b", {toy(0.01)}}});
  const Table& changes = table_named(report, "toy-regression-ood-nll-changes");
  EXPECT_EQ(headers(changes), (Texts{"baseline", "β = 0.01", "best epoch"}));
  EXPECT_EQ(texts(changes.rows[0]), (Texts{"0.50 ± 0.50", "+1.00 ± 0.00", "10"}));
}

// What differs may be the method, if baseline and variant have one each.
TEST(Variants, MayDifferInTheMethod) {
  const auto only = [](const char* name) {
    StudyRecords one = stocks();
    std::erase_if(one.records,
                  [&](const RunRecord& run) { return run.configuration["method"] != name; });
    return one;
  };
  const Report report = report_of(only("mix"), {{"other", {only("erm")}}});
  const Table& changes = table_named(report, "stocks-test-nll-changes");
  EXPECT_EQ(headers(changes)[3], "method erm");
  EXPECT_EQ(texts(changes.rows[0])[3], "+50.0 ± 0.0");
}

TEST(Variants, NeedAStudyInCommon) {
  EXPECT_EQ(message_of<Error>([] {
              report_of(stocks(), {{"p300", {uci(0, Json::object())}}});
            }),
            "the variant 'p300' has no study in common with the results");
}

// A method that one variant lacks has no change there; one that all lack has no row.
TEST(Variants, MayLackMethods) {
  const auto only = [](std::initializer_list<const char*> names) {
    StudyRecords few = stocks();
    std::erase_if(few.records, [&](const RunRecord& run) {
      return std::ranges::count(names, run.configuration["method"]) == 0;
    });
    return few;
  };
  const Report report =
      report_of(stocks(), {{"few", {only({"erm"})}}, {"more", {only({"erm", "mix"})}}});
  const Table& changes = table_named(report, "stocks-test-nll-changes");
  ASSERT_EQ(changes.rows.size(), 2U);
  EXPECT_EQ(texts(changes.rows[1]),
            (Texts{"GOOG", "lstm", "mix", "50.5 ± 0.5", "–", "0.000 ± 0.000", "10"}));
}

}  // namespace
}  // namespace probmix::report
