// The UCI study on a made-up data set.
#include "probmix/paper/uci.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "probmix/base/error.hpp"
#include "support/temporary.hpp"
#include "sweep/plan_support.hpp"

namespace probmix::test {
namespace {

class UciRuns : public InTemporaryDirectory {
 protected:
  UciRuns() {
    options.architecture.mlp.hidden = {6, 5};
    options.train.epochs = 3;
    options.members = 4;
    Stream stream(1, Purpose::test);
    for (Index r = 0; r < rows; ++r) {
      std::vector<double>& row = table.emplace_back();
      for (Index c = 0; c < 3; ++c) row.push_back(5 + stream.normal());
      row.push_back(1000 + 50 * (row[0] + 0.1 * stream.normal()));
    }
    for (Index split = 0; split < 3; ++split) {
      std::string train, test;
      for (Index r = 0; r < rows; ++r) (is_test(r, split) ? test : train) += fmt::format("{}\n", r);
      write(fmt::format("uci/made-up/index_train_{}.txt", split), train);
      write(fmt::format("uci/made-up/index_test_{}.txt", split), test);
    }
    write("uci/made-up/index_features.txt", "0\n1\n2\n");
    write("uci/made-up/index_target.txt", "3\n");
    write("uci/made-up/n_splits.txt", "3\n");
  }

  static bool is_test(Index row, Index split) { return row % 10 == split; }

  std::shared_ptr<const StudyData> data(std::string_view method = "erm") {
    std::string text;
    for (const std::vector<double>& row : table) {
      text += fmt::format("{:.17g} {:.17g} {:.17g} {:.17g}\n", row[0], row[1], row[2], row[3]);
    }
    write("uci/made-up/data.txt", text);
    FitOptions with_method = options;
    with_method.method = find_method(method);
    return read_uci(directory, "made-up", with_method);
  }

  Json run(std::string_view method, Index split = 0) {
    const auto set = data(method);
    return run_fit(*set, set->options, split);
  }

  static constexpr Index rows = 60;
  FitOptions options = uci_options();
  std::vector<std::vector<double>> table;
};

TEST_F(UciRuns, AreDeterminedByTheirConfiguration) {
  for (const char* const method : {"erm", "loc-m-probmix-star"}) {
    EXPECT_EQ(run(method), run(method));
    EXPECT_NE(run(method, 1).at("test"), run(method, 2).at("test"));
  }
}

TEST_F(UciRuns, TestRowsHaveNoPartInTraining) {
  const Json before = run("loc-m-probmix");
  for (Index r = 0; r < rows; ++r) {
    if (!is_test(r, 0)) continue;
    table[to_size(r)][3] *= 7;
    table[to_size(r)][0] *= 7;
  }
  const Json after = run("loc-m-probmix");
  EXPECT_EQ(before.at("train"), after.at("train"));
  EXPECT_EQ(before.at("validation"), after.at("validation"));
  EXPECT_EQ(before.at("best_epoch"), after.at("best_epoch"));
  EXPECT_NE(before.at("test"), after.at("test"));
}

// Data in other units: the same model, with its scores in these units.
TEST_F(UciRuns, ScoresAreInTheUnitsOfTheData) {
  const Json before = run("probmix");
  EXPECT_GT(before.at("test").at("rmse"), 5);
  for (std::vector<double>& row : table) row[3] *= 16;  // a power of two: no rounding
  const Json after = run("probmix");
  for (const char* const score : {"rmse", "crps"}) {
    EXPECT_NEAR(after.at("test").at(score).get<double>(),
                16 * before.at("test").at(score).get<double>(), 1e-9);
  }
  EXPECT_NEAR(after.at("test").at("nll").get<double>(),
              before.at("test").at("nll").get<double>() + std::log(16.0), 1e-12);
}

TEST_F(UciRuns, DataAndSplitArePartOfTheIdentity) {
  const auto identity = [&](Index split) {
    const auto set = data();
    return run_identity(configuration_of(*set, set->options, split));
  };
  const std::string first = identity(0);
  EXPECT_NE(identity(1), first);
  const std::string before = read(directory / "uci/made-up/index_test_0.txt");
  write("uci/made-up/index_test_0.txt", before.substr(2));  // without row 0
  EXPECT_NE(identity(0), first);
  write("uci/made-up/index_test_0.txt", before);
  EXPECT_EQ(identity(0), first);
  table[3][1] += 1e-9;
  EXPECT_NE(identity(0), first);
}

TEST_F(UciRuns, CellsAreDataSetsTimesMethods) {
  const auto first = data();
  StudyData renamed = *first;
  renamed.name = "other";
  renamed.identity["dataset"] = "other";
  const std::vector<std::shared_ptr<const StudyData>> sets = {
      first, std::make_shared<const StudyData>(renamed)};
  const auto cells = study_cells(sets, methods_named({"erm", "mix"}));
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[2].name, "other erm");
  EXPECT_THROW(cells[0].run({}, 3), UsageError);  // there are three splits, from 0 on
  // 43 of 54 rows are for training.
  EXPECT_THROW(study_cells(sets, methods_named({"loc-mix"}))[0].check({.neighbours = 43}),
               UsageError);
  EXPECT_NO_THROW(study_cells(sets, methods_named({"loc-mix"}))[0].check({.neighbours = 42}));
  const auto records = records_of(
      first_runs({.name = "uci", .cells = cells, .settings = {{}}, .repeats = {0, 1}}), 2);
  const auto summary = sum_up(study_layout("uci"), records);
  ASSERT_EQ(summary.size(), 4U);
  EXPECT_EQ(summary[3].keys["dataset"], "other");
}

}  // namespace
}  // namespace probmix::test
