// Weight decay, and the learning rate over a training.
#include "probmix/train/optimiser.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/schedule.hpp"
#include "support/golden.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

template <class Real>
AlignedVector<Real> reals(const nlohmann::json& numbers) {
  AlignedVector<Real> values;
  for (const auto& number : numbers) values.push_back(static_cast<Real>(number.get<double>()));
  return values;
}

template <class Real>
void expect_golden_steps(const nlohmann::json& golden, double tolerance) {
  const Index weights = golden.at("weights");
  const auto start = reals<Real>(golden.at("start"));
  ParameterTable table;
  table.add_weight("weight", {weights});
  table.add("bias", {std::ssize(start) - weights});
  for (const auto& setting : golden.at("cases")) {
    Optimiser<Real> optimise({.learning_rate = setting.at("lr").get<double>(),
                              .beta1 = setting.at("beta1"),
                              .beta2 = setting.at("beta2"),
                              .epsilon = setting.at("epsilon"),
                              .weight_decay = setting.at("decay")},
                             table);
    AlignedVector<Real> parameters = start;
    std::size_t step = 0;
    for (const auto& row : golden.at("gradients")) {
      AlignedVector<Real> gradient = reals<Real>(row);
      optimise(gradient.data(), parameters.data(), golden.at("factors").at(step));
      const auto& expected = setting.at("parameters").at(step++);
      for (std::size_t k = 0; k < parameters.size(); ++k) {
        const auto value = expected.at(k).get<double>();
        EXPECT_NEAR(static_cast<double>(parameters[k]), value,
                    tolerance * std::max(1.0, std::abs(value)))
            << "step " << step << ", parameter " << k;
      }
    }
    EXPECT_EQ(step, 5u);
  }
}

TEST(Optimiser, DecoupledWeightDecayIsAdamW) {
  const nlohmann::json golden = read_golden("optimiser.json");
  expect_golden_steps<double>(golden, double_rounding);
  expect_golden_steps<float>(golden, float_rounding);
}

TEST(Optimiser, DecayShrinksTheWeightsOfGradientDescentToo) {
  ParameterTable table;
  table.add("bias", {2});
  table.add_weight("weight", {3});
  Optimiser<double> optimise(
      {.kind = OptimiserKind::gradient_descent, .learning_rate = 0.5, .weight_decay = 0.1}, table);
  AlignedVector<double> parameters = {1, 2, 3, -4, 0}, gradient = {1, 0, 1, 0, 2};
  optimise(gradient.data(), parameters.data());
  const double expected[] = {0.5, 2, 3 * 0.95 - 0.5, -4 * 0.95, -1};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(parameters[k], expected[k], double_rounding);
}

// Training the differences of the rows is the same as training parameters that are the differences,
// with or without decay.
TEST(Optimiser, RowsAlongAPathMoveAndDecayByTheirDifferences) {
  constexpr Index rows = 4, cols = 3;
  ParameterTable along, plain;
  for (ParameterTable* table : {&along, &plain}) {
    table->add("bias", {2});
    table->add_weight("knots", {rows, cols});
    table->add_weight("weight", {2});
  }
  along.add_path({2, rows, cols});
  for (const OptimiserKind kind : {OptimiserKind::adam, OptimiserKind::gradient_descent}) {
    const OptimiserOptions options{.kind = kind, .learning_rate = 0.1, .weight_decay = 0.7};
    Optimiser<double> one(options, along), other(options, plain);
    Stream stream(1, Purpose::test);
    AlignedVector<double> values(to_size(along.size()));
    for (double& value : values) value = stream.normal();
    AlignedVector<double> differences = values;
    const auto at = [](Index k, Index c) { return to_size(2 + k * cols + c); };
    for (Index k = rows - 1; k > 0; --k) {
      for (Index c = 0; c < cols; ++c) differences[at(k, c)] -= values[at(k - 1, c)];
    }
    for (int step = 0; step < 4; ++step) {
      AlignedVector<double> gradient(values.size());
      for (double& g : gradient) g = stream.normal();
      // A difference moves its row and all later ones.
      AlignedVector<double> of_differences = gradient;
      for (Index k = rows - 2; k >= 0; --k) {
        for (Index c = 0; c < cols; ++c) of_differences[at(k, c)] += of_differences[at(k + 1, c)];
      }
      one(gradient.data(), values.data());
      other(of_differences.data(), differences.data());
      AlignedVector<double> sums = differences;
      for (Index k = 1; k < rows; ++k) {
        for (Index c = 0; c < cols; ++c) sums[at(k, c)] += sums[at(k - 1, c)];
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        EXPECT_NEAR(values[k], sums[k], 10 * double_rounding) << k;  // sums of four rows
      }
    }
  }
}

// Biases, gains of norms and embeddings do not decay.
TEST(Optimiser, WeightsAreWhatMultipliesInputs) {
  std::set<std::string> weights, others;
  const auto add = [&](const Architecture& architecture, Index steps) {
    const auto network =
        make_network<float>(architecture, Embedding::point, steps, 4, make_family("gaussian"));
    for (const Parameter& parameter : network.parameters().entries()) {
      std::string name = parameter.name;
      std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
      (parameter.is_weight ? weights : others).insert(name.substr(name.find_last_of('.') + 1));
      const bool is_gain = name.find("norm") != std::string::npos;
      EXPECT_FALSE(parameter.is_weight && is_gain) << name;
      EXPECT_EQ(parameter.is_weight, parameter.shape.size() == 2 && !name.ends_with(".")) << name;
    }
  };
  Architecture architecture{.mlp = {.hidden = {5, 3}}};
  architecture.categories = {{0, 2, 2}};
  architecture.encoded = {{3, {-1, 0, 1}}};
  add(architecture, 1);
  architecture.encoded.clear();
  for (const ArchitectureKind kind : {ArchitectureKind::lstm, ArchitectureKind::transformer}) {
    architecture.kind = kind;
    add(architecture, 3);
  }
  EXPECT_EQ(weights,
            (std::set<std::string>{"weight", "knots", "weight_ih", "weight_hh", "in_proj_weight"}));
  EXPECT_TRUE(others.contains("") && others.contains("bias") && others.contains("weight"));
}

TEST(Optimiser, ANegativeDecayIsRefused) {
  EXPECT_THROW(check_options(OptimiserOptions{.weight_decay = -0.1}), UsageError);
}

TEST(Schedule, HasTheGoldenFactors) {
  const nlohmann::json golden = read_golden("optimiser.json");
  EXPECT_EQ(golden.at("schedules").size(), 7u);
  for (const auto& at : golden.at("schedules")) {
    const auto name = at.at("schedule").get<std::string>();
    const ScheduleOptions options{
        .kind = static_cast<Schedule>(check_choice("schedule", name, schedule_names)),
        .warm_up = at.at("warm_up").get<double>()};
    const auto& factors = at.at("factors");
    for (std::size_t step = 0; step < factors.size(); ++step) {
      EXPECT_NEAR(rate_factor(options, static_cast<Index>(step), std::ssize(factors)),
                  factors[step].get<double>(), double_rounding)
          << name << ", step " << step;
    }
  }
}

TEST(Schedule, IsAShareOfTheRateForAnyLength) {
  for (const Schedule kind : {Schedule::constant, Schedule::cosine, Schedule::one_cycle}) {
    for (const double warm_up : {0.0, 0.1, 0.5, 0.99}) {
      for (const Index steps : {1, 2, 3, 10, 1000}) {
        double most = 0;
        for (Index step = 0; step < steps; ++step) {
          const double factor = rate_factor({kind, warm_up}, step, steps);
          EXPECT_TRUE(factor > 0 && factor <= 1) << factor;
          most = std::max(most, factor);
        }
        // The peak of a few steps lies between two of them.
        EXPECT_GT(most, 0.7) << static_cast<int>(kind) << ", " << warm_up << ", " << steps;
      }
    }
  }
  EXPECT_THROW(check_options(ScheduleOptions{.warm_up = 1}), UsageError);
  EXPECT_THROW(check_options(ScheduleOptions{.warm_up = -0.1}), UsageError);
}

}  // namespace
}  // namespace probmix::test
