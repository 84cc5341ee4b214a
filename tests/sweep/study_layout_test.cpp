// Records of studies, grouped and summarised.
#include "probmix/sweep/study_layout.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/paper/printed.hpp"
#include "support/message.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(GroupRuns, MeansAndStandardErrors) {
  std::vector<RunRecord> records;
  for (int seed = 0; seed < 3; ++seed) {
    for (const double alpha : {1.0, infinity}) {
      records.push_back({.configuration = {{"seed", seed}, {"method", "mix"}, {"alpha", alpha}},
                         .result = {{"id", {{"nll", alpha == 1 ? seed : 5.0}}}}});
    }
  }
  records[5].status = RunStatus::diverged;
  records[5].result = nullptr;
  const auto groups = group_runs(pointers_to(records), {"method", "alpha"});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].keys, Json({{"method", "mix"}, {"alpha", 1.0}}));
  EXPECT_EQ(groups[0].done.size(), 3u);
  EXPECT_EQ(groups[0].diverged, 0);
  EXPECT_EQ(groups[0].summary("/id/nll").mean, 1);
  EXPECT_NEAR(groups[0].summary("/id/nll").se, 1 / std::sqrt(3.0), double_rounding);
  EXPECT_EQ(groups[1].keys["alpha"].get<double>(), infinity);
  EXPECT_EQ(groups[1].done.size(), 2u);
  EXPECT_EQ(groups[1].diverged, 1);
  EXPECT_EQ(groups[1].summary("/id/nll").mean, 5);
  EXPECT_EQ(group_runs(pointers_to(records), {}).size(), 1u);
  EXPECT_EQ(group_runs(pointers_to(records), {"beta"}).at(0).keys["beta"], nullptr);
  EXPECT_THROW(groups[0].summary("/ood/nll"), Error);
}

TEST(GroupRuns, ARunWithoutAKeyStandsInTheGroupsOfAllItsValues) {
  std::vector<RunRecord> records(4);
  records[0].configuration = {{"method", "erm"}};
  records[1].configuration = {{"method", "mix"}, {"alpha", 1}};
  records[2].configuration = {{"method", "mix"}, {"alpha", 2}};
  records[3].configuration = {{"method", "probmix"}, {"alpha", 2}, {"beta", 0.01}};
  const auto groups = group_runs(pointers_to(records), {"alpha", "beta", "method"});
  ASSERT_EQ(groups.size(), 5u);
  EXPECT_EQ(groups[0].keys, Json({{"alpha", 1}, {"beta", 0.01}, {"method", "erm"}}));
  EXPECT_EQ(groups[1].keys, Json({{"alpha", 2}, {"beta", 0.01}, {"method", "erm"}}));
  EXPECT_EQ(groups[0].done, groups[1].done);
}

// Scores of a made-up regression run.
Json scores(double value) {
  return {{"nll", value}, {"draws_nll", value + 1}, {"rmse", value + 2}, {"mse", value + 3}};
}

TEST(Views, SumUpTheCellsOfAGridGroupByGroup) {
  std::vector<RunRecord> records;
  for (const char* const method : {"erm", "mix"}) {
    for (const double alpha : {0.1, infinity}) {
      for (int run = 0; run < 2; ++run) {
        Json configuration = {{"method", method}, {"run", run}};
        if (method == std::string("mix")) configuration["alpha"] = alpha;
        const double value = run + (std::isinf(alpha) ? 10 : 0);
        records.push_back(
            {.configuration = configuration,
             .result = {{"train", scores(value)}, {"id", scores(value)}, {"ood", scores(value)}}});
      }
      if (method == std::string("erm")) break;
    }
  }
  const StudyLayout& layout = study_layout("toy-regression");
  const auto cells = sum_up(layout, records);
  ASSERT_EQ(cells.size(), 4u);  // erm, mix at 0.1; erm, mix at infinity
  const char* const order[] = {"erm", "mix", "erm", "mix"};
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(cells[k].method->name, order[k]);
  EXPECT_EQ(cells[1].keys["alpha"], 0.1);
  EXPECT_EQ(cells[3].scores[0].mean, 10.5);
  const Json json = to_json(layout, cells[2]);
  EXPECT_EQ(json["alpha"], "inf");
  EXPECT_EQ(json["method"], "erm");
  EXPECT_EQ(json["runs"], 2);
  EXPECT_EQ(json["id_nll"], 0.5);
  EXPECT_EQ(json["ood_draws_nll"], 1.5);
  EXPECT_TRUE(json.contains("ood_mse_se"));
}

TEST(Views, UnknownStudiesAreNamedWithTheKnownOnes) {
  const std::string message = message_of<UsageError>([] { study_layout("uic"); });
  EXPECT_NE(message.find("uci"), std::string::npos) << message;
}

TEST(Paper, FiguresStandAtTheirCells) {
  const auto figure = [](const char* study, const char* score, Json keys, const char* method) {
    const CellSummary cell{.keys = std::move(keys), .method = &find_method(method)};
    return paper_figure(study_layout(study), score, cell);
  };
  const auto boston =
      figure("uci", "test_nll", {{"dataset", "bostonHousing"}}, "loc-m-probmix-star");
  ASSERT_TRUE(boston);
  EXPECT_EQ(boston->mean, 2.52);
  EXPECT_EQ(boston->spread, 0.21);
  const auto kin8nm = figure("uci", "test_rmse", {{"dataset", "kin8nm"}}, "erm");
  ASSERT_TRUE(kin8nm);
  EXPECT_DOUBLE_EQ(kin8nm->mean, 0.0741);  // 7.41 in the paper
  EXPECT_TRUE(kin8nm->comparable);
  EXPECT_FALSE(
      figure("uci", "test_rmse", {{"dataset", "naval-propulsion-plant"}}, "erm")->comparable);
  EXPECT_FALSE(figure("uci", "test_nll", {{"dataset", "mine"}}, "erm"));
  EXPECT_FALSE(figure("uci", "train_nll", {{"dataset", "yacht"}}, "erm"));
  const auto gme =
      figure("stocks", "test_nll", {{"dataset", "GME"}, {"arch", "lstm"}}, "m-probmix");
  ASSERT_TRUE(gme);
  EXPECT_EQ(gme->mean, 67.32);
  EXPECT_FALSE(gme->comparable);
  const auto toy = [&](const char* study, const char* score, double alpha, double beta,
                       const char* pooling, const char* method) {
    return figure(study, score, {{"pooling", pooling}, {"beta", beta}, {"alpha", alpha}}, method);
  };
  EXPECT_EQ(toy("latent", "ood_draws_nll", 1e-32, 0, "log-linear", "mix")->mean, 87.1);
  EXPECT_FALSE(toy("latent", "ood_draws_nll", 1e-32, 0.01, "log-linear", "mix"));
  EXPECT_FALSE(toy("latent", "ood_draws_nll", 1e-32, 0, "linear", "probmix"));
  EXPECT_EQ(toy("pooling", "id_draws_nll", 1e-32, 0, "linear", "probmix")->mean, -0.76);
  EXPECT_EQ(toy("pooling", "ood_draws_nll", 1e-32, 0, "linear", "loc-m-probmix")->mean, 16.0);
}

}  // namespace
}  // namespace probmix::test
