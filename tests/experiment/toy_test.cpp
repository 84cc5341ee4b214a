// The toy problems, from their options to their results.
#include <gtest/gtest.h>

#include <cmath>

#include "experiment/plan_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/experiment/toy_classification.hpp"
#include "probmix/experiment/toy_regression.hpp"

namespace probmix::test {
namespace {

template <class Toy>
Toy small() {
  Toy toy;
  toy.trial.train.epochs = 20;
  toy.trial.members = 10;
  toy.test_rows = 50;
  return toy;
}

template <class Toy>
std::vector<RunRecord> run(const char* study, const Toy& toy,
                           const std::vector<const Method*>& chosen, Index runs,
                           Index threads = 2) {
  std::vector<Index> repeats;
  for (Index run = 0; run < runs; ++run) repeats.push_back(run);
  return records_of(first_runs({.name = study,
                                .cells = toy_cells(toy, chosen),
                                .settings = {toy.trial.mix},
                                .repeats = repeats}),
                    threads);
}

template <class Toy>
class ToyProblems : public testing::Test {};
using Problems = testing::Types<ToyRegression, ToyClassification>;
TYPED_TEST_SUITE(ToyProblems, Problems);

TYPED_TEST(ToyProblems, SameResultsForAnyNumberOfThreads) {
  const auto toy = small<TypeParam>();
  const auto one = run("toy-regression", toy, all_methods(), 2, 1);
  const auto two = run("toy-regression", toy, all_methods(), 2, 2);
  ASSERT_EQ(one.size(), 22U);
  for (std::size_t k = 0; k < one.size(); ++k) {
    SCOPED_TRACE(one[k].configuration.dump());
    EXPECT_EQ(one[k].result.dump(), two[k].result.dump());
    EXPECT_EQ(one[k].result.contains("pictures"), k % 2 == 0);  // the first run of each method
  }
  auto other = toy;
  other.seed = 2;
  EXPECT_NE(run("toy-regression", other, methods_named({"erm"}), 1)[0].result["train"],
            one[0].result["train"]);
}

TYPED_TEST(ToyProblems, ANewDataSetForEachRunIsAnOption) {
  auto toy = small<TypeParam>();
  const char* const picture = std::is_same_v<TypeParam, ToyRegression> ? "bands" : "regions";
  const char* const points = std::is_same_v<TypeParam, ToyRegression> ? "train_x" : "train_x1";
  const auto rows = [&](Index number) {
    return run_toy(toy, find_method("erm"), number, true)["pictures"][picture][points];
  };
  EXPECT_EQ(rows(0), rows(1));
  toy.new_data = true;
  EXPECT_NE(rows(0), rows(1));
}

TYPED_TEST(ToyProblems, RefuseWrongOptionsBeforeAnyTraining) {
  const auto refused = [](const TypeParam& toy, const char* method) {
    const auto cells = toy_cells(toy, methods_named({method}));
    EXPECT_THROW(cells[0].check(toy.trial.mix), UsageError);
  };
  TypeParam toy;
  toy.trial.mix.neighbours = 80;  // as many as there are training rows
  refused(toy, "loc-mix");
  toy = {};
  toy.trial.members = -1;
  refused(toy, "erm");
  toy = {};
  toy.trial.mix.alpha = -1;
  refused(toy, "erm");
  toy = {};
  toy.trial.train.epochs = 0;
  refused(toy, "erm");
  toy = {};
  toy.network.hidden = {0};
  refused(toy, "erm");
}

TEST(ToyRegressionStudy, ARunThatDivergesIsRecorded) {
  ToyRegression toy;
  toy.trial.train.optimiser = {.kind = OptimiserKind::gradient_descent, .learning_rate = 1e30};
  const auto records = run("toy-regression", toy, methods_named({"probmix"}), 1);
  EXPECT_EQ(records[0].status, RunStatus::diverged);
  EXPECT_TRUE(records[0].message.starts_with("training diverged")) << records[0].message;
}

// The paper's main findings on this study, with fewer runs than the preset: M-ProbMix is several
// times better out of distribution than ERM, Mix and ProbMix; with linear pooling better still
// there, and worse in distribution.
TEST(ToyRegressionStudy, RandomEmbeddingsAreBetterOutOfDistribution) {
  ToyRegression toy;
  const StudyView& view = study_view("toy-regression");
  const auto records =
      run("toy-regression", toy, methods_named({"erm", "mix", "probmix", "m-probmix"}), 4);
  const auto cells = sum_up(view, records);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_GT(mean_of(cells[m], view, "ood_nll"), 2 * mean_of(cells[3], view, "ood_nll"))
        << cells[m].method->name;
  }
  toy.trial.mix.pooling = Pooling::linear;
  const auto linear_records = run("toy-regression", toy, methods_named({"m-probmix"}), 4);
  const auto linear = sum_up(view, linear_records);
  EXPECT_LT(mean_of(linear[0], view, "ood_nll"), mean_of(cells[3], view, "ood_nll"));
  EXPECT_GT(mean_of(linear[0], view, "id_nll"), mean_of(cells[3], view, "id_nll"));
}

// Three rings 1 apart with noise of deviation 0.3: the best classifier is right in about 92 % of
// cases, and guessing in 33 %.
TEST(ToyClassificationStudy, LearnsTheRings) {
  const Json result = run_toy(ToyClassification{}, find_method("erm"), 0, true);
  EXPECT_GT(result["test"]["accuracy"], 0.75);
  EXPECT_LT(result["test"]["accuracy"], 0.93);
  EXPECT_LT(result["test"]["nll"], 0.9);
  const Json& regions = result["pictures"]["regions"];
  const auto points = regions["points"].get<std::size_t>();
  ASSERT_EQ(regions["class"].size(), points * points);
  ASSERT_EQ(regions["probability"].size(), points * points);
  EXPECT_EQ(regions["class"][points * points / 2], 0);  // the middle is of the inner ring
  EXPECT_EQ(regions["train_class"].size(), 80U);
  for (const Json& p : regions["probability"]) EXPECT_GE(p, 0.333);
}

}  // namespace
}  // namespace probmix::test
