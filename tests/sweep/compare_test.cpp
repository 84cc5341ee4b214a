#include "probmix/sweep/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "model/model_support.hpp"
#include "probmix/sweep/recommend.hpp"
#include "support/message.hpp"

namespace probmix::test {
namespace {

CompareOptions options(std::vector<std::string> targets = {"y"}) {
  CompareOptions compare;
  compare.fit = quick(std::move(targets));
  compare.fit.train.epochs = 2;
  compare.folds = 3;
  compare.repeats = 2;
  return compare;
}

Comparison compare(Frame frame, const CompareOptions& options) {
  return make_comparison(std::make_shared<const Frame>(std::move(frame)), options);
}

Json result_of(const Comparison& comparison, const Method& method, Index fold) {
  const StudyCell cell = study_cells({comparison.data}, {&method}).front();
  cell.check(MixOptions{.alpha = 0.1});
  return cell.run(MixOptions{.alpha = 0.1}, fold).execute();
}

TEST(Comparison, JudgesEveryRowOnceInEachRepeat) {
  const Comparison comparison = compare(houses(61), options());
  EXPECT_EQ(comparison.study, "compare");
  EXPECT_EQ(comparison.data->repeats, 6);
  Index rows = 0;
  for (Index fold = 0; fold < 3; ++fold) {
    const Json result = result_of(comparison, find_method("erm"), fold);
    rows += result.at("test").at("rows").get<Index>();
    EXPECT_EQ(result.at("test").at("rows").get<Index>() +
                  result.at("train").at("rows").get<Index>() +
                  result.at("validation").at("rows").get<Index>(),
              61);
    for (const char* const key : {"nll", "rmse", "crps"}) {
      EXPECT_TRUE(std::isfinite(result.at("test").at(key).get<double>())) << key;
    }
  }
  EXPECT_EQ(rows, 61);
}

TEST(Comparison, OfClassesHasTheirScores) {
  const Comparison comparison = compare(houses(60), options({"town"}));
  EXPECT_EQ(comparison.study, "compare-classes");
  const Json result = result_of(comparison, find_method("probmix"), 1);
  for (const char* const key : {"nll", "accuracy", "brier", "ece"}) {
    EXPECT_TRUE(result.at("test").contains(key)) << key;
  }
}

TEST(Comparison, InTimeIsOneOnly) {
  CompareOptions in_time = options();
  in_time.fit.series = {.window = 3, .horizon = 1};
  EXPECT_EQ(compare(houses(60), in_time).data->repeats, 3);
}

TEST(Comparison, ConfigurationsDifferWithWhatMatters) {
  const Frame frame = houses(60);
  const auto identity = [&](const CompareOptions& how, const Frame& table, Index fold) {
    const Comparison comparison = compare(table, how);
    const auto cells = study_cells({comparison.data}, {&find_method("erm")});
    return exact_json_text(cells.front().run({}, fold).configuration);
  };
  const std::string first = identity(options(), frame, 0);
  EXPECT_EQ(identity(options(), frame, 0), first);
  EXPECT_NE(identity(options(), frame, 1), first);
  EXPECT_NE(identity(options(), houses(60, 2), 0), first);
  CompareOptions other = options();
  other.fit.inputs = {"x"};
  EXPECT_NE(identity(other, frame, 0), first);
  other = options();
  other.fit.weights = "x";
  other.fit.inputs = {"town"};
  EXPECT_THROW(identity(other, frame, 0), Error);  // x has negative numbers
}

// Records with these test NLLs of two methods.
std::vector<RunRecord> records_of(const std::vector<double>& erm, const std::vector<double>& mix) {
  std::vector<RunRecord> records;
  for (std::size_t k = 0; k < erm.size(); ++k) {
    for (const auto& [name, nll] : {std::pair("erm", erm[k]), std::pair("mix", mix[k])}) {
      const Json scores = {{"rows", 10}, {"nll", nll}, {"rmse", 1.0}, {"crps", 1.0}};
      records.push_back({.configuration = {{"dataset", "t"}, {"method", name}, {"fold", k}},
                         .result = {{"test", scores}, {"train", scores}, {"validation", scores}}});
    }
  }
  return records;
}

// The corrected t-test against its formula, worked out by SciPy: differences 0.1, 0.3, 0.2, 0.4,
// 0.25 have mean 0.25 and variance 0.0125; t = 0.25 / sqrt((1/5 + 1/4) · 0.0125) = 3.3333;
// 2 * scipy.stats.t.sf(10 / 3, 4) = 0.029015.
TEST(Recommendation, KnowsHowSureItIs) {
  const StudyLayout& layout = study_layout("compare");
  const auto records = records_of({1.0, 1.1, 0.9, 1.2, 1.0}, {1.1, 1.4, 1.1, 1.6, 1.25});
  const Recommendation found = recommend(layout, sum_up(layout, records), 0.25);
  ASSERT_NE(found.best, nullptr);
  EXPECT_EQ(found.best->name, "erm");
  EXPECT_EQ(found.second->name, "mix");
  EXPECT_EQ(found.alike, std::vector{found.best});
  EXPECT_EQ(found.wins, 5);
  EXPECT_NEAR(found.difference, 0.25, 1e-12);
  EXPECT_NEAR(found.p, 0.029015, 1e-5);
  EXPECT_EQ(to_text(found),
            "Use erm: its test NLL is the lowest, 0.25 below that of mix, which it beats in 5 of 5 "
            "folds. The difference is unlikely to be chance (p = 0.029).");
}

TEST(Recommendation, AsJson) {
  const StudyLayout& layout = study_layout("compare");
  const auto records = records_of({1.0, 1.1, 0.9, 1.2, 1.0}, {1.1, 1.4, 1.1, 1.6, 1.25});
  const Json found = to_json(recommend(layout, sum_up(layout, records), 0.25));
  EXPECT_EQ(found.at("method"), "erm");
  EXPECT_EQ(found.at("second"), "mix");
  EXPECT_EQ(found.at("wins"), 5);
  EXPECT_EQ(found.at("runs"), 5);
  EXPECT_NEAR(found.at("p").get<double>(), 0.029015, 1e-5);
  const Json none = to_json(Recommendation{.p = std::nan("")});
  EXPECT_TRUE(none.at("method").is_null() && none.at("second").is_null() && none.at("p").is_null());
  EXPECT_EQ(none.at("text"), "No method finished all folds.");
}

TEST(Recommendation, OfEqualsSaysSo) {
  const StudyLayout& layout = study_layout("compare");
  const auto records = records_of({1.0, 1.1, 0.9}, {1.1, 1.0, 0.91});
  const Recommendation found = recommend(layout, sum_up(layout, records), 0.5);
  EXPECT_EQ(found.wins, 2);
  EXPECT_GT(found.p, 0.32);
  EXPECT_EQ(found.alike.size(), 2u);
  EXPECT_NE(
      to_text(found).find("But these folds do not tell it from mix: use erm, the simplest, or "
                          "compare them on more folds."),
      std::string::npos)
      << to_text(found);
}

// erm leads here too, but by nothing to speak of: it is the simplest. If another leads by as
// little, erm is still the one to use.
TEST(Recommendation, OfEqualsIsTheSimplest) {
  const StudyLayout& layout = study_layout("compare");
  const auto records = records_of({1.1, 1.0, 0.91}, {1.0, 1.1, 0.9});
  const Recommendation found = recommend(layout, sum_up(layout, records), 0.5);
  EXPECT_EQ(found.best->name, "mix");
  EXPECT_NE(to_text(found).find("mix leads"), std::string::npos);
  EXPECT_NE(to_text(found).find("do not tell it from erm: use erm, the simplest"),
            std::string::npos);
  EXPECT_EQ(to_json(found).at("alike"), Json({"erm", "mix"}));
  EXPECT_EQ(to_json(found).at("method"), "mix");
  EXPECT_EQ(to_json(found).at("use"), "erm");
}

// The networks of an ensemble learn from each other's validation rows, so their mixture must not be
// judged on them.
TEST(Comparison, ValidatesAnEnsembleOutOfFold) {
  CompareOptions chosen = options();
  chosen.fit.ensemble = 5;
  chosen.fit.train.epochs = 60;
  const Comparison comparison = compare(houses(), chosen);
  const StudyData& data = *comparison.data;
  const StudyData::Case at = data.at(0);
  const Model model = fit_model(*at.table, data.options, at.fold);
  const Json result = run_fit(data, data.options, 0);
  EXPECT_NEAR(result["validation"]["nll"].get<double>(),
              model.training.at("predictive-nll").get<double>(), 1e-6);
}

}  // namespace
}  // namespace probmix::test
