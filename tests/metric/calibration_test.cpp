// Calibration against NumPy and SciPy, and properties that hold for every family.
#include "probmix/metric/calibration.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/cases.hpp"
#include "support/golden.hpp"
#include "support/message.hpp"
#include "support/statistics.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

using Numbers = std::vector<double>;

Matrix<double> matrix_of(const std::vector<Numbers>& rows) {
  Matrix<double> values(std::ssize(rows), std::ssize(rows.front()));
  for (Index r = 0; r < values.rows(); ++r) std::ranges::copy(rows[to_size(r)], values.row(r));
  return values;
}

struct Case {
  Family family;
  Index members;
  Matrix<double> out;
  Matrix<double> y;

  explicit Case(const nlohmann::json& entry)
      : family(golden_family(entry)),
        members(entry.at("members")),
        out(matrix_of(entry.at("out").get<std::vector<Numbers>>())),
        y(matrix_of(entry.at("y").get<std::vector<Numbers>>())) {}

  PitHistogram pit() const { return pit_histogram(family, out.view(), members, y.view()); }
  Reliability reliable() const { return reliability(family, out.view(), members, y.view()); }
};

template <class Values>
void expect_all_near(const Values& actual, const Numbers& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], golden) << i;
}

TEST(Pit, AgreesWithSciPy) {
  int n = 0;
  const auto document = read_golden("calibration_golden.json");
  for (const auto& entry : document.at("pit")) {
    SCOPED_TRACE(n++);
    const PitHistogram histogram = Case(entry).pit();
    expect_all_near(histogram.share, entry.at("share").get<Numbers>());
    expect_all_near(histogram.coverage(), entry.at("coverage").get<Numbers>());
    EXPECT_NEAR(histogram.calibration_error(), entry.at("error").get<double>(), golden);
  }
  EXPECT_EQ(n, 6);
}

// Responses drawn from the predicted law: every share is 1/20. (ks_bound also bounds a frequency;
// spreading counts only makes it closer.)
TEST(Pit, IsFlatIfThePredictionIsRight) {
  for (const auto& [label, family] : family_cases()) {
    if (has_classes(family)) continue;
    SCOPED_TRACE(label);
    constexpr Index rows = 5000;
    Stream stream(4, Purpose::test);
    const Matrix<double> out = random_matrix(rows, outputs(family), stream);
    Matrix<double> y(rows, responses(family));
    std::visit(
        [&](const auto& f) {
          Numbers phi(to_size(f.parameters()));
          for (Index r = 0; r < rows; ++r) {
            f.link(out.row(r), phi.data());
            f.sample(phi.data(), stream, y.row(r));
          }
        },
        family);
    const PitHistogram histogram =
        pit_histogram(family, out.view(), 1, View<const double>(y.view()));
    for (const double share : histogram.share) EXPECT_NEAR(share, 0.05, ks_bound(rows));
    EXPECT_NEAR(std::accumulate(histogram.share.begin(), histogram.share.end(), 0.0), 1,
                double_rounding * 10);
    EXPECT_LT(histogram.calibration_error(), ks_bound(rows));
  }
}

// One N(0, 1), y at its quantiles.
PitHistogram of_normal(const Numbers& y) {
  const Family family = make_family("gaussian", {.positive = {Positive::Kind::exp, 1e-12}});
  Matrix<double> out(std::ssize(y), 2);
  Matrix<double> responses(std::ssize(y), 1);
  std::ranges::copy(y, responses.data());
  return pit_histogram(family, View<const double>(out.view()), 1,
                       View<const double>(responses.view()));
}

TEST(Pit, TailsAndMiddle) {
  const PitHistogram low = of_normal({-100, -50});
  EXPECT_EQ(low.share[0], 1);
  EXPECT_NEAR(low.calibration_error(), 0.5, double_rounding);
  EXPECT_EQ(low.coverage()[8], 0);
  EXPECT_EQ(low.coverage()[9], 1);
  const PitHistogram high = of_normal({100, 50, std::numeric_limits<double>::max()});
  EXPECT_NEAR(high.share[19], 1, double_rounding);
  EXPECT_NEAR(high.calibration_error(), 0.5, double_rounding);
  const PitHistogram middle = of_normal({0.01, -0.01});
  EXPECT_EQ(middle.share[9], 0.5);
  EXPECT_EQ(middle.share[10], 0.5);
  EXPECT_EQ(middle.coverage()[0], 1);
}

// A rate of log 2: a count of 0 has probability 1/2, and covers the bins up to there evenly.
TEST(Pit, ACountIsSpread) {
  Matrix<double> out(1, 1);
  out(0, 0) = std::log(std::log(2.0));
  Matrix<double> y(1, 1);
  const Family family = make_family("poisson");
  const auto histogram = [&] {
    return pit_histogram(family, View<const double>(out.view()), 1, View<const double>(y.view()));
  };
  const PitHistogram zero = histogram();
  for (std::size_t b = 0; b < 20; ++b) {
    EXPECT_NEAR(zero.share[b], b < 10 ? 0.1 : 0, double_rounding) << b;
  }
  y(0, 0) = 1e6;  // F(y − 1) = F(y) = 1
  EXPECT_EQ(histogram().share[19], 1);
}

TEST(Pit, AnAtomIsSpread) {
  Matrix<double> out(1, 3);  // the logit 0: P(0) = 1/2
  const Matrix<double> y(1, 1);
  const PitHistogram zero = pit_histogram(make_family("zero-inflated-gamma"),
                                          View<const double>(out.view()), 1, y.view());
  for (std::size_t b = 0; b < 20; ++b) {
    EXPECT_NEAR(zero.share[b], b < 10 ? 0.1 : 0, double_rounding) << b;
  }
}

TEST(Pit, NotANumberIsNeverHidden) {
  for (const auto& [label, family] : family_cases()) {
    if (has_classes(family)) continue;
    SCOPED_TRACE(label);
    const Dataset<double> data = random_data(family, 9, 1, 1);
    Matrix<double> out(9, outputs(family));
    out(7, out.cols() - 1) = std::nan("");
    const PitHistogram h = pit_histogram(family, View<const double>(out.view()), 1, data.y.view());
    EXPECT_TRUE(std::isnan(h.share[0]));
    EXPECT_TRUE(std::isnan(h.coverage()[0]));
    EXPECT_TRUE(std::isnan(h.calibration_error()));
  }
}

TEST(Reliability, AgreesWithNumPy) {
  int n = 0;
  const auto document = read_golden("calibration_golden.json");
  for (const auto& entry : document.at("reliability")) {
    SCOPED_TRACE(n++);
    const Reliability result = Case(entry).reliable();
    ASSERT_EQ(result.bins.size(), entry.at("bins").size());
    for (std::size_t b = 0; b < result.bins.size(); ++b) {
      const auto& bin = result.bins[b];
      const auto expected = entry.at("bins")[b];
      ASSERT_EQ(bin.count, expected[0]) << b;
      if (bin.count == 0) {
        EXPECT_TRUE(std::isnan(bin.confidence) && std::isnan(bin.accuracy)) << b;
      } else {
        EXPECT_NEAR(bin.confidence, expected[1].get<double>(), golden) << b;
        EXPECT_NEAR(bin.accuracy, expected[2].get<double>(), golden) << b;
      }
    }
    EXPECT_NEAR(result.accuracy, entry.at("accuracy").get<double>(), golden);
    EXPECT_NEAR(result.expected_calibration_error, entry.at("error").get<double>(), golden);
  }
  EXPECT_EQ(n, 5);
}

TEST(Reliability, EqualClassesAreTheFirstAndBinsHaveTheirUpperEdge) {
  for (const char* const name : {"categorical", "bernoulli"}) {
    const Family family = make_family(name);
    const Matrix<double> out(2, outputs(family));  // probabilities 1/2
    Matrix<double> y(2, 1);
    y(1, 0) = 1;
    const Reliability result = reliability(family, out.view(), 1, View<const double>(y.view()));
    EXPECT_EQ(result.bins[4].count, 2) << name;
    EXPECT_EQ(result.bins[4].confidence, 0.5) << name;
    EXPECT_EQ(result.accuracy, 0.5) << name;
    EXPECT_EQ(result.expected_calibration_error, 0) << name;
  }
  Matrix<float> sure(1, 1);  // float outputs; a confidence of exactly 1
  sure(0, 0) = -1000;
  const Matrix<double> y(1, 1);
  const Reliability result =
      reliability(make_family("bernoulli"), View<const float>(sure.view()), 1, y.view());
  EXPECT_EQ(result.bins[9].count, 1);
  EXPECT_EQ(result.accuracy, 1);
}

TEST(Reliability, NotANumberIsNeverHidden) {
  for (const char* const name : {"categorical", "bernoulli"}) {
    const Family family = make_family(name);
    Matrix<double> out(3, outputs(family));
    out(1, 0) = std::nan("");
    const Matrix<double> y(3, 1);
    const Reliability result = reliability(family, View<const double>(out.view()), 1, y.view());
    EXPECT_TRUE(std::isnan(result.accuracy)) << name;
    EXPECT_TRUE(std::isnan(result.expected_calibration_error)) << name;
    for (const auto& bin : result.bins) EXPECT_TRUE(std::isnan(bin.accuracy)) << name;
  }
}

TEST(Calibration, NothingIsNotANumber) {
  const Matrix<double> none(0, 1);
  const PitHistogram pit = pit_histogram(make_family("poisson"), none.view(), 1, none.view());
  EXPECT_TRUE(std::isnan(pit.calibration_error()));
  EXPECT_TRUE(
      std::isnan(reliability(make_family("bernoulli"), none.view(), 1, none.view()).accuracy));
}

TEST(Calibration, RefusesOtherFamiliesAndSizes) {
  const Matrix<double> two(2, 2);
  const Matrix<double> one(2, 1);
  EXPECT_EQ(message_of<UsageError>(
                [&] { pit_histogram(make_family("categorical"), two.view(), 1, one.view()); }),
            "classes have no order, so the categorical family has no PIT; ask for its reliability");
  EXPECT_EQ(message_of<UsageError>(
                [&] { reliability(make_family("gaussian"), two.view(), 1, one.view()); }),
            "the gaussian family has no classes; ask for its PIT");
  EXPECT_EQ(
      message_of<Error>([&] { pit_histogram(make_family("gaussian"), two.view(), 2, one.view()); }),
      "2 x 2 outputs of 2 members do not fit 2 x 1 responses of the gaussian family");
}

}  // namespace
}  // namespace probmix::test
