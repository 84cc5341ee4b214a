// The toy problems, from their options to their results.
#include <gtest/gtest.h>

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/paper/toys.hpp"
#include "sweep/plan_support.hpp"

namespace probmix::test {
namespace {

// The two problems, tested by the same functions.
struct Problem {
  const char* study;
  FitOptions (*options)();
  std::shared_ptr<const StudyData> (*data)(const ToyData&, FitOptions);
  const char *picture, *points;  // among the pictures: which, and the x of the training rows
};
const Problem regression{"toy-regression", toy_regression_options, toy_regression_data, "bands",
                         "train_x"};
const Problem classification{"toy-classification", toy_classification_options,
                             toy_classification_data, "regions", "train_x1"};

FitOptions small(const Problem& problem) {
  FitOptions options = problem.options();
  options.train.epochs = 20;
  options.members = 10;
  return options;
}

std::vector<RunRecord> run(const Problem& problem, const FitOptions& options,
                           const std::vector<const Method*>& chosen, Index runs, Index threads = 2,
                           const ToyData& toy = {}) {
  std::vector<Index> repeats;
  for (Index run = 0; run < runs; ++run) repeats.push_back(run);
  return records_of(first_runs({.name = problem.study,
                                .cells = study_cells({problem.data(toy, options)}, chosen),
                                .settings = {options.mix},
                                .repeats = repeats}),
                    threads);
}

class ToyProblems : public testing::TestWithParam<Problem> {};
INSTANTIATE_TEST_SUITE_P(Both, ToyProblems, testing::Values(regression, classification));

TEST_P(ToyProblems, SameResultsForAnyNumberOfThreads) {
  const FitOptions options = small(GetParam());
  const auto one = run(GetParam(), options, all_methods(), 2, 1, {.test_rows = 50});
  const auto two = run(GetParam(), options, all_methods(), 2, 2, {.test_rows = 50});
  ASSERT_EQ(one.size(), 2 * all_methods().size());
  for (std::size_t k = 0; k < one.size(); ++k) {
    SCOPED_TRACE(exact_json_text(one[k].configuration));
    EXPECT_EQ(exact_json_text(one[k].result), exact_json_text(two[k].result));
    EXPECT_EQ(one[k].result.contains("pictures"), k % 2 == 0);  // the first run of each method
  }
  FitOptions other = options;
  other.seed = 2;
  EXPECT_NE(run(GetParam(), other, methods_named({"erm"}), 1)[0].result["train"],
            one[0].result["train"]);
}

TEST_P(ToyProblems, ANewDataSetForEachRunIsAnOption) {
  const auto rows = [&](bool new_data, Index number) {
    const auto data = GetParam().data({.new_data = new_data}, small(GetParam()));
    return data->at(number).table->columns.front().values.copy();
  };
  EXPECT_EQ(rows(false, 0), rows(false, 1));
  EXPECT_EQ(rows(false, 0), rows(true, 0));
  EXPECT_NE(rows(true, 0), rows(true, 1));
}

TEST_P(ToyProblems, PicturesShowTheTrainingRows) {
  const auto records = run(GetParam(), small(GetParam()), methods_named({"erm"}), 1);
  EXPECT_EQ(records[0].result["pictures"][GetParam().picture][GetParam().points].size(), 80U);
}

TEST_P(ToyProblems, RefuseWrongOptionsBeforeAnyTraining) {
  const auto refused = [&](const char* method, const auto& change) {
    FitOptions options = GetParam().options();
    change(options);
    EXPECT_THROW(
        {
          const auto cells = study_cells({GetParam().data({}, options)}, methods_named({method}));
          cells[0].check(options.mix);
        },
        UsageError);
  };
  // As many as there are training rows.
  refused("loc-mix", [](FitOptions& o) { o.mix.neighbours = 80; });
  refused("erm", [](FitOptions& o) { o.members = -1; });
  refused("erm", [](FitOptions& o) { o.mix.alpha = -1; });
  refused("erm", [](FitOptions& o) { o.train.epochs = 0; });
  refused("erm", [](FitOptions& o) { o.architecture.mlp.hidden = {0}; });
}

TEST(ToyRegressionStudy, ARunThatDivergesIsRecorded) {
  FitOptions options = toy_regression_options();
  options.train.optimiser = {.kind = OptimiserKind::gradient_descent, .learning_rate = 1e30};
  const auto records = run(regression, options, methods_named({"probmix"}), 1);
  EXPECT_EQ(records[0].status, RunStatus::diverged);
  EXPECT_TRUE(records[0].message.starts_with("training diverged")) << records[0].message;
}

// The paper's main findings on this study, with fewer runs than the preset: M-ProbMix is better out
// of distribution than ERM, Mix and ProbMix (in ten runs 2.1, 8.7 and 3.5 times, here at
// least 1.5); with linear pooling better still there, and worse in distribution.
TEST(ToyRegressionStudy, RandomEmbeddingsAreBetterOutOfDistribution) {
  FitOptions options = toy_regression_options();
  const StudyLayout& layout = study_layout("toy-regression");
  const auto records =
      run(regression, options, methods_named({"erm", "mix", "probmix", "m-probmix"}), 4);
  const auto cells = sum_up(layout, records);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_GT(mean_of(cells[m], layout, "ood_nll"), 1.5 * mean_of(cells[3], layout, "ood_nll"))
        << cells[m].method->name;
  }
  options.mix.pooling = Pooling::linear;
  const auto linear_records = run(regression, options, methods_named({"m-probmix"}), 4);
  const auto linear = sum_up(layout, linear_records);
  EXPECT_LT(mean_of(linear[0], layout, "ood_nll"), mean_of(cells[3], layout, "ood_nll"));
  EXPECT_GT(mean_of(linear[0], layout, "id_nll"), mean_of(cells[3], layout, "id_nll"));
}

// Three rings 1 apart with noise of deviation 0.3: the best classifier is right in about 92 % of
// cases, and guessing in 33 %.
TEST(ToyClassificationStudy, LearnsTheRings) {
  const Json result =
      run(classification, toy_classification_options(), methods_named({"erm"}), 1)[0].result;
  EXPECT_GT(result["test"]["accuracy"], 0.75);
  EXPECT_LT(result["test"]["accuracy"], 0.93);
  EXPECT_LT(result["test"]["nll"], 0.9);
  const Json& regions = result["pictures"]["regions"];
  const auto points = regions["points"].get<std::size_t>();
  ASSERT_EQ(regions["class"].size(), points * points);
  ASSERT_EQ(regions["probability"].size(), points * points);
  EXPECT_EQ(regions["class"][points * points / 2], 0);  // the middle belongs to the inner ring
  EXPECT_EQ(regions["train_class"].size(), 80U);
  for (const Json& p : regions["probability"]) EXPECT_GE(p, 0.333);
}

}  // namespace
}  // namespace probmix::test
