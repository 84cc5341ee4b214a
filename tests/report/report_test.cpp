// Reports from records alone.
#include "probmix/report/report.hpp"

#include <gtest/gtest.h>

#include "experiment/plan_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/experiment/toy_classification.hpp"
#include "probmix/experiment/toy_regression.hpp"
#include "report/markup_check.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

template <class Toy>
StudyRecords toy_records(const std::string& name, const std::vector<MixOptions>& settings) {
  Toy toy;
  toy.trial.train.epochs = 3;
  toy.trial.members = 3;
  toy.test_rows = 20;
  return {name, records_of(first_runs({.name = name,
                                       .cells = toy_cells(toy, methods_named({"erm", "m-probmix"})),
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

const Table& table_named(const Report& report, const std::string& name) {
  const auto found = std::ranges::find(report.tables, name, &NamedTable::name);
  if (found == report.tables.end()) throw Error("no table " + name);
  return found->table;
}

TEST(Report, OfToyStudiesHasTheirPictures) {
  const std::vector<StudyRecords> studies = {
      toy_records<ToyRegression>("toy-regression", {{}}),
      toy_records<ToyClassification>("toy-classification", {{.alpha = 0.1}, {.alpha = 1}})};
  const Report report = make_report(studies, std::vector<std::string>{"a <remark>"});
  EXPECT_EQ(markup_error(report.html), "");
  EXPECT_NE(report.html.find("a &lt;remark&gt;"), std::string::npos);
  EXPECT_NE(report.html.find("Predictive densities"), std::string::npos);
  EXPECT_NE(report.html.find("Of the first runs: α = 0.1"), std::string::npos);
  EXPECT_NE(report.html.find("Reliability"), std::string::npos);
  EXPECT_NE(report.html.find("Calibration on the ood rows"), std::string::npos);
  EXPECT_EQ(table_named(report, "toy-classification-scores").rows.size(), 4U);
  EXPECT_EQ(table_named(report, "toy-regression-scores").rows.size(), 2U);
}

TEST(Report, ComparesMethodsOverDataSets) {
  const std::vector<StudyRecords> studies = {uci_records()};
  const Report report = make_report(studies);
  const Table& ranks = table_named(report, "uci-test-nll-ranks");
  EXPECT_EQ(ranks.rows[0].cells[0].text, "probmix");
  EXPECT_EQ(ranks.rows[0].cells[1].text, "1.00");
  // All ten differences are of one sign and size: p by the normal approximation, 0.0016.
  const Table& tests = table_named(report, "uci-test-nll-tests");
  ASSERT_EQ(tests.rows.size(), 1U);
  EXPECT_EQ(tests.rows[0].cells[1].text, "-1 (p 0.0016)");
  EXPECT_TRUE(tests.rows[0].cells[1].best);
  const Table& wins = table_named(report, "uci-test-nll-wins");
  EXPECT_EQ(wins.rows[1].cells[1].text, "2");  // probmix over erm
  EXPECT_EQ(wins.rows[0].cells[2].text, "0");
  // The paper's figures for yacht: 0.44 ± 0.94 for erm, 1.39 ± 0.42 for probmix.
  const Table& paper = table_named(report, "uci-test-nll-paper");
  EXPECT_NE(paper.rows[0].cells[1].text.find("[1.39 ± 0.42] ▴"), std::string::npos)
      << paper.rows[0].cells[1].text;
  EXPECT_NE(report.html.find("a ProbMix method has the best test NLL for 2 of 2 data sets "
                             "(1.0 if all were alike)."),
            std::string::npos);
  EXPECT_EQ(count(report.html, "<h2"), 1U);
  // The same RMSE everywhere: no method differs.
  EXPECT_EQ(table_named(report, "uci-test-rmse-wins").rows[1].cells[1].text, "0");
  EXPECT_EQ(table_named(report, "uci-test-rmse-ranks").rows[0].cells[1].text, "1.50");
  // Ten splits of ten rows, of a data set with sixty: the band is for two times sixty.
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
  EXPECT_EQ(table.rows[0].cells[1].text, "-1 (p 0.0016)");
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

TEST(Report, TellsThatMethodsHaveDifferentSplits) {
  std::vector<StudyRecords> studies = {uci_records()};
  const auto has_column = [&] {
    const Report report = make_report(studies);
    const Table& table = table_named(report, "uci-scores");
    return std::ranges::count(table.columns, "splits", &Column::header) == 1;
  };
  EXPECT_FALSE(has_column());
  studies[0].records.pop_back();
  EXPECT_TRUE(has_column());
  EXPECT_NE(make_report(studies).html.find("Not all methods have the same splits"),
            std::string::npos);
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

// One split on which the better method collapses turns the mean around, and not the test.
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
  EXPECT_TRUE(table_named(report, "uci-test-nll-tests").rows[0].cells[1].text.starts_with("-1.95"));
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
  EXPECT_EQ(table_named(report, "uci-test-nll-ranks").rows[0].cells[1].text, "1.50");
  EXPECT_NE(report.html.find("for 1 of 2 data sets, not for yacht (1.0 if all were alike)."), std::string::npos);
  EXPECT_NE(report.html.find("1 of 40 runs diverged, the first: yacht probmix (split 3), test."),
            std::string::npos);
}

TEST(Report, RefusesResultsOfAnotherShape) {
  std::vector<StudyRecords> studies = {uci_records()};
  studies[0].records[3].result["test"].erase("nll");
  EXPECT_THROW(make_report(studies), Error);
  studies[0] = uci_records();
  studies[0].records[3].result["test"]["pit"] = "flat";
  const std::string message = message_of<Error>([&] { make_report(studies); });
  EXPECT_NE(message.find("uci"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
  studies[0] = uci_records();
  studies[0].records[3].configuration["method"] = "best";
  EXPECT_THROW(make_report(studies), Error);
  EXPECT_THROW(make_report(std::vector<StudyRecords>{}), Error);
}

}  // namespace
}  // namespace probmix::test
