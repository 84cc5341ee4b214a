#include "probmix/report/model/verdict.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace probmix::report::test {
namespace {

using Sentences = std::vector<std::string>;

Target number() {
  Target target;
  target.names = {"y"};
  target.family = "gaussian";
  return target;
}

EvaluationBeside with_coverage(double covered, Index rows = 200) {
  EvaluationBeside found;
  found.model.rows = rows;
  found.model.nll = 2;
  found.model.columns.resize(1);
  found.model.columns.front().coverage[2] = covered;
  return found;
}

TEST(Verdict, SaysWhetherIntervalsHold) {
  EXPECT_EQ(
      verdict(with_coverage(0.8), number()),
      Sentences{"The 90 % intervals contain 80.0 % of 200 rows: too narrow (by chance 85.5 to "
                "94.0 %)"});
  EXPECT_EQ(
      verdict(with_coverage(0.87), number()),
      Sentences{"The 90 % intervals contain 87.0 % of 200 rows: as they should (by chance 85.5 "
                "to 94.0 %)"});
  EXPECT_NE(verdict(with_coverage(0.99), number()).front().find("too wide"), std::string::npos);
  Target counts = number();
  counts.family = "poisson";
  EXPECT_NE(verdict(with_coverage(0.99), counts).front().find("normal for counts"),
            std::string::npos);
}

// If each interval is right, at most 2.5 % of tables are called too narrow, and as many too wide,
// however few rows they have.
TEST(Verdict, BlamesChanceWhereItMayBeChance) {
  for (Index rows = 1; rows <= 50; ++rows) {
    double narrow = 0, wide = 0;
    for (Index k = 0; k <= rows; ++k) {
      const auto n = static_cast<double>(rows), contained = static_cast<double>(k);
      const double p = std::exp(std::lgamma(n + 1) - std::lgamma(contained + 1) -
                                std::lgamma(n - contained + 1) + contained * std::log(0.9) +
                                (n - contained) * std::log(0.1));
      const std::string text = verdict(with_coverage(contained / n, rows), number()).front();
      narrow += text.find("too narrow") != std::string::npos ? p : 0;
      wide += text.find("too wide") != std::string::npos ? p : 0;
    }
    EXPECT_LE(narrow, 0.025) << rows;
    EXPECT_LE(wide, 0.025) << rows;
    EXPECT_EQ(narrow > 0, rows >= 2) << rows;  // none of 2 is a surprise: 1 %
  }
}

TEST(Verdict, ComparesWithBaselines) {
  EvaluationBeside found = with_coverage(0.9);
  found.linear.emplace();
  found.over_linear = {.mean = 0.5, .error = 0.04};
  found.marginal.emplace();
  found.over_marginal = {.mean = -0.25, .error = 0.1};
  EXPECT_EQ(verdict(found, number()).at(1),
            "NLL 2: 0.5 ± 0.04 below that of a linear model, 0.25 ± 0.1 above that of one density "
            "for all rows");
  EXPECT_EQ(
      verdict(found, number()).at(2),
      "For these rows the model is worse than one density for all of them: do not use it here");
  found.over_marginal.error = 0.2;  // may be chance
  EXPECT_EQ(verdict(found, number()).size(), 2u);
  found.over_marginal.error = std::nan("");
  EXPECT_EQ(verdict(found, number()).size(), 2u);
}

TEST(Verdict, SetsAccuracyBesideTheBaseRate) {
  Target target;
  target.names = {"c"};
  target.family = "bernoulli";
  target.classes = {"no", "yes"};
  EvaluationBeside found;
  found.model.rows = 1000;
  found.model.observed = {973, 27};
  found.model.classes.accuracy = 0.968;
  EXPECT_EQ(verdict(found, target),
            Sentences{"Accuracy 96.8 %: no better than the 97.3 % of always saying 'no'"});
  found.model.classes.accuracy = 0.99;
  EXPECT_NE(verdict(found, target).front().find("more than"), std::string::npos);
  found.model.classes.accuracy = 0.9;
  EXPECT_NE(verdict(found, target).front().find("less than"), std::string::npos);
}

}  // namespace
}  // namespace probmix::report::test
