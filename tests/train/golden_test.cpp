// The whole step, loss and gradient, against PyTorch's autograd: tests/golden/make_step_golden.py.
#include "support/golden.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "probmix/nn/architecture.hpp"
#include "probmix/train/step.hpp"
#include "support/cases.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using nlohmann::json;

const json& golden_document() {
  static const json document = read_golden("step_golden.json");
  return document;
}

// The first n numbers of a list.
template <class T>
void take(const json& list, Index n, T* to) {
  for (Index k = 0; k < n; ++k) to[k] = list.at(static_cast<std::size_t>(k)).get<T>();
}

template <class Vector>
Vector first(const json& list, Index n) {
  Vector numbers(static_cast<std::size_t>(n));
  take(list, n, numbers.data());
  return numbers;
}

struct Outcome {
  double loss;
  std::vector<double> gradient;
};

// The case in C++.
template <class Real>
Outcome run(const json& entry) {
  const json& inputs = golden_document().at("inputs");
  const json& response = golden_document().at("families").at(entry.at("family").get<std::string>());
  const Family family = golden_family(response);
  const Method& method = find_method(entry.at("method").get<std::string>());
  const MixOptions options{
      .pooling = golden_choice<Pooling>(entry, "pooling", pooling_names),
      .criterion = golden_choice<Criterion>(entry, "criterion", criterion_names),
      .draws = entry.at("draws")};
  const auto network =
      make_network<Real>({.mlp = {.hidden = {6, 5}, .activation = Activation::tanh},
                          .embedding_mean = golden_choice<EmbeddingMean>(entry, "embedding-mean",
                                                                         embedding_mean_names)},
                         method.embedding, 1, 3, family);
  Matrix<Real> x(8, 3);
  take(inputs.at("x"), 24, x.data());
  const Index parameters = network.parameters().size();
  const auto theta = first<AlignedVector<Real>>(inputs.at("parameters"), parameters);

  Draw<Real> draw;
  draw.rows = inputs.at("rows").get<std::vector<Index>>();
  draw.partner = inputs.at("partner").get<std::vector<Index>>();
  draw.pairs = static_cast<Index>(draw.partner.size());
  draw.weight.assign(draw.partner.size(), 1.0);
  const Index mixed = draw.pairs * options.draws;
  draw.lambda = first<std::vector<double>>(inputs.at("lambda"), mixed);
  const bool picks = method.probabilistic && options.pooling == Pooling::linear;
  draw.site_lambda = first<std::vector<Real>>(inputs.at(picks ? "component" : "lambda"), mixed);
  if (method.site == Site::none) std::ranges::fill(draw.site_lambda, Real{1});
  if (method.embedding != Embedding::point) {
    draw.noise = Noise<Real>(
        first<std::vector<Real>>(inputs.at("noise"), mixed * network.embedding_width()));
  }
  draw.targets = Targets(mixed, response.at("atoms"), responses(family));
  take(response.at("weight"), draw.targets.weight.view().size(), draw.targets.weight.data());
  take(response.at("y"), draw.targets.y.view().size(), draw.targets.y.data());

  Team alone(1);
  Step<Real> step(network, family, method, options, draw.pairs, alone);
  AlignedVector<Real> gradient(theta.size());
  const double loss = step(theta.data(), x, draw, gradient.data());
  return {loss, {gradient.begin(), gradient.end()}};
}

// Calls body(entry) for every case.
template <class Body>
void for_each_case(Body body) {
  for (const json& entry : golden_document().at("cases")) {
    json setting = entry;
    setting.erase("gradient");
    SCOPED_TRACE(sorted_json_text(setting));
    body(entry);
  }
}

// The error of an element is relative to max(1, |its value|, unit).
void expect_all_near(const std::vector<double>& actual, const std::vector<double>& expected,
                     double tolerance, double unit) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t k = 0; k < expected.size(); ++k) {
    EXPECT_NEAR(actual[k], expected[k], tolerance * std::max({1.0, std::abs(expected[k]), unit}))
        << k;
  }
}

// The Loc variants differ in their partners only. Densities that are no exponential families take
// the same steps as Bernoulli's and others without a kernel of their own.
TEST(StepGolden, EveryExponentialFamilyHasACaseOfEveryMethod) {
  std::set<std::pair<std::string, std::string>> found;
  for_each_case([&](const json& entry) {
    const json& response = golden_document().at("families").at(entry.at("family"));
    found.emplace(response.at("family"), entry.at("method"));
  });
  for (const std::string_view family : family_names()) {
    for (const Method& method : paper_methods) {
      if (method.local || !is_exponential(make_family(family))) continue;
      EXPECT_TRUE(found.contains({std::string(family), std::string(method.name)}))
          << family << ", " << method.name;
    }
  }
}

TEST(StepGolden, LossAndGradient) {
  for_each_case([](const json& entry) {
    const auto [loss, gradient] = run<double>(entry);
    expect_all_near({loss}, {entry.at("loss")}, golden, 1);
    expect_all_near(gradient, entry.at("gradient"), golden, 1);
  });
}

// An element of a float gradient is a sum of terms of the size of the largest one.
TEST(StepGolden, LossAndGradientInFloat) {
  for_each_case([](const json& entry) {
    const auto [loss, gradient] = run<float>(entry);
    const auto [least, most] = std::ranges::minmax(gradient);
    expect_all_near({loss}, {entry.at("loss")}, float_rounding, 1);
    expect_all_near(gradient, entry.at("gradient"), float_rounding, std::max(-least, most));
  });
}

}  // namespace
}  // namespace probmix::test
