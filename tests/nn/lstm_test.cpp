// Lstm: gradients against finite differences, float against double, its contracts.
#include "probmix/nn/lstm.hpp"

#include <gtest/gtest.h>

#include "nn/layer_harness.hpp"
#include "nn/lstm_support.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

std::vector<double> initial(Layer<double>& layer, std::uint64_t seed) {
  ParameterTable table;
  layer.declare(table, "layer");
  std::vector<double> parameters(to_size(table.size()));
  Stream stream(seed, Purpose::test);
  layer.initialise(parameters.data(), stream);
  return parameters;
}

TEST(Lstm, HasRightGradients) {
  struct Shape {
    Index channels, hidden, steps;
  };
  for (const Shape s : {Shape{3, 5, 4}, {1, 3, 7}, {4, 6, 1}, {1, 1, 1}, {2, 9, 2}, {5, 1, 3}}) {
    SCOPED_TRACE(::testing::Message() << s.channels << ' ' << s.hidden << ' ' << s.steps);
    Lstm<double> layer(s.channels, s.hidden, s.steps);
    EXPECT_EQ(layer.inputs(), s.steps * s.channels);
    EXPECT_EQ(layer.outputs(), s.steps * s.hidden);
    EXPECT_EQ(layer.steps(), s.steps);
    expect_right_gradients(layer);
  }
}

TEST(Lstm, StackedWithDropoutHasRightGradients) {
  constexpr Randomness training{.seed = 3, .step = 8};
  expect_right_gradients(*stacked<double>(2, 2, 5, 4, 0.3), &training);
}

TEST(Lstm, AccumulatesAndNeedsNoDx) {
  Lstm<double> layer(3, 5, 4);
  Stream stream(5, Purpose::test);
  Passes<double> once(layer, initial(layer, 1), random_matrix(6, 12, stream));
  const Matrix<double> c = random_matrix(6, 20, stream);
  Passes<double> again = once;
  once.backward(c);
  std::fill(again.gradient.begin(), again.gradient.end(), 2.0);
  again.backward(c, false);
  EXPECT_TRUE(std::isnan(again.dx(0, 0)));
  for (std::size_t k = 0; k < once.gradient.size(); ++k) {
    EXPECT_NEAR(again.gradient[k], once.gradient[k] + 2, double_rounding) << k;
  }
}

TEST(Lstm, FloatAgreesWithDouble) {
  struct Shape {
    Index rows, channels, hidden, steps;
  };
  for (const Shape s : {Shape{53, 4, 64, 12}, {1, 4, 64, 12}, {7, 1, 3, 5}, {30, 20, 17, 6}}) {
    SCOPED_TRACE(::testing::Message() << s.rows << ' ' << s.channels << ' ' << s.hidden);
    const auto wide = stacked<double>(2, s.channels, s.hidden, s.steps);
    const auto narrow = stacked<float>(2, s.channels, s.hidden, s.steps);
    const auto parameters = initial(*wide, 4);
    Stream stream(2, Purpose::test);
    const auto x = random_matrix(s.rows, wide->inputs(), stream);
    const auto c = random_matrix(s.rows, wide->outputs(), stream);
    Passes<double> expected(*wide, parameters, x);
    Passes<float> actual(*narrow, parameters, x);
    expected.backward(c);
    actual.backward(c);
    expect_near(actual.y.data(), expected.y.data(), expected.y.view().size(), float_rounding);
    // Sums over all rows and steps, of terms that passed through many steps.
    constexpr double tolerance = 5 * float_rounding;
    expect_near(actual.dx.data(), expected.dx.data(), x.view().size(), tolerance);
    expect_near(actual.gradient.data(), expected.gradient.data(), std::ssize(expected.gradient),
                tolerance);
  }
}

TEST(Lstm, ARowDoesNotDependOnTheOthers) {
  constexpr Index rows = 48;
  for (const Index hidden : {1, 2, 3, 24}) {  // short rows may take another path
    Lstm<double> wide(4, hidden, 9);
    const auto parameters = initial(wide, 6);
    const auto layer = stacked<float>(1, 4, hidden, 9);
    Stream stream(7, Purpose::test);
    const auto x = random_matrix(rows, layer->inputs(), stream);
    const Passes<float> whole(*layer, parameters, x);
    for (const Index count : {1, 2, 6, 13, 16, 47}) {
      for (const Index first : {Index{0}, rows - count}) {
        Matrix<double> part(count, x.cols());
        std::copy_n(x.row(first), part.view().size(), part.data());
        const Passes<float> alone(*layer, parameters, part);
        EXPECT_TRUE(
            std::equal(alone.y.data(), alone.y.data() + alone.y.view().size(), whole.y.row(first)))
            << count << " rows from " << first << ", hidden " << hidden;
      }
    }
  }
}

TEST(Lstm, IsDeterministic) {
  const auto layer = stacked<float>(2, 3, 16, 5);
  const auto parameters = initial(*stacked<double>(2, 3, 16, 5), 6);
  Stream stream(7, Purpose::test);
  const auto x = random_matrix(21, layer->inputs(), stream);
  const auto c = random_matrix(21, layer->outputs(), stream);
  Passes<float> one(*layer, parameters, x);
  Passes<float> two(*layer, parameters, x);
  one.backward(c);
  two.backward(c);
  EXPECT_EQ(one.gradient, two.gradient);
  EXPECT_TRUE(std::equal(one.dx.data(), one.dx.data() + x.view().size(), two.dx.data()));
}

TEST(Lstm, ForwardAllocatesNothing) {
  const auto layer = stacked<float>(2, 3, 16, 5);
  const auto parameters = initial(*stacked<double>(2, 3, 16, 5), 6);
  Stream stream(7, Purpose::test);
  Passes<float> run(*layer, parameters, random_matrix(21, layer->inputs(), stream));
  const long before = allocations();
  layer->forward(run.parameters.data(), run.x.view(), run.y.view(), run.memory());
  EXPECT_EQ(allocations(), before);
}

TEST(Lstm, StartsUniformAndRemembers) {
  constexpr Index channels = 3;
  constexpr Index hidden = 50;
  Lstm<double> forgetful(channels, hidden, 2, 0);
  Lstm<double> layer(channels, hidden, 2);
  const auto plain = initial(forgetful, 9);
  const auto remembering = initial(layer, 9);
  ParameterTable table;
  layer.declare(table, "encoder");
  ASSERT_EQ(table.entries().size(), 3U);
  EXPECT_EQ(table.entries()[0].name, "encoder.weight_ih");
  EXPECT_EQ(table.entries()[0].shape, (std::vector<Index>{4 * hidden, channels}));
  EXPECT_EQ(table.entries()[1].name, "encoder.weight_hh");
  EXPECT_EQ(table.entries()[1].shape, (std::vector<Index>{4 * hidden, hidden}));
  EXPECT_EQ(table.entries()[2].name, "encoder.bias");
  EXPECT_EQ(table.entries()[2].shape, (std::vector<Index>{4 * hidden}));
  const double bound = 1 / std::sqrt(50.0);
  const auto [least, most] = std::ranges::minmax(plain);
  EXPECT_GE(least, -bound);
  EXPECT_LE(most, bound);
  EXPECT_LT(least, -0.99 * bound);  // of 10,800 uniforms, all miss it with probability e^-54
  EXPECT_GT(most, 0.99 * bound);
  const Index forget = table.entries()[2].offset + hidden;
  for (Index k = 0; k < table.size(); ++k) {
    const double added = k >= forget && k < forget + hidden ? 1 : 0;
    EXPECT_EQ(remembering[to_size(k)], plain[to_size(k)] + added) << k;
  }
}

TEST(Lstm, RefusesWrongSizes) {
  EXPECT_THROW(Lstm<float>(0, 1, 1), UsageError);
  EXPECT_THROW(Lstm<float>(1, 0, 1), UsageError);
  EXPECT_THROW(Lstm<float>(1, 1, 0), UsageError);
}

}  // namespace
}  // namespace probmix::test
