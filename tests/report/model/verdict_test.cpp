#include "probmix/report/model/verdict.hpp"

#include <gtest/gtest.h>

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
      Sentences{"90 % intervals hold 80.0 % of 200 rows: too narrow (by chance 85.8 to 94.2 %)"});
  EXPECT_EQ(verdict(with_coverage(0.87), number()),
            Sentences{"90 % intervals hold 87.0 % of 200 rows: as they should (by chance 85.8 to "
                      "94.2 %)"});
  EXPECT_NE(verdict(with_coverage(0.99), number()).front().find("too wide"), std::string::npos);
  Target counts = number();
  counts.family = "poisson";
  EXPECT_NE(verdict(with_coverage(0.99), counts).front().find("as those of counts may"),
            std::string::npos);
}

TEST(Verdict, ComparesWithBaselines) {
  EvaluationBeside found = with_coverage(0.9);
  found.linear.emplace().nll = 2.5;
  found.marginal.emplace().nll = 1.75;
  EXPECT_EQ(verdict(found, number()).at(1),
            "NLL 2: 0.5 below that of a linear model, 0.25 above that of one density for all rows");
  EXPECT_EQ(verdict(found, number()).at(2),
            "These predictions are worse than none: do not use them for such rows");
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
