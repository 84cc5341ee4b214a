// What a run is known by, and what of it is said.
#include "probmix/experiment/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "probmix/experiment/toy_classification.hpp"
#include "probmix/experiment/toy_regression.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

struct Change {
  const char* name;
  void (*apply)(TrialOptions&);
};

const Change changes[] = {
    {"alpha", [](TrialOptions& o) { o.mix.alpha = 0.7; }},
    {"beta", [](TrialOptions& o) { o.mix.beta = 0.05; }},
    {"pooling", [](TrialOptions& o) { o.mix.pooling = Pooling::linear; }},
    {"target-pooling", [](TrialOptions& o) { o.mix.target_pooling = Pooling::linear; }},
    {"lambda-per", [](TrialOptions& o) { o.mix.lambda_per = LambdaPer::pair; }},
    {"pairing", [](TrialOptions& o) { o.mix.pairing = Pairing::replacement; }},
    {"neighbours", [](TrialOptions& o) { o.mix.neighbours = 3; }},
    {"expectation", [](TrialOptions& o) { o.mix.expectation = Expectation::exact; }},
    {"propagate-mean", [](TrialOptions& o) { o.mix.propagate_mean = true; }},
    {"members", [](TrialOptions& o) { o.members = 3; }},
    {"epochs", [](TrialOptions& o) { o.train.epochs = 6; }},
    {"batch", [](TrialOptions& o) { o.train.batch = 16; }},
    {"learning-rate", [](TrialOptions& o) { o.train.optimiser.learning_rate = 0.02; }},
};

// Runs with one identity are one run: an option that is left out of it changes nothing, for any
// method; and what the identity holds is there for a reason.
TEST(Identity, LeavesOutWhatAMethodMakesNoUseOf) {
  ToyRegression toy;
  toy.trial.train = {.epochs = 5, .select_best = false};
  toy.trial.members = 5;
  toy.test_rows = 20;
  for (const Method& method : methods) {
    const Json configuration = configuration_of(toy, method, 1);
    const std::string result = run_toy(toy, method, 1, false).dump();
    for (const Change& change : changes) {
      SCOPED_TRACE(std::string(method.name) + ", " + change.name);
      ToyRegression other = toy;
      change.apply(other.trial);
      const bool same_run = configuration_of(other, method, 1) == configuration;
      EXPECT_EQ(configuration.contains(change.name), !same_run);
      if (same_run) {
        EXPECT_EQ(run_toy(other, method, 1, false).dump(), result);
      } else if (change.name != std::string("expectation") &&  // the target is one point for β = 0
                 change.name != std::string("target-pooling")) {
        EXPECT_NE(run_toy(other, method, 1, false).dump(), result);
      }
    }
  }
}

TEST(Trial, ScoresOfARegressionAreInTheUnitsOfTheData) {
  ToyRegression toy;
  const auto network = make_mlp<float>({.hidden = {8}}, Embedding::point, 1,
                                       make_family("gaussian", toy.family_options));
  Dataset<float> rows{Matrix<float>(30, 1), Matrix<double>(30, 1)};
  Stream stream(1, Purpose::test);
  for (Index r = 0; r < 30; ++r) {
    rows.x(r, 0) = static_cast<float>(stream.normal());
    rows.y(r, 0) = stream.normal();
  }
  Trial trial(network, make_family("gaussian", toy.family_options), find_method("erm"),
              {.train = {.epochs = 4}}, rows, rows, 1);
  const Json plain = trial.scores(rows);
  const Json scaled = trial.scores(rows, 10);
  EXPECT_NEAR(scaled["nll"].get<double>(), plain["nll"].get<double>() + std::log(10.0),
              double_rounding * 10);
  EXPECT_NEAR(scaled["rmse"].get<double>(), 10 * plain["rmse"].get<double>(),
              double_rounding * 100);
  EXPECT_NEAR(plain["mse"].get<double>(), std::pow(plain["rmse"].get<double>(), 2),
              double_rounding * 10);
  EXPECT_EQ(plain["rows"], 30);
  EXPECT_EQ(plain["pit"], scaled["pit"]);
  EXPECT_EQ(plain["pit"].size(), 20U);

  EXPECT_FALSE(trial.training(false).contains("curve"));
  const Json curve = trial.training(true)["curve"];
  EXPECT_EQ(curve["epoch"], Json({1, 2, 3, 4}));
  EXPECT_EQ(curve["validation_nll"].size(), 4U);
}

TEST(Trial, LongCurvesAreThinnedOut) {
  ToyClassification toy;
  toy.trial.train.epochs = 333;
  const Json result = run_toy(toy, find_method("erm"), 0, true);
  const Json& epoch = result["curve"]["epoch"];
  ASSERT_EQ(epoch.size(), 100U);
  EXPECT_EQ(epoch.back(), 333);
  for (std::size_t k = 1; k < epoch.size(); ++k) EXPECT_LT(epoch[k - 1], epoch[k]);
  const Json& test = result["test"];
  EXPECT_EQ(test["reliability"].size(), 10U);
  double rows = 0;
  double right = 0;
  for (const Json& bin : test["reliability"]) {
    rows += bin["count"].get<double>();
    right += bin["count"].get<double>() * bin["accuracy"].get<double>();
  }
  EXPECT_EQ(rows, 1000);
  EXPECT_NEAR(right / rows, test["accuracy"].get<double>(), 1e-5);  // five digits are written
}

TEST(Rounded, HasFiveDigits) {
  EXPECT_EQ(rounded(123456.0), 123460.0);
  EXPECT_EQ(rounded(-0.00123456), -0.0012346);
  EXPECT_EQ(rounded(0), 0);
  EXPECT_TRUE(std::isnan(rounded(std::nan(""))));
  EXPECT_EQ(rounded(1e-310), 1e-310);  // no power of ten to multiply with
  EXPECT_EQ(rounded(9.99999e307), 1e308);
}

}  // namespace
}  // namespace probmix::test
