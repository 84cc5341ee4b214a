// The paper's example of two observations.
#include "probmix/paper/illustration.hpp"

#include <gtest/gtest.h>

#include "probmix/base/error.hpp"
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

}  // namespace
}  // namespace probmix::test
