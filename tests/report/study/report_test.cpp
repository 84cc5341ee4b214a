// Reports made from records alone.
#include "probmix/report/study/report.hpp"

#include <gtest/gtest.h>

#include "probmix/base/error.hpp"
#include "probmix/paper/toys.hpp"
#include "report/page/markup_check.hpp"
#include "report/study/named_table.hpp"
#include "support/message.hpp"
#include "sweep/plan_support.hpp"

namespace probmix::report {
namespace {

using test::message_of;
using test::methods_named;
using test::records_of;

StudyRecords toy_records(const std::string& name, FitOptions options,
                         const std::vector<MixOptions>& settings) {
  options.train.epochs = 3;
  options.members = 3;
  const ToyData toy{.test_rows = 20};
  const auto data = name == "toy-classification" ? toy_classification_data(toy, options)
                                                 : toy_regression_data(toy, options);
  return {name,
          records_of(first_runs({.name = name,
                                 .cells = study_cells({data}, methods_named({"erm", "m-probmix"})),
                                 .settings = settings,
                                 .repeats = {0, 1, 2, 3, 4}}),
                     2)};
}

// A made-up study of two data sets, in which the first method is better on all splits.
StudyRecords uci_records(int splits = 10) {
  StudyRecords study{"uci", {}};
  for (const char* const dataset : {"yacht", "energy"}) {
    for (int m = 0; m < 2; ++m) {
      for (int split = 0; split < splits; ++split) {
        const double nll = split + m;
        const Json scores = {{"nll", nll},  {"draws_nll", nll},
                             {"rmse", 1.0}, {"mse", 1.0},
                             {"rows", 10},  {"pit", std::vector<double>(20, 0.05)}};
        study.records.push_back(
            {.configuration = {{"dataset", dataset},
                               {"rows", 60},
                               {"method", m == 0 ? "probmix" : "erm"},
                               {"split", split}},
             .result = {
                 {"train", scores}, {"validation", scores}, {"test", scores}, {"best_epoch", 1}}});
      }
    }
  }
  return study;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(Report, OfToyStudiesHasTheirPictures) {
  const std::vector<StudyRecords> studies = {
      toy_records("toy-regression", toy_regression_options(), {{}}),
      toy_records("toy-classification", toy_classification_options(),
                  {{.alpha = 0.1}, {.alpha = 1}})};
  const Report report = make_report(studies, std::vector<std::string>{"a <remark>"});
  EXPECT_EQ(markup_error(report.html), "");
  EXPECT_NE(report.html.find("a &lt;remark&gt;"), std::string::npos);
  EXPECT_NE(report.html.find("Predictive densities"), std::string::npos);
  EXPECT_NE(report.html.find("The first run of each method: α = 0.1"), std::string::npos);
  EXPECT_NE(report.html.find("Reliability"), std::string::npos);
  EXPECT_NE(report.html.find("Calibration on the ood rows"), std::string::npos);
  EXPECT_NE(report.html.find("Each run: OOD MSE"), std::string::npos);
  EXPECT_EQ(table_named(report, "toy-classification-scores").rows.size(), 4U);
  EXPECT_EQ(table_named(report, "toy-regression-scores").rows.size(), 2U);
}

TEST(Report, ComparesMethodsOverDataSets) {
  const std::vector<StudyRecords> studies = {uci_records()};
  const Report report = make_report(studies);
  // By NLL and RMSE, which is the same everywhere, and by the paper's figures for both.
  const Table& ranks = table_named(report, "uci-ranks");
  EXPECT_EQ(texts(ranks.rows[0]), (Texts{"test NLL", "2.00", "1.00"}));
  EXPECT_EQ(texts(ranks.rows[1]), (Texts{"test NLL, the paper's", "1.50", "1.50"}));
  EXPECT_EQ(texts(ranks.rows[2]), (Texts{"test RMSE", "1.50", "1.50"}));
  EXPECT_EQ(texts(ranks.rows[3]), (Texts{"test RMSE, the paper's", "1.50", "1.50"}));
  EXPECT_EQ(texts(ranks.rows[4]), (Texts{"validation NLL", "2.00", "1.00"}));
  EXPECT_EQ(ranks.rows.size(), 5U);
  EXPECT_TRUE(ranks.rows[0].cells[2].best);
  // All ten differences are of one sign and size: p = 2 / 2¹⁰.
  const Table& tests = table_named(report, "uci-test-nll-tests");
  ASSERT_EQ(tests.rows.size(), 1U);
  EXPECT_EQ(tests.rows[0].cells[1].text, "−1 (p 0.002)");
  EXPECT_TRUE(tests.rows[0].cells[1].best);
  const Table& wins = table_named(report, "uci-test-nll-wins");
  EXPECT_EQ(wins.rows[1].cells[1].text, "2");  // probmix over erm
  EXPECT_EQ(wins.rows[0].cells[2].text, "0");
  // The paper's figures for yacht: 0.44 ± 0.94 for erm, 1.39 ± 0.42 for probmix.
  const Table& paper = table_named(report, "uci-test-nll-paper");
  EXPECT_NE(paper.rows[0].cells[1].text.find("[1.39 ± 0.42] ▴"), std::string::npos)
      << paper.rows[0].cells[1].text;
  EXPECT_NE(report.html.find("a ProbMix method has the best test NLL on 2 of 2 data sets "
                             "(1.0 expected by chance)."),
            std::string::npos);
  EXPECT_EQ(count(report.html, "<h2"), 1U);
  // The same RMSE everywhere: nothing to test.
  EXPECT_EQ(std::ranges::count(report.tables, "uci-test-rmse-tests", &NamedTable::name), 0);
  EXPECT_NE(report.html.find("with fewer than 6 that differ, nothing can be significant"),
            std::string::npos);
  // Ten splits of ten rows, from a data set with sixty: the band is for two times sixty.
  EXPECT_NE(report.html.find("histogram of the PIT of 120 rows"), std::string::npos);
}

TEST(Report, ComparesTwins) {
  const auto twins = [](StudyRecords study) {
    const Report report = make_report(std::vector<StudyRecords>{std::move(study)});
    return std::ranges::count(report.tables, "uci-test-nll-twins", &NamedTable::name) == 1
               ? table_named(report, "uci-test-nll-twins")
               : Table{};
  };
  EXPECT_TRUE(twins(uci_records()).rows.empty());  // erm has none
  StudyRecords study = uci_records();
  for (RunRecord& record : study.records) {
    if (record.configuration.at("method") == "erm") record.configuration["method"] = "mix";
  }
  const Table table = twins(std::move(study));
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(table.rows[0].cells[0].text, "probmix − mix");
  EXPECT_EQ(table.rows[0].cells[1].text, "−1 (p 0.002)");
}

// At a level divided by the number of data sets: p = 2 / 2¹⁰ is below 0.05 / 2.
TEST(Report, SumsUpWhereTwinsDiffer) {
  StudyRecords study = uci_records();
  for (RunRecord& record : study.records) {
    if (record.configuration.at("method") == "erm") record.configuration["method"] = "mix";
    // On energy the twins differ on six splits only: p = 2 / 2⁶ is not.
    const bool alike =
        record.configuration["dataset"] == "energy" && record.configuration["split"] >= 6;
    if (alike) record.result["test"]["nll"] = 3.0;
  }
  const Report report = make_report(std::vector<StudyRecords>{study});
  const Table& table = table_named(report, "uci-twins");
  ASSERT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(texts(table.rows[0]), (Texts{"probmix − mix", "yacht 10/10", "–", "–", "–"}));
}

TEST(Twins, MixPointsAtTheSamePlace) {
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"probmix", "mix"},
      {"loc-probmix", "loc-mix"},
      {"m-probmix", "m-mix"},
      {"loc-m-probmix", "loc-m-mix"}};
  std::vector<std::pair<std::string, std::string>> found;
  for (const Method& method : methods) {
    if (const Method* const twin = twin_of(method)) {
      found.emplace_back(method.name, twin->name);
    }
  }
  EXPECT_EQ(found, expected);
}

TEST(Report, EveryHeadingIsInTheContents) {
  const Report report = make_report(std::vector<StudyRecords>{uci_records()});
  EXPECT_EQ(count(report.html, "<a href=\"#part-"),
            count(report.html, "<h2 id=") + count(report.html, "<h3 id="));
  EXPECT_NE(report.html.find("<a href=\"#part-1\">UCI regression</a>"), std::string::npos);
}

TEST(Report, TestsNeedSixPairs) {
  const auto has_tests = [](int splits) {
    const Report report = make_report(std::vector<StudyRecords>{uci_records(splits)});
    return std::ranges::count(report.tables, "uci-test-nll-tests", &NamedTable::name) == 1;
  };
  EXPECT_FALSE(has_tests(5));
  EXPECT_TRUE(has_tests(6));
}

// Six of ten splits differ on yacht, five on energy.
TEST(Report, OnlyPairsThatDifferMakeATest) {
  std::vector<StudyRecords> studies = {uci_records()};
  for (RunRecord& record : studies[0].records) {
    const int differing = record.configuration["dataset"] == "yacht" ? 6 : 5;
    if (record.configuration["split"] >= differing) record.result["test"]["nll"] = 3.0;
  }
  const Report report = make_report(studies);
  const Table& tests = table_named(report, "uci-test-nll-tests");
  EXPECT_EQ(tests.rows[0].cells[1].text, "−1 (p 0.031)");
  EXPECT_EQ(tests.rows[0].cells[2].text, "−0.5");
  EXPECT_FALSE(tests.rows[0].cells[2].best);
  EXPECT_NE(tests.caption.find("no p-value where fewer than 6 splits differ"), std::string::npos);
  EXPECT_EQ(table_named(report, "uci-test-nll-wins").rows[1].cells[1].text, "1");
}

// Three methods; one has only the first splits of yacht.
std::vector<StudyRecords> with_gaps(const std::string& method, int kept) {
  StudyRecords study = uci_records();
  const std::vector<RunRecord> two = study.records;
  for (RunRecord record : two) {
    if (record.configuration["method"] != "erm") continue;
    record.configuration["method"] = "mix";
    record.result["test"]["nll"] = record.result["test"]["nll"].get<double>() + 1;
    study.records.push_back(record);
  }
  std::erase_if(study.records, [&](const RunRecord& record) {
    const Json& run = record.configuration;
    return run["dataset"] == "yacht" && run["method"] == method && run["split"] >= kept;
  });
  return {study};
}

const Table::Row& row_of(const Table& table, const std::string& method) {
  for (const Table::Row& row : table.rows) {
    for (const Cell& cell : row.cells) {
      if (cell.text.starts_with(method + " (") || cell.text == method) return row;
    }
  }
  throw Error("no row of " + method);
}

TEST(Report, TheBestOfBothKindsAreTested) {
  const Report report = make_report(std::vector<StudyRecords>{uci_records()});
  const Table& best = table_named(report, "uci-test-nll-best");
  ASSERT_EQ(best.rows.size(), 2U);
  EXPECT_EQ(best.columns[3].header, "splits won");
  EXPECT_EQ(best.rows[0].cells[3].text, "10/10 (p 0.002)");
}

TEST(Report, MediansExtremesAndEpochs) {
  const Report report = make_report(std::vector<StudyRecords>{uci_records()});
  const Table& ranges = table_named(report, "uci-test-nll-ranges");
  EXPECT_EQ(texts(ranges.rows[0]),
            (Texts{"probmix", "4.50 (0.00 to 9.00)", "4.50 (0.00 to 9.00)"}));
  EXPECT_EQ(texts(table_named(report, "uci-best-epochs").rows[1]), (Texts{"erm", "1", "1"}));
}

// A mixture that is better than erm, of draws that are worse.
TEST(Report, SingleDrawsAreRankedAndTested) {
  StudyRecords study = uci_records();
  for (RunRecord& run : study.records) {
    if (run.configuration["method"] == "erm") continue;
    run.configuration["method"] = "m-probmix";
    run.result["test"]["draws_nll"] = run.result["test"]["nll"].get<double>() + 3;
  }
  const Report report = make_report(std::vector<StudyRecords>{study});
  const Table& ranks = table_named(report, "uci-ranks");
  EXPECT_EQ(texts(row_of(ranks, "test NLL")), (Texts{"test NLL", "2.00", "1.00"}));
  EXPECT_EQ(texts(row_of(ranks, "test, single draws")),
            (Texts{"test, single draws", "1.00", "2.00"}));
  const Table& tests = table_named(report, "uci-test-draws-nll-tests");
  ASSERT_EQ(tests.rows.size(), 1U);
  EXPECT_EQ(tests.rows[0].cells[1].text, "+2 (p 0.002)");
}

TEST(Report, AMethodWithFewerSplitsIsNotJudged) {
  const Report whole = make_report(with_gaps("probmix", 10));
  EXPECT_TRUE(whole.remarks.empty());
  EXPECT_EQ(texts(table_named(whole, "uci-ranks").rows[0]),
            (Texts{"test NLL", "2.00", "3.00", "1.00"}));
  const Report report = make_report(with_gaps("probmix", 7));
  const Table& scores = table_named(report, "uci-scores");
  EXPECT_EQ(scores.rows[0].cells[1].text, "probmix (7 of 10 splits)");
  EXPECT_FALSE(scores.rows[0].cells[2].best);
  EXPECT_TRUE(row_of(scores, "erm").cells[2].best);
  const Table& paper = table_named(report, "uci-test-nll-paper");
  EXPECT_TRUE(row_of(paper, "probmix").cells[1].text.ends_with("▴ (7 of 10 splits)"));
  EXPECT_FALSE(row_of(paper, "probmix").cells[1].best);
  EXPECT_TRUE(row_of(paper, "probmix").cells[2].best);  // energy has all of them
  // No rank; the tests use the seven pairs.
  EXPECT_EQ(texts(table_named(report, "uci-ranks").rows[0]),
            (Texts{"test NLL", "1.00", "2.00", "–"}));
  EXPECT_NE(report.html.find("1 of 3 methods have no rank because they lack splits"),
            std::string::npos);
  EXPECT_EQ(row_of(table_named(report, "uci-test-nll-tests"), "probmix").cells[1].text,
            "−1 (p 0.016)");
  EXPECT_FALSE(row_of(table_named(report, "uci-test-calibration"), "probmix").cells[3].best);
  // Among the other two on yacht no ProbMix method can win.
  EXPECT_NE(report.html.find("UCI regression: probmix has the best test NLL, "), std::string::npos);
  ASSERT_EQ(report.remarks.size(), 1U);
  EXPECT_EQ(
      report.remarks[0],
      "uci: 1 of 6 cells lack splits that other methods have, the first: probmix (yacht). "
      "They are shown but neither marked as best nor ranked; paired tests use the splits that "
      "both methods have.");
  EXPECT_NE(report.html.find("1 of 6 cells lack splits"), std::string::npos);
}

// One of two methods alone is no comparison, and other splits are as bad as fewer.
TEST(Report, OneMethodWithAllSplitsIsNotTheBest) {
  std::vector<StudyRecords> studies = {uci_records()};
  studies[0].records.pop_back();  // of erm on energy
  Report report = make_report(studies);
  EXPECT_FALSE(table_named(report, "uci-scores").rows[2].cells[2].best);
  EXPECT_TRUE(table_named(report, "uci-scores").rows[0].cells[2].best);
  // Ours have no ranks; the paper's have.
  EXPECT_EQ(table_named(report, "uci-ranks").rows[0].cells[0].text, "test NLL, the paper's");
  studies = {uci_records()};
  for (RunRecord& record : studies[0].records) {
    if (record.configuration["method"] == "erm") {
      record.configuration["split"] = record.configuration["split"].get<int>() + 1;
    }
  }
  report = make_report(studies);
  for (const Table::Row& row : table_named(report, "uci-scores").rows) {
    EXPECT_FALSE(row.cells[2].best);
  }
  EXPECT_EQ(report.html.find("has the best"), std::string::npos);
}

void diverge(StudyRecords& study, const std::string& method, int runs) {
  for (RunRecord& run : study.records) {
    const Json& configuration = run.configuration;
    if (configuration["method"] != method || configuration["split"] >= runs) continue;
    run = {.configuration = configuration, .status = RunStatus::diverged, .message = "test"};
  }
}

// Seven wins that the three diverged runs of the winner outweigh; nobody else is credited either.
TEST(Report, ADivergedRunIsTheWorstOfItsPair) {
  std::vector<StudyRecords> studies = {uci_records()};
  diverge(studies[0], "probmix", 3);
  Report report = make_report(studies);
  const Table& tests = table_named(report, "uci-test-nll-tests");
  // Ranks 8, 9, 10 against seven that share 1 to 7: 27 and 28.
  EXPECT_EQ(tests.rows[0].cells[1].text, "−1 (p 1)");
  EXPECT_FALSE(tests.rows[0].cells[1].best);
  EXPECT_EQ(table_named(report, "uci-test-nll-wins").rows[1].cells[1].text, "0");
  EXPECT_NE(report.html.find("in a paired test that run is the worse of its pair"),
            std::string::npos);
  // Eight share 3 to 10, two wins 1 and 2: p = 2 · 4 / 2¹⁰.
  diverge(studies[0], "probmix", 8);
  report = make_report(studies);
  EXPECT_EQ(table_named(report, "uci-test-nll-tests").rows[0].cells[1].text, "+∞ (p 0.0078)");
  EXPECT_EQ(table_named(report, "uci-test-nll-wins").rows[0].cells[2].text, "2");  // erm
  // Where both diverge they are alike: two pairs are left.
  diverge(studies[0], "erm", 8);
  report = make_report(studies);
  EXPECT_EQ(std::ranges::count(report.tables, "uci-test-nll-tests", &NamedTable::name), 0);
}

// A larger accuracy is the better one, so that the worst is −∞.
TEST(Report, ADivergedRunHasTheWorstAccuracy) {
  StudyRecords study{"compare-classes", {}};
  for (int m = 0; m < 2; ++m) {
    for (int fold = 0; fold < 10; ++fold) {
      Json scores = {{"nll", 1.0}, {"accuracy", 0.5 + 0.01 * m}, {"brier", 0.1}, {"ece", 0.1}};
      study.records.push_back(
          {.configuration = {{"dataset", "t"}, {"method", m == 0 ? "erm" : "mix"}, {"fold", fold}},
           .result = {{"train", scores}, {"test", scores}, {"validation", scores}}});
    }
  }
  for (std::size_t r = 10; r < 18; ++r) {
    RunRecord& run = study.records[r];
    run = {.configuration = run.configuration, .status = RunStatus::diverged, .message = "test"};
  }
  const Report report = make_report(std::vector<StudyRecords>{study});
  EXPECT_EQ(table_named(report, "compare-classes-test-accuracy-tests").rows[0].cells[1].text,
            "−∞ (p 0.0078)");
  EXPECT_EQ(table_named(report, "compare-classes-test-accuracy-wins").rows[0].cells[2].text, "1");
}

TEST(Report, CellsAsNumbers) {
  const Report report = make_report(std::vector<StudyRecords>{uci_records(2)});
  ASSERT_EQ(report.cells.size(), 1U);
  EXPECT_EQ(report.cells[0].name, "uci-cells");
  // Scores 0 and 1; the paper's figure of probmix on yacht.
  EXPECT_NE(report.cells[0].csv.find(
                "dataset,method,alpha,beta,pooling,runs,diverged,test_nll,test_nll_sd,test_nll_se,"
                "test_nll_paper,test_nll_paper_spread,test_rmse"),
            std::string::npos);
  EXPECT_NE(report.cells[0].csv.find(
                "\nyacht,probmix,,,,2,0,0.5,0.7071067811865476,0.5,1.39,0.42,1,0,0,0.92,0.35,"),
            std::string::npos)
      << report.cells[0].csv;
}

// One split on which the better method collapses reverses the mean, but not the test.
TEST(Report, ACollapsedRunDoesNotDecideATest) {
  std::vector<StudyRecords> studies = {uci_records(20)};
  for (RunRecord& record : studies[0].records) {
    const Json& run = record.configuration;
    const bool probmix = run["method"] == "probmix";
    const int split = run["split"];
    record.result["test"]["nll"] = probmix ? (split == 7 ? 1000.0 : 0.1 * split) : 1 + 0.2 * split;
  }
  const Report report = make_report(studies);
  const Table& wins = table_named(report, "uci-test-nll-wins");
  EXPECT_EQ(wins.rows[1].cells[1].text, "2");  // probmix over erm, on 19 of 20 splits
  EXPECT_EQ(wins.rows[0].cells[2].text, "0");
  EXPECT_TRUE(table_named(report, "uci-test-nll-tests").rows[0].cells[1].text.starts_with("−1.95"));
}

TEST(Report, AMethodWithADivergedRunIsNotTheBest) {
  std::vector<StudyRecords> studies = {uci_records()};
  RunRecord& run = studies[0].records[3];  // of probmix on yacht
  run = {.configuration = run.configuration, .status = RunStatus::diverged, .message = "test"};
  const Report report = make_report(studies);
  const Table& scores = table_named(report, "uci-scores");
  EXPECT_EQ(scores.rows[0].cells[1].text, "probmix (1 diverged)");
  EXPECT_FALSE(scores.rows[0].cells[2].best);
  EXPECT_TRUE(scores.rows[1].cells[2].best);
  EXPECT_EQ(texts(table_named(report, "uci-ranks").rows[0]), (Texts{"test NLL", "1.50", "1.50"}));
  EXPECT_NE(report.html.find("on 1 of 2 data sets, not on yacht (1.0 expected by chance)."),
            std::string::npos);
  EXPECT_NE(report.html.find("1 of 40 runs diverged, the first: yacht probmix (split 3), test."),
            std::string::npos);
}

TEST(Report, RefusesResultsOfAnotherShape) {
  std::vector<StudyRecords> studies = {uci_records()};
  studies[0].records[3].result["test"].erase("nll");
  EXPECT_THROW(make_report(studies), Error);
  studies[0] = uci_records();
  const std::vector<std::string> texts(20, "x");
  for (const Json& pit : {Json("flat"), Json::array({1}), Json(texts)}) {
    studies[0].records[3].result["test"]["pit"] = pit;
    EXPECT_EQ(
        message_of<Error>([&] { make_report(studies); }),
        "a run of \"probmix\": /test of the result lacks a valid pit: 20 bins, and the number "
        "of rows");
  }
  studies[0] = uci_records();
  studies[0].records[3].result["curve"] = {{"epoch", "x"}};
  EXPECT_EQ(message_of<Error>([&] { make_report(studies); }),
            "malformed curve in a run of the study \"uci\": not as probmix writes it");
  studies[0] = uci_records();
  studies[0].records[3].configuration["method"] = "best";
  EXPECT_THROW(make_report(studies), Error);
  EXPECT_THROW(make_report(std::vector<StudyRecords>{}), Error);
}

}  // namespace
}  // namespace probmix::report
