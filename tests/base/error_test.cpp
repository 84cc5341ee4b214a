#include "probmix/base/error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>

#include "support/message.hpp"

namespace probmix {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Check, FormatsTheMessageOnlyOfWhatFails) {
  EXPECT_NO_THROW(check(true, "row {}", 3));
  EXPECT_EQ(test::message_of<Error>([] { check(false, "row {} is {}", 3, nan); }), "row 3 is nan");
  EXPECT_NO_THROW(check_usage(true, "row {}", 3));
  EXPECT_EQ(test::message_of<UsageError>([] { check_usage(false, "K is {}", 0); }), "K is 0");
  EXPECT_NO_THROW(check_converges(true, "step {}", 3));
  EXPECT_EQ(test::message_of<Diverged>([] { check_converges(false, "step {}", 3); }), "step 3");
}

TEST(Check, AUsageErrorIsAnErrorIsARuntimeError) {
  static_assert(std::is_base_of_v<Error, UsageError>);
  static_assert(std::is_base_of_v<Error, Diverged>);
  static_assert(std::is_base_of_v<std::runtime_error, Error>);
}

TEST(CheckPositive, AcceptsInfinityAndRefusesZeroAndNan) {
  for (const double good : {5e-324, 1e-32, 1.0, infinity}) {
    EXPECT_NO_THROW(check_positive("alpha", good)) << good;
  }
  for (const double bad : {0.0, -0.0, -1.0, -infinity, nan}) {
    EXPECT_THROW(check_positive("alpha", bad), UsageError) << bad;
  }
  EXPECT_EQ(test::message_of<UsageError>([] { check_positive("alpha", -0.5); }),
            "alpha must be greater than 0, but it is -0.5");
}

TEST(CheckNonNegative, RefusesNegativeAndNonFinite) {
  for (const double good : {0.0, -0.0, 1e308}) EXPECT_NO_THROW(check_non_negative("beta", good));
  for (const double bad : {-1e-300, infinity, -infinity, nan}) {
    EXPECT_THROW(check_non_negative("beta", bad), UsageError) << bad;
  }
  EXPECT_EQ(test::message_of<UsageError>([] { check_non_negative("beta", -1); }),
            "beta must be a finite number of at least 0, but it is -1");
}

TEST(CheckProbability, IncludesBothEnds) {
  for (const double good : {0.0, 0.5, 1.0}) EXPECT_NO_THROW(check_probability("p", good));
  for (const double bad : {-1e-300, 1 + 1e-15, infinity, nan}) {
    EXPECT_THROW(check_probability("p", bad), UsageError) << bad;
  }
  EXPECT_EQ(test::message_of<UsageError>([] { check_probability("level", 1.5); }),
            "level must lie in [0, 1], but it is 1.5");
}

TEST(CheckRange, IncludesBothEnds) {
  EXPECT_NO_THROW(check_range("K", 1, 1, 9));
  EXPECT_NO_THROW(check_range("K", 9, 1, 9));
  EXPECT_EQ(test::message_of<UsageError>([] { check_range("K", 0, 1, 9); }),
            "K must lie in [1, 9], but it is 0");
  EXPECT_THROW(check_range("K", 10, 1, 9), UsageError);
}

TEST(CheckChoice, GivesThePositionOrListsAllNames) {
  constexpr std::array<std::string_view, 3> names{"erm", "mix", "probmix"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(check_choice("method", names[i], names), i);
  }
  EXPECT_EQ(test::message_of<UsageError>([&] { check_choice("method", "probmx", names); }),
            "unknown method 'probmx'; accepted: erm, mix, probmix");
  EXPECT_THROW(check_choice("method", "", names), UsageError);
}

}  // namespace
}  // namespace probmix
