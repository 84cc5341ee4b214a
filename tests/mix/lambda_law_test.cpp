// Every statistical bound here fails by chance with probability at most 1e-9
// (support/statistics.hpp); there are fewer than 100.
#include "probmix/mix/lambda_law.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <limits>
#include <vector>

#include "kernel/kernel_support.hpp"
#include "probmix/base/error.hpp"
#include "support/statistics.hpp"

namespace probmix {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> draws_of(double alpha, std::size_t n = 100'000) {
  const LambdaLaw law(alpha);
  Stream stream(1, Purpose::test);
  std::vector<double> draws(n);
  for (double& lambda : draws) lambda = law.draw(stream);
  return draws;
}

class LambdaLawOf : public ::testing::TestWithParam<double> {};

TEST_P(LambdaLawOf, LiesInTheUnitInterval) {
  for (const double lambda : draws_of(GetParam())) ASSERT_TRUE(lambda >= 0 && lambda <= 1);
}

TEST_P(LambdaLawOf, HasMeanHalfAndVarianceOneOverFourTimesTwoAlphaPlusOne) {
  const auto draws = draws_of(GetParam());
  const double variance = 1 / (4 * (2 * GetParam() + 1));
  double sum = 0;
  double squares = 0;
  for (const double lambda : draws) {
    sum += lambda - 0.5;
    squares += (lambda - 0.5) * (lambda - 0.5);
  }
  const auto n = static_cast<double>(draws.size());
  // 1e-32 is the square of the spacing of doubles at ½: for α >= 1e32 every draw is ½.
  EXPECT_NEAR(sum / n, 0, test::mean_bound(draws.size(), variance) + 1e-16);
  EXPECT_NEAR(squares / n, variance, test::variance_bound(draws.size(), variance) + 1e-32);
}

// λ and 1 − λ have the same law: below x as often as above 1 − x.
TEST_P(LambdaLawOf, IsSymmetric) {
  const auto draws = draws_of(GetParam());
  const double deviation = std::sqrt(1 / (4 * (2 * GetParam() + 1)));
  for (const double t : {0.1, 0.5, 1.0, 2.0}) {
    const double x = t * deviation;
    long above = 0;
    long below = 0;
    for (const double lambda : draws) {
      above += lambda - 0.5 > x;
      below += lambda - 0.5 < -x;
    }
    if (above + below < 1000) continue;
    const auto n = static_cast<std::size_t>(above + below);
    EXPECT_NEAR(static_cast<double>(above) / static_cast<double>(n), 0.5, test::ks_bound(n)) << t;
  }
}

TEST_P(LambdaLawOf, IsTheSameFromTheSameStream) {
  EXPECT_EQ(draws_of(GetParam(), 100), draws_of(GetParam(), 100));
}

// So that the numbers a stream gives after λ do not depend on α.
TEST_P(LambdaLawOf, TakesTwoUniforms) {
  Stream drawn(2, Purpose::test);
  Stream skipped(2, Purpose::test);
  LambdaLaw(GetParam()).draw(drawn);
  skipped.uniform();
  skipped.uniform();
  EXPECT_EQ(drawn.uniform(), skipped.uniform());
}

// Drawing many at once equals drawing one by one; sizes and end points of the uniforms as they
// come.
TEST_P(LambdaLawOf, ManyAreTheDrawsOneByOne) {
  const LambdaLaw law(GetParam());
  for (const Index n : test::sizes) {
    std::vector<double> u, v, expected;
    for (Index k = 0; k < n; ++k) {
      Stream stream(1, Purpose::test, static_cast<std::uint64_t>(k));
      Stream same = stream;
      u.push_back(same.uniform());
      v.push_back(same.uniform());
      expected.push_back(law.draw(stream));
    }
    test::on_each_target([&] {
      std::vector<double> lambda = u;
      law.draw_many(lambda.data(), v.data(), lambda.data(), n);
      for (std::size_t k = 0; k < lambda.size(); ++k) {
        // Small λ keep their relative precision: near a zero the cosine has lost 1e-13 of it.
        ASSERT_TRUE(test::close(lambda[k], expected[k], 1e-12, 0)) << k;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Alpha, LambdaLawOf,
                         ::testing::Values(1e-32, 1e-10, 0.01, 0.1, 0.5, 1, 2, 10, 1e3, 1e6, 1e300,
                                           infinity));

// Beyond these the law is a set of atoms in double, or Boost's cdf is not accurate.
class LambdaCdfOf : public ::testing::TestWithParam<double> {};

// At given points rather than at draws, as small λ round to 0 and large ones to 1.
TEST_P(LambdaCdfOf, AgreesWithBoost) {
  const double alpha = GetParam();
  auto draws = draws_of(alpha, 400'000);
  std::sort(draws.begin(), draws.end());
  int compared = 0;
  for (int percent = 1; percent < 100; ++percent) {
    const double x = boost::math::ibeta_inv(alpha, alpha, percent / 100.0);
    if (x < 1e-300 || x > 1 - 1e-12) continue;
    const auto below = std::upper_bound(draws.begin(), draws.end(), x) - draws.begin();
    EXPECT_NEAR(static_cast<double>(below) / static_cast<double>(draws.size()),
                boost::math::ibeta(alpha, alpha, x), test::ks_bound(draws.size()))
        << "at x = " << x;
    ++compared;
  }
  EXPECT_GE(compared, 40);
}

INSTANTIATE_TEST_SUITE_P(Alpha, LambdaCdfOf,
                         ::testing::Values(0.01, 0.1, 0.5, 0.7, 1, 2, 10, 1e3, 1e6));

TEST(LambdaLaw, TinyAlphaIsAFairCoin) {
  for (const double alpha : {5e-324, 1e-300, 1e-32}) {
    const auto draws = draws_of(alpha);
    const auto ones = std::count(draws.begin(), draws.end(), 1.0);
    EXPECT_EQ(ones + std::count(draws.begin(), draws.end(), 0.0), std::ssize(draws));
    EXPECT_NEAR(static_cast<double>(ones) / static_cast<double>(draws.size()), 0.5,
                test::ks_bound(draws.size()));
  }
}

TEST(LambdaLaw, InfiniteAlphaIsExactlyHalf) {
  for (const double alpha : {1e300, std::numeric_limits<double>::max(), infinity}) {
    for (const double lambda : draws_of(alpha, 1000)) ASSERT_EQ(lambda, 0.5);
  }
}

// (λ − ½) √(8α) tends to the standard normal; at α = 1e8 it is one within 1e-8.
TEST(LambdaLaw, LargeAlphaIsNormal) {
  for (const double alpha : {1e8, 1e12, 1e20}) {
    auto draws = draws_of(alpha);
    for (double& z : draws) z = (z - 0.5) * std::sqrt(8 * alpha);
    EXPECT_LT(test::ks_distance(draws, [](double z) { return std::erfc(-z / std::sqrt(2)) / 2; }),
              test::ks_bound(draws.size()));
  }
}

TEST(LambdaLaw, RefusesAlphaThatIsNotPositive) {
  EXPECT_EQ(LambdaLaw(0.25).alpha(), 0.25);
  for (const double bad : {0.0, -1.0, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_THROW(LambdaLaw{bad}, UsageError) << bad;
  }
}

}  // namespace
}  // namespace probmix
