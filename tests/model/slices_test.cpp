#include "probmix/model/slices.hpp"

#include <gtest/gtest.h>

#include "model/model_support.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix::test {
namespace {

TEST(Slices, NumbersHaveQuartersAndTextsThemselves) {
  Model model;
  model.inputs = Inputs({{.name = "x", .how = NumberInput{.mean = 10, .scale = 2}},
                         {.name = "town", .how = CategoryInput{.levels = {"a", "b"}}}});
  const SliceNames x(model, "x"), town(model, "town"), other(model, "id");
  EXPECT_EQ(x.name("8"), "1: below 8.651");
  EXPECT_EQ(x.name("9"), "2: 8.651 to 10");
  EXPECT_EQ(x.name("10"), "3: 10 to 11.349");
  EXPECT_EQ(x.name("1e300"), "4: from 11.349 on");
  for (const char* text : {"", "NA", "none"}) EXPECT_EQ(x.name(text), "missing");
  EXPECT_EQ(town.name("b"), "b");
  EXPECT_EQ(town.name(""), "missing");
  EXPECT_EQ(other.name("17"), "17");
}

// Each part has the scores of its rows alone, whatever the blocks.
TEST(Slices, AddUpToTheWhole) {
  ModelFit fit(houses(200), quick());
  fit.finish();
  const Model model = fit.model();
  const Dataset<float> rows = fit.data().train();
  ModelPredictor predict(model, 1);
  SlicedEvaluator slices(model.target, predict.all_members());
  Evaluator whole(model.target, predict.all_members());
  constexpr Index block = 17;
  for (Index first = 0; first < rows.rows(); first += block) {
    const Index count = std::min(block, rows.rows() - first);
    const View<const double> y{rows.y.row(first), count, rows.y.cols()};
    std::vector<std::string> parts;
    for (Index r = 0; r < count; ++r) parts.push_back(y(r, 0) < 0 ? "low" : "high");
    const View<const float> out = predict.outputs({rows.x.row(first), count, rows.x.cols()});
    slices.add(out, y, parts);
    whole.add(out, y);
  }
  const auto found = slices.result();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "high");
  double nll = 0, covered = 0;
  Index count = 0;
  for (const auto& [name, part] : found) {
    const auto n = static_cast<double>(part.rows);
    nll += n * part.nll;
    covered += n * part.columns.front().coverage[2];
    count += part.rows;
  }
  EXPECT_EQ(count, rows.rows());
  EXPECT_NEAR(nll / static_cast<double>(count), whole.result().nll, 1e-9);
  EXPECT_NEAR(covered / static_cast<double>(count), whole.result().columns.front().coverage[2],
              1e-9);
}

TEST(Slices, ManyPartsEndInOthers) {
  ModelFit fit(houses(200), quick());
  fit.finish();
  const Model model = fit.model();
  const Dataset<float> rows = fit.data().train();
  ModelPredictor predict(model, 1);
  SlicedEvaluator slices(model.target, predict.all_members());
  std::vector<std::string> parts;
  for (Index r = 0; r < rows.rows(); ++r) parts.push_back(fmt::format("{:03}", r));
  slices.add(predict.outputs(rows.x.view()), rows.y.view(), parts);
  const auto found = slices.result();
  ASSERT_EQ(found.size(), SlicedEvaluator::most + 1);
  EXPECT_EQ(found.back().name, "(others)");
  EXPECT_EQ(found.back().evaluation.rows, rows.rows() - static_cast<Index>(SlicedEvaluator::most));
}

}  // namespace
}  // namespace probmix::test
