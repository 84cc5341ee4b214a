// The list of families, their options, and the links of positive parameters.
#include "probmix/family/families.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "probmix/base/error.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

// The message of the UsageError that make_family throws.
std::string complaint(std::string_view name, const FamilyOptions& options = {}) {
  try {
    make_family(name, options);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no complaint";
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(Families, AreMadeByName) {
  for (const auto name : family_names()) EXPECT_EQ(family_name(make_family(name)), name);
}

TEST(Families, NamesAreThoseOfTheInterface) {
  const std::vector<std::string_view> names(family_names().begin(), family_names().end());
  const std::vector<std::string_view> expected{"gaussian",
                                               "categorical",
                                               "bernoulli",
                                               "poisson",
                                               "gamma",
                                               "beta",
                                               "student-t",
                                               "lognormal",
                                               "negative-binomial",
                                               "zero-inflated-poisson",
                                               "zero-inflated-negative-binomial",
                                               "zero-inflated-gamma",
                                               "zero-inflated-lognormal",
                                               "gaussian-mixture",
                                               "gaussian-full"};
  EXPECT_EQ(names, expected);
}

TEST(Families, AnUnknownNameListsTheAccepted) {
  const std::string message = complaint("cauchy");
  EXPECT_TRUE(mentions(message, "cauchy")) << message;
  for (const auto name : family_names()) EXPECT_TRUE(mentions(message, name)) << message;
}

TEST(Families, SizesFollowTheOptions) {
  FamilyOptions options;
  options.responses = 3;
  const auto gaussian = std::get<Gaussian>(make_family("gaussian", options));
  EXPECT_EQ(gaussian.outputs(), 6);
  EXPECT_EQ(gaussian.free_outputs(), 0);
  options.homoscedastic = true;
  const auto shared = std::get<Gaussian>(make_family("gaussian", options));
  EXPECT_EQ(shared.outputs(), 4);
  EXPECT_EQ(shared.free_outputs(), 1);
  EXPECT_EQ(shared.parameters(), 6);
  const auto categorical = std::get<Categorical>(make_family("categorical", {.classes = 7}));
  EXPECT_EQ(categorical.outputs(), 7);
  EXPECT_EQ(categorical.classes(), 7);
  EXPECT_EQ(categorical.responses(), 1);
  EXPECT_EQ(categorical.support_text(), "integers from 0 to 6");
  const auto mixture =
      std::get<GaussianMixture>(make_family("gaussian-mixture", {.components = 5}));
  EXPECT_EQ(mixture.outputs(), 15);
}

TEST(Families, RefuseOptionsTheyCannotHonour) {
  EXPECT_TRUE(mentions(complaint("gaussian", {.responses = 0}), "responses"));
  EXPECT_TRUE(mentions(complaint("categorical", {.classes = 1}), "classes"));
  for (const auto name : family_names()) {
    if (name == Gaussian::name || name == GaussianFull::name) continue;
    if (name != StudentT::name) {
      EXPECT_TRUE(mentions(complaint(name, {.responses = 2}), name));
    }
    EXPECT_TRUE(mentions(complaint(name, {.homoscedastic = true}), "homoscedastic")) << name;
  }
  EXPECT_TRUE(mentions(complaint("gaussian-mixture", {.components = 0}), "components"));
  EXPECT_TRUE(mentions(complaint("gaussian-mixture", {.components = 17}), "components"));
  for (const auto name : family_names()) {
    if (has_classes(make_family(name)) || mentions(std::string(name), "poisson")) continue;
    for (const double floor : {0.0, -1.0, 1e-13, double(NAN), double(INFINITY)}) {
      EXPECT_TRUE(mentions(complaint(name, {.positive = {.floor = floor}}), "floor")) << name;
    }
  }
}

TEST(Positive, IsPositiveFiniteAndDifferentiable) {
  for (const auto kind : {Positive::Kind::exp, Positive::Kind::softplus}) {
    const Positive positive{kind, 1e-3};
    double before = 0;
    for (double x : {-1e4, -50.0, -2.0, 0.0, 0.7, 12.0, 39.9, 40.5, 80.0, 1e4}) {
      const double value = positive.value(x);
      const double derivative = positive.derivative(x);
      EXPECT_TRUE(std::isfinite(value)) << x;
      EXPECT_GE(value, positive.floor);
      EXPECT_GE(value, before);
      before = value;
      EXPECT_TRUE(gradient_matches([&] { return positive.value(x); }, {&x, 1}, {&derivative, 1},
                                   test::gradient))
          << x;
    }
    EXPECT_TRUE(std::isnan(positive.value(NAN)));
  }
  EXPECT_DOUBLE_EQ((Positive{Positive::Kind::exp, 0.5}.value(1)), std::exp(1) + 0.5);
  EXPECT_DOUBLE_EQ((Positive{Positive::Kind::softplus, 0.5}.value(1)),
                   std::log1p(std::exp(1)) + 0.5);
}

}  // namespace
}  // namespace probmix::test
