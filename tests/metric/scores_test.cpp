// Scores and the predictive mixture against formulas written out.
#include "probmix/metric/scores.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/metric/crps.hpp"
#include "probmix/metric/mixture.hpp"
#include "probmix/metric/summary.hpp"
#include "support/cases.hpp"
#include "support/tolerance.hpp"

namespace probmix::test {
namespace {

const Gaussian unit{.d = 1, .homoscedastic = false, .positive = {Positive::Kind::exp, 0}};

double normal_pdf(double y, double mean, double variance) {
  return std::exp(-(y - mean) * (y - mean) / (2 * variance)) / std::sqrt(2 * M_PI * variance);
}

TEST(Scores, NllIsTheLogOfAMeanNotAMeanOfLogs) {
  Matrix<double> out(2, 2);  // two members: N(0, 1) and N(2, 4)
  out(1, 0) = 2;
  out(1, 1) = std::log(4.0);
  Matrix<double> y(1, 1);
  y(0, 0) = 1;
  const Scores s = score(Family(unit), View<const double>(out.view()), 2, y.view());
  const double p = normal_pdf(1, 0, 1);
  const double q = normal_pdf(1, 2, 4);
  EXPECT_NEAR(s.nll, -std::log((p + q) / 2), double_rounding);
  EXPECT_NEAR(s.draws_nll, -(std::log(p) + std::log(q)) / 2, double_rounding);
  EXPECT_NEAR(s.mse, 0, double_rounding);  // the mean of the means is 1
}

TEST(Scores, OneMemberHasOneNll) {
  for (const auto& [label, family] : family_cases()) {
    const Dataset<double> data = random_data(family, 9, 1, 1);
    Stream stream(2, Purpose::test);
    const Matrix<double> out = random_matrix(9, outputs(family), stream);
    const Scores s = score(family, View<const double>(out.view()), 1, data.y.view());
    EXPECT_NEAR(s.nll, s.draws_nll, double_rounding * std::max(1.0, std::abs(s.nll))) << label;
  }
}

// A member of weight ¾ counts as three of weight ¼.
TEST(Scores, WeightsCountMembers) {
  const std::vector<double> weights = {0.25, 0.75};
  for (const auto& [label, family] : family_cases()) {
    SCOPED_TRACE(label);
    const Dataset<double> data = random_data(family, 3, 1, 1);
    Stream stream(2, Purpose::test);
    const Matrix<double> out = random_matrix(6, outputs(family), stream);
    Matrix<double> repeated(12, out.cols());
    for (Index r = 0; r < 3; ++r) {
      for (Index s = 0; s < 4; ++s) {
        std::copy_n(out.row(2 * r + std::min<Index>(s, 1)), out.cols(), repeated.row(4 * r + s));
      }
    }
    const View<const double> few = out.view(), many = repeated.view();
    const auto near = [&](double a, double b) {
      EXPECT_NEAR(a, b, 10 * double_rounding * std::max(1.0, std::abs(b)));  // a few sums
    };
    const Scores weighted = score(family, few, Members(weights), data.y.view());
    const Scores equal = score(family, many, 4, data.y.view());
    near(weighted.nll, equal.nll);
    near(weighted.draws_nll, equal.draws_nll);
    near(weighted.mse, equal.mse);
    std::visit(
        [&](const auto& f) {
          const Mixture one(f, View<const double>{few.row(0), 2, few.cols}, weights);
          const Mixture other(f, View<const double>{many.row(0), 4, many.cols});
          near(one.mean()[0], other.mean()[0]);
          near(one.variance()[0], other.variance()[0]);
          near(one.variance_parts().within[0] + one.variance_parts().between[0], one.variance()[0]);
          near(one.log_density(data.y.row(0)), other.log_density(data.y.row(0)));
          if (f.classes() > 0) return;
          near(one.cdf(0, data.y(0, 0)), other.cdf(0, data.y(0, 0)));
          const double q = other.quantile(0, 0.3);
          EXPECT_NEAR(one.quantile(0, 0.3), q, 1e-9 * std::max(1.0, std::abs(q)));  // a search
          const double crps = probmix::crps(other, 0, data.y(0, 0));
          EXPECT_NEAR(probmix::crps(one, 0, data.y(0, 0)), crps, 1e-7);  // by quadrature
        },
        family);
  }
}

// The share of draws from the second of two members far apart; its standard error is 0.007.
TEST(Scores, DrawsFollowTheWeightsOfTheMembers) {
  Matrix<double> out(2, 2);
  out(1, 0) = 1000;
  const std::vector<double> weights = {0.25, 0.75};
  const Mixture mixture(unit, View<const double>(out.view()), weights);
  Stream stream(5, Purpose::test);
  int second = 0;
  for (int draw = 0; draw < 4000; ++draw) {
    double y = 0;
    mixture.sample(stream, &y);
    second += y > 500 ? 1 : 0;
  }
  EXPECT_NEAR(second / 4000.0, 0.75, 0.03);
}

// A row of weight 2 counts twice, one of weight 0 not at all.
TEST(Scores, WeightsCountRows) {
  for (const auto& [label, family] : family_cases()) {
    SCOPED_TRACE(label);
    const Dataset<double> data = random_data(family, 4, 1, 1);
    Stream stream(2, Purpose::test);
    const Matrix<double> out = random_matrix(8, outputs(family), stream);  // of two members
    const std::vector<double> weight = {1, 0, 2, 1};
    const Scores weighted = score(family, View<const double>(out.view()), 2, data.y.view(), weight);
    Matrix<double> repeated(8, out.cols()), y(4, data.y.cols());
    const Index from[] = {0, 2, 2, 3};
    for (Index r = 0; r < 4; ++r) {
      std::copy_n(data.y.row(from[r]), y.cols(), y.row(r));
      for (Index s = 0; s < 2; ++s) {
        std::copy_n(out.row(2 * from[r] + s), out.cols(), repeated.row(2 * r + s));
      }
    }
    const Scores plain = score(family, View<const double>(repeated.view()), 2, y.view());
    EXPECT_NEAR(weighted.nll, plain.nll, double_rounding * std::abs(plain.nll));
    EXPECT_NEAR(weighted.draws_nll, plain.draws_nll, double_rounding * std::abs(plain.draws_nll));
    EXPECT_NEAR(weighted.mse, plain.mse, double_rounding * std::abs(plain.mse));
  }
}

// The path for one member against that for several, with two equal members; 1100 rows, so that
// there are whole blocks and a partial one.
TEST(Scores, OneMemberIsAMixtureOfTwoEqualOnes) {
  for (const auto& [label, family] : family_cases()) {
    SCOPED_TRACE(label);
    constexpr Index rows = 1100;
    const Dataset<double> data = random_data(family, rows, 1, 1);
    Stream stream(2, Purpose::test);
    const Matrix<double> out = random_matrix(rows, outputs(family), stream);
    Matrix<double> twice(2 * rows, out.cols());
    for (Index r = 0; r < 2 * rows; ++r) std::copy_n(out.row(r / 2), out.cols(), twice.row(r));
    const Scores one = score(family, View<const double>(out.view()), 1, data.y.view());
    const Scores two = score(family, View<const double>(twice.view()), 2, data.y.view());
    EXPECT_NEAR(one.nll, two.nll, double_rounding * std::abs(two.nll));
    EXPECT_NEAR(one.draws_nll, two.draws_nll, double_rounding * std::abs(two.nll));
    EXPECT_NEAR(one.mse, two.mse, double_rounding * two.mse);
  }
}

// A NaN output must show up in the validation NLL, whatever the family.
TEST(Scores, NotANumberIsNeverHidden) {
  for (const auto& [label, family] : family_cases()) {
    const Dataset<double> data = random_data(family, 9, 1, 1);
    Matrix<double> out(9, outputs(family));
    out(7, out.cols() - 1) = std::nan("");
    const Scores s = score(family, View<const double>(out.view()), 1, data.y.view());
    EXPECT_TRUE(std::isnan(s.nll)) << label;
  }
}

TEST(Scores, SquaredErrorOfClassesIsTheBrierScore) {
  const Family family = make_family("categorical", {.classes = 3});
  Matrix<double> out(1, 3);
  out(0, 0) = std::log(0.5);
  out(0, 1) = std::log(0.3);
  out(0, 2) = std::log(0.2);
  Matrix<double> y(1, 1);
  y(0, 0) = 1;
  const Scores s = score(family, View<const double>(out.view()), 1, y.view());
  EXPECT_NEAR(s.nll, -std::log(0.3), double_rounding);
  EXPECT_NEAR(s.mse, 0.25 + 0.49 + 0.04, double_rounding);
}

// Two classes have two moments too, although y has one column.
TEST(Scores, SquaredErrorOfTwoClasses) {
  const Family family = make_family("categorical", {.classes = 2});
  Matrix<double> out(1, 2);
  out(0, 0) = std::log(0.9);
  out(0, 1) = std::log(0.1);
  Matrix<double> y(1, 1);
  const Scores s = score(family, View<const double>(out.view()), 1, y.view());
  EXPECT_NEAR(s.mse, 0.02, double_rounding);
}

// Also for two classes, whose cdf is meaningful.
TEST(Crps, ClassesHaveNone) {
  const Matrix<double> three(1, 3), one(1, 1);
  EXPECT_THROW(crps(Mixture(Categorical{3}, View<const double>(three.view())), 0, 1), Error);
  EXPECT_THROW(crps(Mixture(Bernoulli{}, View<const double>(one.view())), 0, 1), Error);
}

TEST(Mixture, QuantileInvertsTheCdf) {
  Matrix<double> out(2, 2);  // N(−3, 1) and N(5, 0.25)
  out(0, 0) = -3;
  out(1, 0) = 5;
  out(1, 1) = std::log(0.25);
  const Mixture mixture(unit, View<const double>(out.view()));
  EXPECT_NEAR(mixture.mean(0), 1, double_rounding);
  for (const double u : {0.001, 0.025, 0.3, 0.49, 0.7, 0.975}) {
    EXPECT_NEAR(mixture.cdf(0, mixture.quantile(0, u)), u, double_rounding);
  }
}

TEST(Mixture, MeanOfClassesIsTheirProbability) {
  const Categorical family{3};
  Matrix<double> out(2, 3);  // (1, 1, 1)/3 and (1, 2, 1)/4
  out(1, 1) = std::log(2.0);
  const Mixture mixture(family, View<const double>(out.view()));
  const std::vector<double> mean = mixture.mean();
  ASSERT_EQ(mean.size(), 3u);
  for (const int c : {0, 2}) EXPECT_NEAR(mean[to_size(c)], 7.0 / 24, double_rounding);
  EXPECT_NEAR(mean[1], 10.0 / 24, double_rounding);
  EXPECT_EQ(mixture.mean(1), mean[1]);
}

TEST(Mixture, QuantileOfCountsIsTheSmallestThatReaches) {
  const Poisson poisson;
  Matrix<double> out(2, 1);  // rates 1 and 20
  out(1, 0) = std::log(20.0);
  const Mixture mixture(poisson, View<const double>(out.view()));
  for (const double u : {0.01, 0.3, 0.5, 0.6, 0.99}) {
    const double q = mixture.quantile(0, u);
    EXPECT_GE(mixture.cdf(0, q), u);
    EXPECT_TRUE(q == 0 || mixture.cdf(0, q - 1) < u);
  }
}

// Beyond 2^53 a double cannot step by one count: the search must still end.
TEST(Mixture, QuantileOfHugeCountsIsFound) {
  Matrix<double> out(2, 1);
  out(0, 0) = 38;
  out(1, 0) = 39;
  const Mixture mixture(Poisson{}, View<const double>(out.view()));
  const double q = mixture.quantile(0, 0.6);
  EXPECT_GE(q, std::exp(38.0));
  EXPECT_LE(q, 1.1 * std::exp(39.0));
}

// Two hurdles with 20 % and 60 % zeros.
TEST(Mixture, AtomsAreExact) {
  const ZeroInflatedGamma family;
  Matrix<double> out(2, 3);
  out(0, 2) = std::log(0.25);
  out(1, 0) = 1;
  out(1, 2) = std::log(1.5);
  const Mixture mixture(family, View<const double>(out.view()));
  EXPECT_NEAR(mixture.cdf(0, 0), 0.4, double_rounding);
  EXPECT_EQ(mixture.below(0, 0), 0);
  EXPECT_EQ(mixture.below(0, 2), mixture.cdf(0, 2));
  for (const double u : {1e-9, 0.1, 0.399}) EXPECT_EQ(mixture.quantile(0, u), 0);
  for (const double u : {0.401, 0.5, 0.9, 0.999}) {
    EXPECT_NEAR(mixture.cdf(0, mixture.quantile(0, u)), u, double_rounding);
  }
}

// E|Y − y| − ½ E|Y − Y'| by 300 quantiles, which leave out little: of counts, of atoms, and of a
// mixture of two without a closed form.
TEST(Crps, IsThatOfTheQuantiles) {
  const auto compare = [](const auto& family, const std::vector<double>& outputs, Index members) {
    Matrix<double> out(members, std::ssize(outputs));
    for (Index s = 0; s < members; ++s) {
      for (Index k = 0; k < out.cols(); ++k) {
        out(s, k) = outputs[to_size(k)] + 0.5 * static_cast<double>(s);
      }
    }
    const Mixture mixture(family, View<const double>(out.view()));
    constexpr int n = 300;
    std::vector<double> quantile;
    for (int k = 0; k < n; ++k) quantile.push_back(mixture.quantile(0, (k + 0.5) / n));
    for (const double y : {0.0, 1.0, 7.0}) {
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        sum += std::abs(quantile[to_size(k)] - y) / n;
        for (int j = 0; j < n; ++j) {
          sum -= std::abs(quantile[to_size(k)] - quantile[to_size(j)]) / (2.0 * n * n);
        }
      }
      const double spread = std::sqrt(mixture.variance()[0]);
      EXPECT_NEAR(crps(mixture, 0, y), sum, 0.01 * spread)  // for the quantiles left out
          << family.name << ' ' << members << " y = " << y;
    }
  };
  for (const Index members : {1, 2}) {
    compare(NegativeBinomial{}, {1, 0.5}, members);
    compare(ZeroInflatedPoisson{}, {1, 0}, members);
    compare(ZeroInflatedNegativeBinomial{}, {1, 0.5, 0}, members);
    compare(ZeroInflatedGamma{}, {1, 0, 0}, members);
    compare(ZeroInflatedLognormal{}, {0, -1, 0}, members);
    compare(GaussianMixture{}, {1, 2, 3, 0, 0, 0, 0, 0, 1}, members);
  }
}

// Members whose scales differ a thousandfold, against a fine sum. Every step of the cdf counts.
TEST(Crps, OfManyStudentsIsTheIntegral) {
  Stream stream(3, Purpose::test);
  for (int round = 0; round < 3; ++round) {
    constexpr Index members = 30;
    Matrix<double> out(members, 3);
    for (Index s = 0; s < members; ++s) {
      out(s, 0) = stream.normal();
      out(s, 1) = -9 + 9 * stream.uniform();
      out(s, 2) = 3 * stream.normal();
    }
    const Mixture mixture(StudentT{}, View<const double>(out.view()));
    const double y = stream.normal();
    const auto integral = [&](double from, double to, double step, int cells) {
      const double width = (to - from) / cells;
      double sum = 0;
      for (int k = 0; k < cells; ++k) {
        const double off = mixture.cdf(0, from + (k + 0.5) * width) - step;
        sum += off * off * width;
      }
      return sum;
    };
    const double low = std::min(-20.0, y - 1), high = std::max(20.0, y + 1);
    const double exact = integral(low, y, 0, 20'000) + integral(y, high, 1, 20'000) +
                         integral(-2000, low, 0, 2000) + integral(high, 2000, 1, 2000);
    EXPECT_NEAR(crps(mixture, 0, y), exact, 2e-6) << round;
  }
}

// Far more than can be added up, most of them near 0.
TEST(Crps, OfWideCountsIsTheIntegral) {
  Matrix<double> out(1, 2);
  out(0, 0) = 11;
  out(0, 1) = -1;
  const Mixture mixture(NegativeBinomial{}, View<const double>(out.view()));
  Matrix<double> smooth(1, 2);  // a gamma density of the same mean and shape
  smooth(0, 0) = 11;
  smooth(0, 1) = -1;
  const Mixture limit(Gamma{}, View<const double>(smooth.view()));
  EXPECT_NEAR(crps(mixture, 0, 500), crps(limit, 0, 500),
              1e-3 * std::exp(11));  // the limit's error
}

TEST(Summary, MeanStandardErrorAndDeviation) {
  const double values[] = {1, 2, 3, 6};
  const MeanSe s = mean_se(values);
  EXPECT_DOUBLE_EQ(s.mean, 3);
  EXPECT_DOUBLE_EQ(s.se, std::sqrt(14.0 / 3 / 4));
  EXPECT_DOUBLE_EQ(s.sd, std::sqrt(14.0 / 3));
  EXPECT_TRUE(std::isnan(mean_se({values, 1}).se));
  EXPECT_TRUE(std::isnan(mean_se({values, 1}).sd));
  EXPECT_EQ(mean_se({values, 1}).mean, 1);
}

}  // namespace
}  // namespace probmix::test
