// Tail probabilities, and the likelihood of responses known by an interval alone.
#include "probmix/family/censored.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <vector>

#include "family/cases.hpp"
#include "probmix/base/error.hpp"
#include "probmix/math/log_tail.hpp"
#include "support/golden.hpp"
#include "support/grad_check.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;

TEST(LogTail, AgreesWithMpmath) {
  const nlohmann::json document = read_golden("log_tail_golden.json");
  const auto found = [](const std::string& name, const Numbers& at) {
    if (name == "normal") return log_normal_cdf(at[0]);
    if (name == "student-t") return log_student_t_cdf(at[0], at[1]);
    return name == "gamma-cdf" ? log_gamma_cdf(at[0], at[1]) : log_gamma_survival(at[0], at[1]);
  };
  for (const auto& [name, kinds] : document.items()) {
    for (const Numbers& at : kinds["exact"].get<std::vector<Numbers>>()) {
      SCOPED_TRACE(fmt::format("{} {} {}", name, at[0], at[1]));
      const auto [log, slope] = found(name, at);
      EXPECT_NEAR(log, at[at.size() - 2], golden * std::abs(at[at.size() - 2]));
      EXPECT_NEAR(slope, at.back(), golden * std::abs(at.back()));
    }
    for (const Numbers& at : kinds["far"].get<std::vector<Numbers>>()) {
      SCOPED_TRACE(fmt::format("{} far {} {}", name, at[0], at[1]));
      const auto [log, slope] = found(name, at);
      EXPECT_NEAR(log, at[at.size() - 2], 1e-2);  // only must not underflow
      EXPECT_NEAR(slope, at.back(), 1e-2 * std::abs(at.back()));
    }
  }
}

// The points with one response that are wide enough for the steps of a gradient check.
template <class F>
std::vector<Placed<F>> single_points() {
  auto points = place<F>(Cases<F>::points());
  std::erase_if(points, [](const auto& at) {
    return at.family.responses() > 1 || std::ranges::max(at.out) > 8;
  });
  return points;
}

template <class F>
class TailTest : public ::testing::Test {};
using TailFamilies = ::testing::Types<Gaussian, StudentT, Gamma, Poisson>;
TYPED_TEST_SUITE(TailTest, TailFamilies);

TYPED_TEST(TailTest, TailsAreThoseOfTheCdf) {
  for (const auto& at : single_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    for (const double u : {1e-30, 1e-3, 0.2, 0.5, 0.9, 1 - 1e-6}) {
      const double y = at.quantile(0, u);
      const double p = at.cdf(0, y);
      const double below = at.family.log_tail(at.phi.data(), Tail::below, y);
      const double above = at.family.log_tail(at.phi.data(), Tail::above, y);
      EXPECT_NEAR(std::exp(below), p, golden * p);
      EXPECT_NEAR(std::exp(below) + std::exp(above), 1, double_rounding);
    }
  }
}

// Y <= a, a < Y <= b, Y > b. Counts between are a + 1, ..., b.
TYPED_TEST(TailTest, ThreePartsAddUpToOne) {
  const double step = TypeParam::discrete ? 1 : 0;
  for (const auto& at : single_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    for (const double u : {1e-4, 0.3, 0.9}) {
      const double a = at.quantile(0, u);
      const double b = at.quantile(0, u + 0.5 * (1 - u)) + step;
      const Interval parts[] = {{.high = a}, {a + step, b}, {.low = b + step}};
      double sum = 0;
      for (const Interval& part : parts) {
        sum += std::exp(log_probability(at.family, at.phi.data(), part));
      }
      EXPECT_NEAR(sum, 1, double_rounding) << u;
    }
    EXPECT_EQ(log_probability(at.family, at.phi.data(), {}), 0);
  }
}

TYPED_TEST(TailTest, ANarrowIntervalHasTheDensityTimesItsWidth) {
  if (TypeParam::discrete) return;
  for (const auto& at : single_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    const double y = at.quantile(0, 0.7);
    const double unit = std::exp(-at.log_density(&y));  // about the spread
    for (const double share : {1e-5, 1e-7, 1e-10}) {
      const double log_p = log_probability(at.family, at.phi.data(), {y, y + share * unit});
      EXPECT_NEAR(log_p, std::log(share), 10 * share + 1e-5);  // the density is not constant
    }
  }
}

template <class F>
Numbers gradient_of(const Placed<F>& at, const Interval& known) {
  Numbers dphi(at.phi.size()), dout(at.out.size());
  add_log_probability_gradient(at.family, 1, at.phi.data(), known, dphi.data());
  at.family.link_backward(at.out.data(), dphi.data(), dout.data());
  return dout;
}

TYPED_TEST(TailTest, GradientIsThatOfTheLogProbability) {
  for (auto& at : single_points<TypeParam>()) {
    const double low = at.quantile(0, 0.02), middle = at.quantile(0, 0.4);
    const double high = at.quantile(0, 0.99) + (TypeParam::discrete ? 1 : 0);
    const double far = high + 5 * (high - low);
    for (const Interval& known : {Interval{.high = low},
                                  {.high = middle},
                                  {.low = middle},
                                  {.low = high},
                                  {.low = far},
                                  {low, high},
                                  {middle, high},
                                  {low, middle},
                                  {middle, middle + 1e-9}}) {
      SCOPED_TRACE(fmt::format("{}: from {} to {}", at.text(), known.low, known.high));
      const Numbers dout = gradient_of(at, known);
      const auto f = [&] {
        at.family.link(at.out.data(), at.phi.data());
        return log_probability(at.family, at.phi.data(), known);
      };
      EXPECT_TRUE(gradient_matches(f, at.out, dout, test::gradient));
      f();
    }
  }
}

// However far the network strays.
TYPED_TEST(TailTest, WildOutputsGiveFiniteLosses) {
  for (auto at : single_points<TypeParam>()) {
    const double low = at.quantile(0, 0.1), high = at.quantile(0, 0.9) + 1;
    for (double& out : at.out) {
      const double kept = out;
      for (const double wild : {-1e6, -800.0, -60.0, 60.0, 800.0, 1e6}) {
        out = wild;
        at.family.link(at.out.data(), at.phi.data());
        for (const Interval& known : {Interval{.high = high}, {.low = low}, {low, high}}) {
          SCOPED_TRACE(fmt::format("{}: from {} to {}", at.text(), known.low, known.high));
          EXPECT_TRUE(std::isfinite(log_probability(at.family, at.phi.data(), known)));
          for (const double d : gradient_of(at, known)) EXPECT_TRUE(std::isfinite(d)) << d;
        }
      }
      out = kept;
    }
  }
}

TYPED_TEST(TailTest, AnObservedResponseHasItsDensity) {
  for (const auto& at : single_points<TypeParam>()) {
    SCOPED_TRACE(at.text());
    const Censored<TypeParam> censored{at.family};
    const double y = at.quantile(0, 0.6);
    const double known[] = {y, y}, open[] = {-INFINITY, y}, none[] = {-INFINITY, INFINITY};
    EXPECT_EQ(censored.log_density(at.phi.data(), known), at.log_density(&y));
    EXPECT_EQ(censored.log_density(at.phi.data(), open),
              at.family.log_tail(at.phi.data(), Tail::below, y));
    EXPECT_EQ(censored.log_density(at.phi.data(), none), 0);
    Numbers dphi(at.phi.size()), expected(at.phi.size());
    censored.add_gradient(2, at.phi.data(), known, dphi.data());
    add_gradient(at.family, 2, at.phi.data(), &y, expected.data());
    EXPECT_EQ(dphi, expected);
  }
}

TEST(Censored, SupportIsThatOfTheFamily) {
  const Censored<Gamma> gamma;
  const auto supports = [&](double low, double high) {
    const double y[] = {low, high};
    return gamma.in_support(y);
  };
  EXPECT_TRUE(supports(1, 1));
  EXPECT_TRUE(supports(-INFINITY, 0.1));
  EXPECT_TRUE(supports(0.1, INFINITY));
  EXPECT_TRUE(supports(0.1, 0.2));
  EXPECT_FALSE(supports(0, 0));
  EXPECT_FALSE(supports(-INFINITY, 0));
  EXPECT_FALSE(supports(0.2, 0.1));
  EXPECT_FALSE(supports(NAN, 1));
}

std::string complaint(const Family& family) {
  try {
    with_censoring(family);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(Censored, FamiliesWithoutTailsAreRefused) {
  EXPECT_EQ(complaint(make_family("beta")),
            "the beta family does not take censored targets; choose one that does: gaussian, "
            "poisson, gamma, student-t");
  EXPECT_EQ(complaint(make_family("gaussian", with_responses(2))),
            "only a single target can be censored, not 2");
  for (const auto* name : {"gaussian", "student-t", "gamma", "poisson"}) {
    const Family family = with_censoring(make_family(name));
    EXPECT_EQ(family_name(family), name);
    EXPECT_TRUE(has_intervals(family));
    EXPECT_FALSE(has_intervals(make_family(name)));
    EXPECT_FALSE(is_exponential(family));
  }
}

}  // namespace
}  // namespace probmix::test
