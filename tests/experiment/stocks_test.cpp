// The stock study on made-up prices: what a run returns, what it depends on, what is drawn of it.
#include "probmix/experiment/stocks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "experiment/plan_support.hpp"
#include "probmix/base/error.hpp"
#include "probmix/data/date.hpp"
#include "probmix/report/study/study_table.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"

namespace probmix::test {
namespace {

class Stocks : public InTemporaryDirectory {
 protected:
  Stocks() {
    study.windows = {.window = 5, .horizon = 2};
    study.trial.members = 4;
    study.trial.train.epochs = 3;
    study.architecture.lstm.hidden = 6;
    study.architecture.head = {.embedding = 4, .hidden = {5}};
    std::string text = "Date,Open,High,Low,Close\n";
    Stream stream(1, Purpose::test);
    double price = 100;
    for (int day = 0; day < 100; ++day) {
      const double close = price * std::exp(0.02 * stream.normal());
      text += fmt::format("{},{},{},{},{}\n", format_date(day * day_seconds), price, price + 2,
                          price - 2, close);
      price = close;
    }
    write("stocks/AAA.csv", text);
    data = read_stock(directory.string(), "AAA", study);
  }

  Json run(std::string_view method, Index number = 0) const {
    return run_stock(study, data, find_method(method), number);
  }

  StockStudy study;
  StockData data;
};

TEST_F(Stocks, WindowsAreSplitInTime) {
  EXPECT_EQ(data.windows.count(), 94);
  EXPECT_EQ(data.split.boundary, 80);
  for (const Index window : data.split.test) EXPECT_GE(data.windows.first[to_size(window)], 80);
  for (const Index window : data.split.train) EXPECT_LT(data.windows.target[to_size(window)], 80);
}

TEST_F(Stocks, ARunIsDeterminedByItsConfiguration) {
  for (const char* const method : {"erm", "loc-m-probmix"}) {
    EXPECT_EQ(run(method), run(method));
    EXPECT_NE(run(method, 1).at("test"), run(method, 2).at("test"));
  }
  const Json first = run("erm");
  study.seed = 2;
  EXPECT_NE(run("erm").at("test"), first.at("test"));
}

TEST_F(Stocks, TheTestPeriodHasNoPartInTraining) {
  const Json before = run("loc-m-probmix", 1);
  const auto boundary = data.split.boundary;
  for (Index r = boundary; r < data.series.rows(); ++r) {
    for (Index c = 0; c < 4; ++c) data.series.values(r, c) *= 7;
  }
  data.windows = make_windows(data.series, study.windows);
  const Json after = run("loc-m-probmix", 1);
  EXPECT_EQ(before.at("train"), after.at("train"));
  EXPECT_EQ(before.at("validation"), after.at("validation"));
  EXPECT_EQ(before.at("best_epoch"), after.at("best_epoch"));
  EXPECT_NE(before.at("test"), after.at("test"));
}

TEST_F(Stocks, ScoresAreThoseOfTheParts) {
  const Json result = run("m-probmix");
  for (const char* const part : {"train", "validation", "test"}) {
    for (const char* const score : {"nll", "draws_nll", "rmse"}) {
      EXPECT_TRUE(std::isfinite(result.at(part).at(score).get<double>())) << part << score;
    }
    // The log of a mean is never below the mean of the logs.
    EXPECT_LE(result.at(part).at("nll"), result.at(part).at("draws_nll"));
  }
  EXPECT_GE(result.at("best_epoch"), 1);
  EXPECT_LE(result.at("best_epoch"), 3);
}

// Everything that is drawn, in the units of the data.
TEST_F(Stocks, TheFirstRunHoldsItsPictures) {
  EXPECT_FALSE(run("erm", 1).contains("pictures"));
  const Json pictures = run("erm").at("pictures");
  const Json& bands = pictures.at("bands");
  const std::size_t windows = 94 - to_size(data.split.dropped);
  for (const char* const name : {"time", "mean", "lower95", "lower50", "upper50", "upper95"}) {
    EXPECT_EQ(bands.at(name).size(), windows) << name;
  }
  for (std::size_t w = 0; w < windows; ++w) {
    if (w > 0) {
      EXPECT_LT(bands["time"][w - 1], bands["time"][w]);
    }
    EXPECT_LT(bands["lower95"][w], bands["lower50"][w]);
    EXPECT_LT(bands["lower50"][w], bands["mean"][w]);  // a single Gaussian
    EXPECT_LT(bands["mean"][w], bands["upper50"][w]);
    EXPECT_LT(bands["upper50"][w], bands["upper95"][w]);
    EXPECT_GT(bands["mean"][w], 20);  // prices, not standardised
  }
  const Json& series = pictures.at("series");
  EXPECT_EQ(series.at("name"), "Close");
  EXPECT_EQ(series.at("time").size(), 100U);
  EXPECT_EQ(series.at("value").size(), 100U);
  EXPECT_EQ(series.at("test_from"), series.at("time")[80]);
  EXPECT_FALSE(series.contains("validation_from"));
  const Json& densities = pictures.at("densities");
  ASSERT_EQ(densities.size(), 4U);
  const std::pair<const char*, const char*> order[] = {
      {"train", "best"}, {"train", "worst"}, {"test", "best"}, {"test", "worst"}};
  for (std::size_t k = 0; k < 4; ++k) {
    const Json& density = densities[k];
    EXPECT_EQ(density.at("part"), order[k].first);
    EXPECT_EQ(density.at("which"), order[k].second);
    double mass = 0;
    const auto y = density.at("y").get<std::vector<double>>();
    const auto p = density.at("density").get<std::vector<double>>();
    for (std::size_t i = 1; i < y.size(); ++i) mass += 0.5 * (p[i] + p[i - 1]) * (y[i] - y[i - 1]);
    EXPECT_NEAR(mass, 0.999, 1e-4);  // between the quantiles 0.0005 and 0.9995
  }
  EXPECT_LT(densities[0].at("nll"), densities[1].at("nll"));
  EXPECT_LT(densities[2].at("nll"), densities[3].at("nll"));
}

// Whatever windows the period drops, it begins with the first row that is kept from training.
TEST_F(Stocks, TheValidationPeriodIsDrawnFromItsFirstRow) {
  study.split.validation_rows = WindowValidation::last;
  study.split.validation = 0.4;
  Json from;
  for (const Straddling straddling : {Straddling::keep, Straddling::drop}) {
    study.split.straddling = straddling;
    data = read_stock(directory.string(), "AAA", study);
    const Index last = data.windows.target[to_size(data.split.train.back())];
    const Json series = run("erm").at("pictures").at("series");
    EXPECT_EQ(series.at("validation_from"), series.at("time")[to_size(last + 1)]);
  }
}

TEST_F(Stocks, ScalesByTrainingWindowsOrAll) {
  EXPECT_EQ(data.scaling_windows, data.split.train);
  study.scale_by = ScaleBy::all;
  data = read_stock(directory.string(), "AAA", study);
  ASSERT_EQ(std::ssize(data.scaling_windows), data.windows.count());
  EXPECT_EQ(data.scaling_windows.back(), data.windows.count() - 1);
  EXPECT_GT(data.scaling_windows.size(), data.split.train.size());
}

TEST_F(Stocks, RefusesAConstantTargetBeforeAnyRun) {
  std::string text = "Date,Open,High,Low,Close\n";
  for (int day = 0; day < 100; ++day) {
    text += fmt::format("{},{},2,3,{}\n", format_date(day * day_seconds), day, day < 90 ? 7 : day);
  }
  write("stocks/CCC.csv", text);
  const std::string message =
      message_of<Error>([&] { read_stock(directory.string(), "CCC", study); });
  EXPECT_NE(message.find("CCC.csv: the targets of the 59 training windows are all 7"),
            std::string::npos)
      << message;
}

TEST_F(Stocks, EveryOptionIsPartOfTheConfiguration) {
  std::string_view method = "m-probmix";
  const auto identity = [&] {
    return run_identity(configuration_of(study, data, find_method(method), 0));
  };
  std::vector<std::string> seen{identity()};
  const auto changed = [&](const char* what) {
    const std::string now = identity();
    EXPECT_EQ(std::ranges::count(seen, now), 0) << what;
    seen.push_back(now);
  };
  study.seed = 9, changed("seed");
  study.trial.members = 9, changed("members");
  study.windows.window = 9, changed("window");
  study.windows.horizon = 9, changed("horizon");
  study.windows.features = {"Close"}, changed("features");
  study.windows.target = "Open", changed("target");
  study.split.test = 0.3, changed("test");
  study.split.validation = 0.3, changed("validation");
  study.split.straddling = Straddling::keep, changed("straddling");
  study.split.validation_rows = WindowValidation::last, changed("validation windows");
  study.scale_by = ScaleBy::all, changed("scale by");
  study.trial.mix.alpha = 9, changed("alpha");
  study.trial.mix.beta = 9, changed("beta");
  study.trial.mix.pooling = Pooling::linear, changed("pooling");
  study.trial.mix.target_pooling = Pooling::linear, changed("target pooling");
  study.trial.mix.expectation = Expectation::exact, changed("expectation");
  study.trial.mix.criterion = Criterion::log_mean, changed("criterion");
  study.trial.mix.draws = 9, changed("draws");
  study.trial.mix.lambda_per = LambdaPer::pair, changed("lambda per");
  study.trial.mix.pairing = Pairing::replacement, changed("pairing");
  study.trial.mix.propagate_mean = true, changed("propagate mean");
  method = "loc-m-probmix", changed("method");
  study.trial.mix.neighbours = 9, changed("neighbours");
  study.trial.train.epochs = 9, changed("epochs");
  study.trial.train.batch = 9, changed("batch");
  study.trial.train.optimiser.learning_rate = 9, changed("learning rate");
  study.trial.train.select_best = false, changed("last");
  study.trial.train.patience = 9, changed("patience");
  study.trial.train.optimiser.clip = 9, changed("clip");
  study.trial.train.optimiser.kind = OptimiserKind::gradient_descent, changed("optimiser");
  study.trial.train.optimiser.beta1 = 0.5, changed("beta1");
  study.trial.train.optimiser.beta2 = 0.5, changed("beta2");
  study.trial.train.optimiser.epsilon = 0.5, changed("epsilon");
  study.family.homoscedastic = true, changed("homoscedastic");
  study.family.positive.kind = Positive::Kind::softplus, changed("variance link");
  study.family.positive.floor = 9, changed("floor");
  study.architecture.lstm.hidden = 9, changed("units");
  study.architecture.lstm.layers = 9, changed("layers");
  study.architecture.lstm.dropout = 0.9, changed("dropout");
  study.architecture.lstm.forget_bias = 9, changed("forget bias");
  study.architecture.head.embedding = 9, changed("embedding");
  study.architecture.head.hidden = {9}, changed("hidden");
  study.architecture.head.activation = Activation::tanh, changed("activation");
  study.architecture.kind = ArchitectureKind::transformer, changed("kind");
  study.architecture.transformer.heads = 9, changed("heads");
  study.architecture.transformer.width = 9, changed("width");
  study.architecture.transformer.encoder_layers = 9, changed("encoder layers");
  study.architecture.transformer.decoder_layers = 9, changed("decoder layers");
  study.architecture.transformer.feedforward = 9, changed("feedforward");
  study.architecture.transformer.dropout = 0.9, changed("dropout of the transformer");
  data.series.values(3, 1) += 1e-9, changed("a price");
  data.series.time[3] += 1, changed("a date");
  // Nothing depends on the number of threads.
  study.trial.train.threads = 9;
  EXPECT_EQ(identity(), seen.back());
}

TEST_F(Stocks, SummariesLeaveDivergedRunsOut) {
  const std::vector<StockData> stocks = {data};
  std::vector<RunRecord> records =
      records_of(first_runs({.name = "stocks",
                             .cells = stock_cells(study, {ArchitectureKind::lstm}, stocks,
                                                  methods_named({"erm", "mix"})),
                             .settings = {study.trial.mix},
                             .repeats = {0, 1}}),
                 2);
  ASSERT_EQ(records.size(), 4U);
  records[1] = {.configuration = records[1].configuration,
                .status = RunStatus::diverged,
                .message = "for a test"};
  const StudyView& view = study_view("stocks");
  const std::vector<CellSummary> cells = sum_up(view, records);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].method->name, "erm");
  EXPECT_EQ(cells[0].group.done.size(), 1U);
  EXPECT_EQ(cells[0].group.diverged, 1);
  EXPECT_EQ(mean_of(cells[0], view, "test_nll"),
            records[0].result.at("test").at("nll").get<double>());
  EXPECT_TRUE(std::isnan(cells[0].scores[0].se));
  EXPECT_EQ(cells[1].group.done.size(), 2U);
  EXPECT_EQ(mean_of(cells[1], view, "test_rmse"),
            (records[2].result.at("test").at("rmse").get<double>() +
             records[3].result.at("test").at("rmse").get<double>()) /
                2);
  const std::string table = text_table(report::study_table(view, cells));
  EXPECT_NE(table.find("erm (1 diverged)"), std::string::npos) << table;
}

TEST_F(Stocks, RefusesWhatCanBeToldBefore) {
  const std::vector<StockData> stocks = {data};
  const auto refused = [&](const char* method, const std::string& words) {
    EXPECT_NE(
        message_of<UsageError>([&] {
          stock_cells(study, {ArchitectureKind::lstm}, stocks, methods_named({method}))[0].check(
              study.trial.mix);
        }).find(words),
        std::string::npos);
  };
  study.trial.train.patience = 3;
  data.split.validation.clear();
  const std::vector<StockData> unvalidated = {data};
  EXPECT_NE(
      message_of<UsageError>([&] {
        stock_cells(study, {ArchitectureKind::lstm}, unvalidated, methods_named({"mix"}))[0].check(
            study.trial.mix);
      }).find("--patience 0"),
      std::string::npos);
  study.trial.train.patience = 0;
  study.trial.mix.neighbours = 1000;
  refused("loc-mix", "neighbours");
  study.trial.members = -1;
  refused("mix", "members");
  EXPECT_THROW(read_stock(directory.string(), "../AAA", study), UsageError);
  EXPECT_THROW(read_stock(directory.string(), "BBB", study), Error);
}

}  // namespace
}  // namespace probmix::test
