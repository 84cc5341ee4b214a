#include "probmix/model/baseline.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model_support.hpp"
#include "probmix/metric/marginal.hpp"
#include "probmix/model/beside_baseline.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

// Of rows that training did not see.
EvaluationBeside evaluated(const Model& model) {
  const Frame test = houses(4000, 7);
  InputOddities ignored;
  const Matrix<float> x = model.inputs.encode(test, ignored);
  const FrameColumn& column = test.column(model.target.names.front());
  Matrix<double> y(test.rows(), 1);
  for (Index r = 0; r < test.rows(); ++r) {
    y(r, 0) =
        model.target.has_classes()
            ? static_cast<double>(column.codes[to_size(r)])
            : (column.values[to_size(r)] - model.target.shift.front()) / model.target.scale.front();
  }
  EvaluatorBeside evaluator(model, 1);
  evaluator.add(x.view(), y.view());
  return evaluator.result();
}

// y is linear in x and town, with noise of deviation 3.
TEST(Baseline, TheLinearModelIsRightWhereTheTableIsLinear) {
  const Frame frame = houses(600);
  const Model model = fit_model(frame, quick());
  const EvaluationBeside found = evaluated(model);
  const double noise = std::log(3 * std::sqrt(2 * 3.14159265)) + 0.5;
  ASSERT_TRUE(found.linear && found.marginal);
  EXPECT_NEAR(found.linear->nll, noise, 0.04);
  EXPECT_NEAR(found.linear->columns.front().rmse, 3, 0.12);
  EXPECT_GT(found.marginal->nll, noise + 1.5);
  EXPECT_NEAR(found.marginal->columns.front().coverage[2], 0.9, 0.05);
}

TEST(Baseline, OfClassesIsTheBaseRate) {
  const Frame frame = houses(300);
  const Model model = fit_model(frame, quick({"town"}));
  const EvaluationBeside found = evaluated(model);
  ASSERT_TRUE(found.linear && found.marginal);
  EXPECT_NEAR(found.marginal->nll, std::log(3), 0.02);
  EXPECT_NEAR(found.marginal->balanced_accuracy, 1.0 / 3, 1e-12);
  EXPECT_LT(found.linear->nll, found.marginal->nll);
}

TEST(Baseline, IsInTheModelFile) {
  const Model model = fit_model(houses(), quick());
  const std::string bytes = to_file(model);
  const Model again = parse_model(bytes, "m");
  EXPECT_EQ(again.baseline.marginal, model.baseline.marginal);
  EXPECT_EQ(again.baseline.linear.networks, model.baseline.linear.networks);
  EXPECT_EQ(to_file(again), bytes);
  Model other = model;
  other.baseline.marginal.push_back(0);
  EXPECT_NE(message_of<Error>([&] { parse_model(to_file(other), "m"); }).find("the family needs 2"),
            std::string::npos);
  other = model;
  other.baseline = {};  // as files of older versions
  EXPECT_FALSE(marginal_model(parse_model(to_file(other), "m")).has_value());
  EXPECT_FALSE(linear_model(other).has_value());
}

}  // namespace
}  // namespace probmix::test
