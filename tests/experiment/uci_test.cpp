// The UCI study on a made-up data set.
#include "probmix/experiment/uci.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiment/plan_support.hpp"
#include "probmix/base/error.hpp"

namespace probmix::test {
namespace {

class UciRuns : public testing::Test {
 protected:
  UciRuns() {
    study.network.hidden = {6, 5};
    study.trial.train.epochs = 3;
    study.trial.members = 4;
    UciData data{"made-up", Matrix<double>(60, 3), Matrix<double>(60, 1), {}};
    Stream stream(1, Purpose::test);
    for (Index r = 0; r < 60; ++r) {
      for (Index c = 0; c < 3; ++c) data.x(r, c) = 5 + stream.normal();
      data.y(r, 0) = 1000 + 50 * (data.x(r, 0) + 0.1 * stream.normal());
    }
    for (Index split = 0; split < 3; ++split) {
      UciSplit& parts = data.splits.emplace_back();
      for (Index r = 0; r < 60; ++r) (r % 10 == split ? parts.test : parts.train).push_back(r);
    }
    sets.push_back(std::move(data));
  }

  Json run(std::string_view method, Index split = 0) const {
    return run_uci(study, sets[0], find_method(method), split);
  }

  UciStudy study;
  std::vector<UciData> sets;
};

TEST_F(UciRuns, AreDeterminedByTheirConfiguration) {
  for (const char* const method : {"erm", "loc-m-probmix-star"}) {
    EXPECT_EQ(run(method), run(method));
    EXPECT_NE(run(method, 1).at("test"), run(method, 2).at("test"));
  }
}

TEST_F(UciRuns, TestRowsHaveNoPartInTraining) {
  const Json before = run("loc-m-probmix");
  for (const Index row : sets[0].splits[0].test) {
    sets[0].y(row, 0) *= 7;
    sets[0].x(row, 0) *= 7;
  }
  const Json after = run("loc-m-probmix");
  EXPECT_EQ(before.at("train"), after.at("train"));
  EXPECT_EQ(before.at("validation"), after.at("validation"));
  EXPECT_EQ(before.at("best_epoch"), after.at("best_epoch"));
  EXPECT_NE(before.at("test"), after.at("test"));
}

// Data in other units: the same model, its scores in these.
TEST_F(UciRuns, ScoresAreInTheUnitsOfTheData) {
  const Json before = run("probmix");
  EXPECT_GT(before.at("test").at("rmse"), 5);
  for (Index r = 0; r < 60; ++r) sets[0].y(r, 0) *= 16;  // a power of two: no rounding
  const Json after = run("probmix");
  EXPECT_EQ(after.at("test").at("rmse").get<double>(),
            16 * before.at("test").at("rmse").get<double>());
  EXPECT_NEAR(after.at("test").at("nll").get<double>(),
              before.at("test").at("nll").get<double>() + std::log(16.0), 1e-12);
}

TEST_F(UciRuns, DataAndSplitArePartOfTheIdentity) {
  const auto identity = [&](Index split) {
    return run_identity(configuration_of(study, sets[0], find_method("erm"), split));
  };
  const std::string first = identity(0);
  EXPECT_NE(identity(1), first);
  std::swap(sets[0].splits[0].train[0], sets[0].splits[0].test[0]);
  EXPECT_NE(identity(0), first);
  std::swap(sets[0].splits[0].train[0], sets[0].splits[0].test[0]);
  EXPECT_EQ(identity(0), first);
  sets[0].x(3, 1) += 1e-9;
  EXPECT_NE(identity(0), first);
}

TEST_F(UciRuns, CellsAreDataSetsTimesMethods) {
  sets.push_back(sets[0]);
  sets.back().name = "other";
  const auto cells = uci_cells(study, sets, methods_named({"erm", "mix"}));
  ASSERT_EQ(cells.size(), 4U);
  EXPECT_EQ(cells[2].name, "other erm");
  EXPECT_THROW(cells[0].run({}, 3), UsageError);  // there are three splits, from 0 on
  EXPECT_THROW(uci_cells(study, sets, methods_named({"loc-mix"}))[0].check({.neighbours = 44}),
               UsageError);
  const auto records = records_of(
      first_runs({.name = "uci", .cells = cells, .settings = {{}}, .repeats = {0, 1}}), 2);
  const auto summary = sum_up(study_view("uci"), records);
  ASSERT_EQ(summary.size(), 4U);
  EXPECT_EQ(summary[3].keys["dataset"], "other");
}

}  // namespace
}  // namespace probmix::test
