#include "probmix/metric/mixing_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"

namespace probmix::test {
namespace {

using Logs = std::vector<std::vector<double>>;

double log_likelihood(const Logs& logs, const std::vector<double>& weights) {
  double sum = 0;
  for (std::size_t r = 0; r < logs.front().size(); ++r) {
    double density = 0;
    for (std::size_t c = 0; c < logs.size(); ++c) density += weights[c] * std::exp(logs[c][r]);
    sum += std::log(density);
  }
  return sum;
}

// Normal densities around these means, at draws from the first two with probabilities 0.7 and 0.3.
Logs example(const std::vector<double>& means, std::size_t rows) {
  Stream stream(3, Purpose::test);
  Logs logs(means.size());
  for (std::size_t r = 0; r < rows; ++r) {
    const double y = (stream.uniform() < 0.7 ? means[0] : means[1]) + stream.normal();
    for (std::size_t c = 0; c < means.size(); ++c) {
      logs[c].push_back(-0.5 * (y - means[c]) * (y - means[c]));
    }
  }
  return logs;
}

// The standard error of the estimate is about 0.007, and the seed is fixed.
TEST(MixingWeights, AreThoseOfTheRows) {
  const std::vector<double> weights = mixing_weights(example({0, 4}, 5000));
  EXPECT_NEAR(weights[0], 0.7, 0.02);
  EXPECT_NEAR(weights[0] + weights[1], 1, 1e-12);
}

TEST(MixingWeights, AreTheMostLikelyOnes) {
  const Logs logs = example({0, 2, 0.5}, 200);
  const double best = log_likelihood(logs, mixing_weights(logs));
  for (double a = 0; a <= 1; a += 0.01) {
    for (double b = 0; a + b <= 1; b += 0.01) {
      EXPECT_LE(log_likelihood(logs, {a, b, 1 - a - b}), best + 1e-4) << a << ' ' << b;
    }
  }
}

TEST(MixingWeights, LeaveOutWhatHardlyMatters) {
  const std::vector<double> weights = without_negligible(mixing_weights(example({0, 4, 20}, 500)));
  EXPECT_EQ(weights[2], 0);
  EXPECT_GT(weights[1], 0.2);
  EXPECT_NEAR(weights[0] + weights[1], 1, 1e-12);
  const std::vector<double> rest = without_negligible({0.2, 0.3, 0.001});
  EXPECT_NEAR(rest[0], 0.4, 1e-12);
  EXPECT_EQ(rest[2], 0);
}

TEST(MixingWeights, CountARowAsOftenAsItsWeight) {
  const Logs logs = {{-1, -2, -3}, {-2, -1, -1.5}};
  const Logs repeated = {{-1, -1, -3}, {-2, -2, -1.5}};
  EXPECT_NEAR(mixing_weights(logs, std::vector<double>{2, 0, 1})[0], mixing_weights(repeated)[0],
              1e-6);  // where EM stops
}

// Densities far below the range of a double.
TEST(MixingWeights, DoNotUnderflow) {
  const Logs logs = {{-5000, -5001}, {-5000, -4999}};
  const std::vector<double> weights = mixing_weights(logs);
  EXPECT_NEAR(weights[1], 1, 1e-5);
}

TEST(MixingWeights, RefuseWhatDoesNotFit) {
  EXPECT_THROW(mixing_weights(Logs{}), Error);
  EXPECT_THROW(mixing_weights(Logs{{-1, -2}, {-1}}), Error);
  EXPECT_THROW(mixing_weights(Logs{{-1, -2}, {-1, -2}}, std::vector<double>{1}), Error);
}

}  // namespace
}  // namespace probmix::test
