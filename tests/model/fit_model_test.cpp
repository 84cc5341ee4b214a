#include "probmix/model/fit_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/model_support.hpp"
#include "probmix/model/checkpoint.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/options/candidates.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

using Names = std::vector<std::string>;

double test_nll(const Model& model, const Frame& frame) {
  InputOddities oddities;
  const Matrix<float> x = model.inputs.encode(frame, oddities);
  std::vector<Index> rows(to_size(frame.rows()));
  for (std::size_t r = 0; r < rows.size(); ++r) rows[r] = static_cast<Index>(r);
  const Matrix<double> y = model.target.encode(frame, rows);
  ModelPredictor predict(model, 1);
  Evaluator evaluator(model.target, predict.members());
  evaluator.add(predict.outputs(x.view()), y.view());
  return evaluator.result().nll;
}

// The noise alone has an NLL of log 3 + ½ log 2πe = 2.52; a constant prediction about 4.5.
TEST(ModelFit, LearnsWhatThereIsToLearn) {
  FitOptions options = quick();
  options.train.epochs = 200;
  for (const char* const name : {"erm", "probmix", "m-probmix"}) {
    options.method = find_method(name);
    const Model model = fitted(houses(400), options);
    EXPECT_LT(test_nll(model, houses(400, 2)), 2.9) << name;
  }
}

TEST(ModelFit, SaysWhatItDecided) {
  std::string text = "name,x,same,y\n";
  for (int r = 0; r < 40; ++r) {
    text += fmt::format("house {},{},7,{}\n", r, r % 7, r % 5 == 0 ? "NA" : fmt::format("{}.5", r));
  }
  const Prepared data = prepare(parse_frame(text, "t.csv"), quick());
  EXPECT_EQ(data.remarks,
            (Names{"8 of 40 rows have no target and are left out",
                   "'name' has a different value in every row and is left out",
                   "family: gaussian, as 'y' has real numbers; choose another with `family`",
                   "'same' does not vary and is left out"}));
  EXPECT_EQ(data.train().rows() + data.validation().rows(), 32);
  EXPECT_EQ(data.inputs.width(), 1);
}

// 60 rows with the target that `value` gives.
template <class Value>
Frame table_of(const Value& value) {
  std::string text = "x,y\n";
  for (int r = 0; r < 60; ++r) text += fmt::format("{},{}\n", r % 11, value(r));
  return parse_frame(text, "t.csv");
}

TEST(ModelFit, TheDefaultPresetTriesFamiliesThatSuitTheTarget) {
  const Frame numbers = table_of([](int r) { return 0.5 + r % 13; });
  const auto family = [](const Frame& frame, FitOptions options) {
    options.targets = {"y"};
    std::string names;
    for (const Response& response : prepare(frame, options).responses) {
      names += (names.empty() ? "" : " ") + response.target.family;
    }
    return names;
  };
  EXPECT_EQ(family(numbers, {}), "student-t");
  EXPECT_EQ(family(numbers, {.method = find_method("m-probmix")}), "student-t");
  EXPECT_EQ(family(numbers, {.preset = Preset::fast}), "gaussian");
  EXPECT_EQ(family(numbers, {.family = "gaussian"}), "gaussian");
  EXPECT_EQ(family(numbers, {.family_options = {.homoscedastic = true}}), "gaussian");
  const MixOptions log_linear{.pooling = Pooling::log_linear};
  EXPECT_EQ(family(numbers, {.mix = log_linear}), "gaussian");
  EXPECT_EQ(family(numbers, {.method = find_method("erm"), .mix = log_linear}), "student-t");
  const Frame counts = table_of([](int r) { return r % 5; });
  EXPECT_EQ(family(counts, {}), "poisson student-t negative-binomial");
  EXPECT_EQ(family(counts, {.preset = Preset::fast}), "poisson");
  const Frame skewed = table_of([](int r) { return 0.5 + r * r; });
  EXPECT_EQ(family(skewed, {}), "student-t gamma lognormal");
  EXPECT_EQ(family(table_of([](int r) { return r % 3 == 0 ? "yes" : "no"; }), {}), "bernoulli");
}

TEST(ModelFit, DensitiesOfWholeNumbersAreNotNarrowerThanTheRounding) {
  const auto floor = [](const Frame& frame, Preset preset) {
    const FitOptions options{.preset = preset, .targets = {"y"}, .family = "gaussian"};
    const Target target = prepare(frame, options).responses.front().target;
    return target.options.positive.floor * target.scale[0] * target.scale[0];  // in units of y
  };
  const Frame whole = table_of([](int r) { return 3 + r % 6; });
  const Frame others = table_of([](int r) { return 3.5 + r % 6; });
  EXPECT_NEAR(floor(whole, Preset::standard), 1.0 / 12, 1e-12);
  EXPECT_LT(floor(whole, Preset::fast), 1e-3);
  EXPECT_LT(floor(others, Preset::standard), 1e-3);
}

TEST(ModelFit, ScalesComeFromTheTrainingRowsAlone) {
  // Sorted by time, so that the last fifth, which is far off, is for validation.
  std::string text = "t,x,y\n";
  for (int r = 0; r < 50; ++r) {
    text += fmt::format("{},{},{}\n", r, r < 40 ? r % 4 : 1000 + r, r < 40 ? r % 3 : 1e6 + r);
  }
  FitOptions options = quick();
  options.family = "gaussian";
  options.series.time = "t";
  const Prepared data = prepare(parse_frame(text, "t.csv"), options);
  EXPECT_EQ(data.validation().rows(), 10);
  const auto& x = std::get<NumberInput>(data.inputs.columns().front().how);
  EXPECT_DOUBLE_EQ(x.mean, 1.5);
  EXPECT_NEAR(data.responses.front().target.shift[0], 39.0 / 40, 1e-12);
  EXPECT_EQ(data.inputs.columns().size(), 1U);  // the time is not an input
}

TEST(ModelFit, WeightsOfZeroLeaveRowsOut) {
  // Rows of weight 0 have nonsensical targets.
  std::string text = "x,w,y\n";
  Stream stream(4, Purpose::test);
  for (int r = 0; r < 300; ++r) {
    const double x = stream.normal();
    const bool bad = r % 3 == 0;
    text +=
        fmt::format("{},{},{}\n", x, bad ? 0 : 2.5, bad ? 100.0 : 3 * x + 0.1 * stream.normal());
  }
  FitOptions options = quick();
  options.weights = "w";
  options.train.epochs = 150;
  for (const char* const name : {"erm", "probmix", "mix", "m-probmix"}) {
    options.method = find_method(name);
    const Frame frame = parse_frame(text, "t.csv");
    const Model model = fitted(frame, options);
    ModelPredictor predict(model, 1);
    Matrix<float> x(1, 1);
    predict.outputs(x.view());
    // λ of a pair (a good row, a bad one) is mostly near 0 or 1, and its target is between.
    EXPECT_LT(predict.density(0).mean(0), 20) << name;
    FitOptions without = options;
    without.weights.clear();
    without.inputs = {"x"};
    const Model blind = fitted(frame, without);
    ModelPredictor predict_blind(blind, 1);
    predict_blind.outputs(x.view());
    EXPECT_GT(predict_blind.density(0).mean(0), 25) << name;
  }
}

TEST(ModelFit, EqualWeightsAreNoWeights) {
  std::string text = "x,w,y\n";
  for (int r = 0; r < 60; ++r) text += fmt::format("{},3,{}\n", r % 11, (r * 7) % 13);
  const Frame frame = parse_frame(text, "t.csv");
  FitOptions options = quick();
  options.family = "gaussian";
  options.weights = "w";
  const Model weighted = fitted(frame, options);
  options.weights.clear();
  options.inputs = {"x"};
  const Model plain = fitted(frame, options);
  // The validation NLL is summed in another order, so a different epoch might win a tie.
  EXPECT_EQ(weighted.groups.front().networks, plain.groups.front().networks);
}

TEST(ModelFit, GroupsStayTogether) {
  std::string text = "g,x,y\n";
  for (int r = 0; r < 90; ++r) text += fmt::format("{},{},{}\n", "abcdefghi"[r % 9], r % 9, r);
  FitOptions options = quick();
  options.series.group = "g";
  options.limit_inputs = LimitInputs::wide;  // so that x still tells the groups apart
  options.train.epochs = 1;
  const Prepared data = prepare(parse_frame(text, "t.csv"), options);
  const auto has = [](const Dataset<float>& rows, float x) {
    for (Index r = 0; r < rows.rows(); ++r) {
      if (rows.x(r, 0) == x) return true;
    }
    return false;
  };
  const Dataset<float> train = data.train(), validation = data.validation();
  ASSERT_GT(validation.rows(), 0);
  for (Index r = 0; r < validation.rows(); ++r) {
    EXPECT_FALSE(has(train, validation.x(r, 0)));
  }
}

TEST(ModelFit, RefusesWhatDoesNotFit) {
  const Frame frame = houses(30);
  const auto fault = [&](const auto& change) {
    FitOptions options = quick();
    change(options);
    return message_of<UsageError>([&] { prepare(frame, options); });
  };
  EXPECT_EQ(fault([](FitOptions& o) { o.targets.clear(); }),
            "a model needs a target: name its column with `target`");
  EXPECT_EQ(fault([](FitOptions& o) { o.targets = {"y", "y"}; }), "the target 'y' is given twice");
  EXPECT_EQ(fault([](FitOptions& o) {
              o.inputs = {"x", "y"};
            }),
            "column 'y' is a target and cannot also be an input");
  EXPECT_EQ(fault([](FitOptions& o) { o.architecture.kind = ArchitectureKind::lstm; }),
            "the lstm reads windows of a series: give `window` and `horizon`");
  EXPECT_EQ(fault([](FitOptions& o) { o.series.time = "town"; }),
            "houses.csv: column 'town' has categories, which have no order in time; give a column "
            "of dates (YYYY-MM-DD or YYYY-MM-DD HH:MM[:SS], UTC) or numbers");
  EXPECT_EQ(message_of<Error>([&] {
              FitOptions options = quick();
              options.weights = "x";
              prepare(frame, options);
            }).find("every row needs a weight of at least 0") == std::string::npos,
            false);
}

TEST(ModelFit, RefusesAColumnOfTwoUses) {
  const Frame frame = houses(30);
  const auto fault = [&](const auto& change) {
    FitOptions options = quick();
    change(options);
    return message_of<UsageError>([&] { prepare(frame, options); });
  };
  EXPECT_EQ(fault([](FitOptions& o) { o.series.group = "y"; }),
            "column 'y' is the target and cannot also be the group");
  EXPECT_EQ(fault([](FitOptions& o) { o.series.time = "y"; }),
            "column 'y' is the target and cannot also be the time");
  EXPECT_EQ(fault([](FitOptions& o) { o.weights = "y"; }),
            "column 'y' is the target and cannot also be the weights");
  EXPECT_EQ(fault([](FitOptions& o) { o.weights = o.series.group = "x"; }),
            "column 'x' is the weights and cannot also be the group");
}

TEST(ModelFit, SaysIfGroupsLeaveNoGoodShare) {
  const auto remarks = [](int large) {
    std::string text = "g,x,y\n";
    for (int r = 0; r < 100; ++r) {
      text += fmt::format("{},{},{}.5\n", r < large ? 'a' : "bcde"[r % 4], r % 9, r);
    }
    FitOptions options = quick();
    options.series.group = "g";
    return prepare(parse_frame(text, "t.csv"), options).remarks;
  };
  EXPECT_EQ(remarks(96).back(),
            "4 % of the rows are for validation instead of 20 %, because rows with the same 'g' "
            "stay together");
  EXPECT_EQ(remarks(60).size(), 1U);
}

TEST(ModelFit, SaysWhereAColumnDoesNotVary) {
  std::string text = "t,same,late,x,y\n";
  for (int r = 0; r < 50; ++r) {
    text += fmt::format("{},7,{},{},{}.5\n", r, r < 45 ? 1 : 2, r % 4, r);
  }
  FitOptions options = quick();
  options.series.time = "t";
  const Names found = prepare(parse_frame(text, "t.csv"), options).remarks;
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[1], "'same' does not vary and is left out");
  EXPECT_EQ(found[2], "'late' does not vary over the training rows and is left out");
}

TEST(ModelFit, NamesThePlaceOfWhatIsNotUtf8) {
  std::string text = "x,town,y\n";
  for (int r = 0; r < 20; ++r) {
    text += fmt::format("{},{},{}.5\n", r % 7, r % 5 == 3 ? "K\xf6ln" : "Gent", r);
  }
  EXPECT_EQ(message_of<Error>([&] { prepare(parse_frame(text, "t.csv"), quick()); }),
            "t.csv: line 5, column 'town': 'K\\xf6ln' is not UTF-8; save the table in UTF-8");
  const std::string classes = "x,y\n1,a\n2,b\n3,c\xf6\n4,a\n5,b\n";
  EXPECT_NE(message_of<Error>([&] {
              prepare(parse_frame(classes, "t.csv"), quick());
            }).find("t.csv: line 4, column 'y'"),
            std::string::npos);
  const std::string name = "x,\xf6,y\n1,2,3.5\n2,3,4.5\n3,4,5.5\n4,5,6.5\n5,6,7.5\n";
  EXPECT_EQ(message_of<Error>([&] { prepare(parse_frame(name, "t.csv"), quick()); }),
            "t.csv: the name of column '\\xf6' is not UTF-8; save the table in UTF-8");
}

TEST(FitModel, ARowWithAnAbsurdTargetIsLeftOut) {
  std::string text = house_table(80);
  text += "0.1,Gent,2024-01-01,1e9\n";
  FitOptions options = quick();
  const Prepared data = prepare(parse_frame(text, "t.csv"), options);
  EXPECT_EQ(data.train().rows() + data.validation().rows(), 80);
  EXPECT_LT(data.responses.front().target.scale[0], 100);
  const bool is_said = std::ranges::any_of(data.remarks, [](const std::string& remark) {
    return remark.starts_with("left out 1 row whose target is far from all others") &&
           remark.ends_with("t.csv: line 82, column 'y': 1000000000");
  });
  EXPECT_TRUE(is_said);
}

// A class may be called 999999.
TEST(FitModel, NoClassIsAbsurd) {
  std::string text = "x,y\n";
  for (int r = 0; r < 300; ++r) text += fmt::format("{},{}\n", r % 7, r == 5 ? 999999 : r % 2);
  FitOptions options = quick();
  options.family = "categorical";
  const Prepared data = prepare(parse_frame(text, "t.csv"), options);
  EXPECT_EQ(data.responses.front().target.classes.size(), 3U);
  EXPECT_EQ(data.train().rows() + data.validation().rows(), 300);
}

// Diverged, though selection found an epoch with a finite NLL.
TEST(FitModel, AModelThatPredictsNoFiniteDensityIsRefused) {
  FitOptions options = quick();
  options.train.epochs = 2;
  const Frame frame = houses();
  ModelFit fit(frame, options);
  fit.finish();
  Model model = fit.model();
  const FitJudgement good = judge_fit(fit, model);
  EXPECT_TRUE(std::isfinite(good.nll) && std::isfinite(good.marginal_nll));
  TrainedNetwork& network = model.groups.front().networks.front();
  std::ranges::fill(network.parameters, 3e38F);
  network.limits = {};
  EXPECT_THROW(judge_fit(fit, model), Diverged);
}

TEST(FitModel, OutputsStayNearThoseOfTheTrainingRows) {
  for (const Method& method :
       {find_method("probmix"), find_method("m-probmix"), find_method("mc-dropout")}) {
    SCOPED_TRACE(method.name);
    FitOptions options = quick();
    options.method = method;
    options.train.epochs = 3;
    const Frame frame = houses();
    ModelFit fit(frame, options);
    fit.finish();
    Model model = fit.model();
    TrainedNetwork& network = model.groups.front().networks.front();
    const std::size_t outputs = network.limits.size() / 2;
    ASSERT_EQ(outputs, 2u);
    // Within the limits a prediction is what the network says; beyond them it is the limit.
    Model free = model;
    free.groups.front().networks.front().limits = {};
    const auto outputs_of = [&](const Model& some) {
      const Dataset<float> rows = fit.data().train();
      ModelPredictor predictor(some, 1);
      const View<const float> found = predictor.outputs(rows.x.view());
      return std::vector<float>(found.data, found.data + found.rows * found.cols);
    };
    const std::vector<float> raw = outputs_of(free);
    if (!method.predicts_by_draws()) {
      EXPECT_EQ(outputs_of(model), raw);
    }
    network.limits = {0, -0.25F, 0, 0.25F};
    const std::vector<float> limited = outputs_of(model);
    for (std::size_t k = 0; k < raw.size(); ++k) {
      const float most = k % 2 == 0 ? 0 : 0.25F;
      EXPECT_EQ(limited[k], std::clamp(raw[k], -most, most));
    }
  }
}

TEST(FitModel, OutputLimitsAreThreeTimesTheRange) {
  FitOptions options = quick();
  options.train.epochs = 3;
  const Frame frame = houses();
  ModelFit fit(frame, options);
  fit.finish();
  Model model = fit.model();
  const OutputLimits limits = model.groups.front().networks.front().limits;
  ModelPredictor predictor(model, 1);
  const Dataset<float> rows = fit.data().train();
  const View<const float> found = predictor.outputs(rows.x.view());
  for (Index c = 0; c < 2; ++c) {
    float low = found(0, c), high = low;
    for (Index r = 0; r < found.rows; ++r) {
      low = std::min(low, found(r, c));
      high = std::max(high, found(r, c));
    }
    EXPECT_FLOAT_EQ(limits[to_size(c)], low - (high - low));
    EXPECT_FLOAT_EQ(limits[to_size(2 + c)], high + (high - low));
  }
  options.limit_inputs = LimitInputs::wide;
  EXPECT_TRUE(fitted(frame, options).groups.front().networks.front().limits.empty());
}

}  // namespace
}  // namespace probmix::test
