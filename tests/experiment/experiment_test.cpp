// The studies: the paper's illustration, and the toy regression on any number of threads.
#include <gtest/gtest.h>

#include "probmix/base/error.hpp"
#include "probmix/experiment/illustration.hpp"
#include "probmix/experiment/toy_study.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

TEST(Illustration, IsThePapersExample) {
  const Illustration example = illustrate();
  EXPECT_NEAR(example.target, 80, double_rounding * 100);
  EXPECT_NEAR(example.mix.mean, 27, 1e-11);  // the cube of a rounded 3
  EXPECT_NEAR(example.mix.variance, 30.25, 1e-11);
  EXPECT_NEAR(example.mix.nll, 49.05, 0.005);  // the paper's digits
  EXPECT_NEAR(example.probmix.mean, 75, double_rounding * 100);
  EXPECT_NEAR(example.probmix.variance, 182.25, double_rounding * 1000);
  EXPECT_NEAR(example.probmix.nll, 3.59, 0.005);
  for (const JudgedDensity& point : example.points) EXPECT_NEAR(point.nll, 3.59, 0.005);
}

TEST(Illustration, EndsAtItsPoints) {
  const Illustration one = illustrate(1);
  EXPECT_EQ(one.probmix.mean, one.points[0].mean);
  EXPECT_EQ(one.probmix.nll, one.points[0].nll);
  EXPECT_EQ(one.mix.mean, one.points[0].mean);
  const Illustration zero = illustrate(0);
  EXPECT_EQ(zero.probmix.mean, zero.points[1].mean);
  EXPECT_EQ(zero.probmix_linear.nll, zero.points[1].nll);
}

TEST(Illustration, RefusesLambdaOutsideOfTheUnitInterval) {
  EXPECT_THROW(illustrate(-0.1), UsageError);
  EXPECT_THROW(illustrate(1.5), UsageError);
}

std::vector<const Method*> all_methods() {
  std::vector<const Method*> all;
  for (const Method& method : methods) all.push_back(&method);
  return all;
}

TEST(ToyStudy, SameBitsForAnyNumberOfThreads) {
  ToyRegression study;
  study.train.epochs = 20;
  study.test_rows = 50;
  study.members = 10;
  const auto one = run_toy_study(study, all_methods(), 2, 1, [] {});
  const auto two = run_toy_study(study, all_methods(), 2, 2, [] {});
  for (std::size_t m = 0; m < one.size(); ++m) {
    SCOPED_TRACE(one[m].method->name);
    EXPECT_EQ(one[m].ood_nll.mean, two[m].ood_nll.mean);
    EXPECT_EQ(one[m].ood_nll.se, two[m].ood_nll.se);
    EXPECT_EQ(one[m].id_nll.mean, two[m].id_nll.mean);
    EXPECT_EQ(one[m].bands.upper, two[m].bands.upper);
  }
  study.seed = 2;
  EXPECT_NE(run_toy_study(study, all_methods(), 2, 2, [] {})[0].id_nll.mean, one[0].id_nll.mean);
}

TEST(ToyStudy, CountsEveryRun) {
  ToyRegression study;
  study.train.epochs = 1;
  study.test_rows = 5;
  std::atomic<int> done = 0;
  run_toy_study(study, {&find_method("erm"), &find_method("mix")}, 3, 2, [&] { ++done; });
  EXPECT_EQ(done, 6);
}

TEST(ToyStudy, NamesTheRunThatDiverges) {
  ToyRegression study;
  study.train.optimiser = {.kind = OptimiserKind::gradient_descent, .learning_rate = 1e30};
  try {
    run_toy_study(study, {&find_method("probmix")}, 1, 1, [] {});
    FAIL() << "did not diverge";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find("probmix, run 1: training diverged"), 0u);
  }
}

TEST(ToyStudy, RefusesWrongOptions) {
  ToyRegression study;
  study.mix.neighbours = 80;  // as many as there are training rows
  EXPECT_THROW(run_toy_study(study, {&find_method("loc-mix")}, 1, 1, [] {}), UsageError);
  int runs = 0;  // none of the earlier methods starts either
  EXPECT_THROW(run_toy_study(study, all_methods(), 1, 1, [&] { ++runs; }), UsageError);
  EXPECT_EQ(runs, 0);
  study = {};
  study.members = -1;
  EXPECT_THROW(run_toy_study(study, {&find_method("erm")}, 1, 1, [] {}), UsageError);
  EXPECT_THROW(run_toy_study({}, all_methods(), 0, 1, [] {}), UsageError);
  EXPECT_THROW(run_toy_study({}, all_methods(), 1, 0, [] {}), UsageError);
}

// The paper's main findings on this study, with fewer runs than the preset: M-ProbMix is several
// times better out of distribution than ERM, Mix and ProbMix; with linear pooling better still
// there, and worse in distribution.
TEST(ToyStudy, RandomEmbeddingsAreBetterOutOfDistribution) {
  ToyRegression study;
  const auto s = run_toy_study(study,
                               {&find_method("erm"), &find_method("mix"), &find_method("probmix"),
                                &find_method("m-probmix")},
                               4, 2, [] {});
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_GT(s[m].ood_nll.mean, 2 * s[3].ood_nll.mean) << s[m].method->name;
  }
  study.mix.pooling = Pooling::linear;
  const auto linear = run_toy_study(study, {&find_method("m-probmix")}, 4, 2, [] {});
  EXPECT_LT(linear[0].ood_nll.mean, s[3].ood_nll.mean);
  EXPECT_GT(linear[0].id_nll.mean, s[3].id_nll.mean);
}

}  // namespace
}  // namespace probmix::test
