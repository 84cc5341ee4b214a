// The identity of a run, and what its result says.
#include <gtest/gtest.h>

#include <cmath>

#include "probmix/options/option.hpp"
#include "probmix/paper/toys.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

// A different value for an option; null if any other would be refused here.
Json other_value(const Option& option, const FitOptions& options) {
  const Json value = option.get(options);
  if (option.name == "arch" || option.name == "family" || option.name == "method") return {};
  if (option.name == "embedding-layer") return 2;
  switch (option.kind) {
    case Option::Kind::flag:
      return !value.get<bool>();
    case Option::Kind::whole:
      return value.is_null() ? Json(3) : Json(value.get<Index>() == 3 ? 2 : 3);
    case Option::Kind::real:
      return option.name == "variance-floor" ? Json(0.01) : Json(0.4);
    case Option::Kind::choice:
      return option.choices[value.is_null() || value == Json(option.choices[0]) ? 1 : 0];
    case Option::Kind::wholes:
      return {7, 5};
    case Option::Kind::name:
    case Option::Kind::names:
      return {};
  }
  return {};
}

// Runs with the same identity are the same run: an option left out of it changes nothing, for any
// method, and every option in it has an effect.
TEST(Identity, LeavesOutWhatAMethodMakesNoUseOf) {
  FitOptions base = toy_regression_options();
  base.train.epochs = 4;
  base.train.batch = 16;  // of 80 rows: several steps
  base.train.patience = 0;
  base.members = 5;
  // These have no effect on so short a training, or only together with others.
  const std::vector<std::string_view> without_effect = {"expectation",
                                                        "target-pooling",
                                                        "patience",
                                                        "clip",
                                                        "last",
                                                        "scale-by",
                                                        "seed",
                                                        "validation",
                                                        "validation-rows",
                                                        "select-by",
                                                        "criterion",
                                                        "draws",
                                                        "window",
                                                        "horizon",
                                                        "most-levels",
                                                        "embed-categories",
                                                        "epsilon",
                                                        "epochs",
                                                        "embedding-layer"};
  for (const Method& method : methods) {
    FitOptions options = base;
    options.method = method;
    const auto result = [&](const FitOptions& at) {
      const auto data = toy_regression_data({.test_rows = 20}, at);
      return exact_json_text(run_fit(*data, data->options, 1));
    };
    const auto identity = [&](const FitOptions& at) {
      const auto data = toy_regression_data({.test_rows = 20}, at);
      return configuration_of(*data, data->options, 1);
    };
    const Json configuration = identity(options);
    const std::string first = result(options);
    for (const Option& option : fit_option_list()) {
      const Json value = other_value(option, options);
      if (value.is_null() || option.group == option_group::series) continue;
      if (option.name == "trials")
        continue;  // refused, as these options hold out no rows to choose
      SCOPED_TRACE(fmt::format("{}, {}", method.name, option.name));
      FitOptions other = options;
      option.set(other, value);
      const bool is_same_run = identity(other) == configuration;
      // The value itself decides whether it is used, or equals the default that would follow
      // anyway.
      constexpr std::array<std::string_view, 9> tell_themselves = {
          "embed-categories", "validation-rows", "encode",  "ensemble", "dropout",
          "weight-decay",     "schedule",        "warm-up", "average"};
      if (std::ranges::count(tell_themselves, option.name) == 0) {
        EXPECT_EQ(configuration.contains(option.name), !is_same_run);
      }
      if (is_same_run) {
        EXPECT_EQ(result(other), first);
      } else if (std::ranges::count(without_effect, option.name) == 0) {
        EXPECT_NE(result(other), first);
      }
    }
  }
}

TEST(StudyRun, ScoresAreInStandardisedUnitsOrInThoseOfTheData) {
  FitOptions options = toy_regression_options();
  options.train.epochs = 4;
  const auto data = toy_regression_data({}, options);
  StudyData in_units = *data;
  in_units.standardised = false;
  const Json plain = run_fit(*data, data->options, 0);
  const Json scaled = run_fit(in_units, data->options, 0);
  const StudyData::Case first = data->at(0);
  const double unit =
      prepare(*first.table, data->options, first.fold).responses.front().target.scale.front();
  EXPECT_GT(unit, 5);
  for (const char* const part : {"train", "validation", "id", "ood"}) {
    SCOPED_TRACE(part);
    EXPECT_NEAR(scaled[part]["nll"].get<double>(),
                plain[part]["nll"].get<double>() + std::log(unit), double_rounding * 100);
    EXPECT_NEAR(scaled[part]["rmse"].get<double>(), unit * plain[part]["rmse"].get<double>(),
                double_rounding * 1000);
    EXPECT_NEAR(plain[part]["mse"].get<double>(), std::pow(plain[part]["rmse"].get<double>(), 2),
                double_rounding * 100);
    EXPECT_EQ(plain[part]["pit"], scaled[part]["pit"]);
    EXPECT_EQ(plain[part]["pit"].size(), 20U);
  }
  EXPECT_EQ(plain["train"]["rows"], 80);
  EXPECT_EQ(plain["ood"]["rows"], 1000);
  EXPECT_FALSE(plain["id"].contains("crps"));
  StudyData with_crps = *data;
  with_crps.has_crps = in_units.has_crps = true;
  const Json plain_crps = run_fit(with_crps, data->options, 1);
  const Json scaled_crps = run_fit(in_units, data->options, 1);
  EXPECT_FALSE(plain_crps["train"].contains("crps"));
  EXPECT_NEAR(scaled_crps["id"]["crps"].get<double>(),
              unit * plain_crps["id"]["crps"].get<double>(), double_rounding * 1000);
  const Json& curve = plain["curve"];
  EXPECT_EQ(curve["epoch"], Json({1, 2, 3, 4}));
  EXPECT_EQ(curve["validation_nll"].size(), 4U);
  EXPECT_FALSE(run_fit(*data, data->options, 1).contains("curve"));
}

TEST(StudyRun, LongCurvesAreThinnedOut) {
  FitOptions options = toy_classification_options();
  options.method = find_method("erm");
  options.train.epochs = 333;
  const auto data = toy_classification_data({}, options);
  const Json result = run_fit(*data, data->options, 0);
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
