// The stock study on made-up prices: what a run returns, what it depends on, what is drawn.
#include "probmix/paper/stocks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/data/date.hpp"
#include "probmix/report/study/study_table.hpp"
#include "support/message.hpp"
#include "support/temporary.hpp"
#include "sweep/plan_support.hpp"

namespace probmix::test {
namespace {

class Stocks : public InTemporaryDirectory {
 protected:
  Stocks() {
    options.series.window = 5;
    options.series.horizon = 2;
    options.members = 4;
    options.train.epochs = 3;
    options.architecture.lstm.hidden = 6;
    options.architecture.head = {.embedding = 4, .hidden = {5}};
    Stream stream(1, Purpose::test);
    double price = 100;
    for (int day = 0; day < 100; ++day) {
      const double close = price * std::exp(0.02 * stream.normal());
      prices.push_back({price, price + 2, price - 2, close});
      price = close;
    }
    write_prices();
  }

  void write_prices() {
    std::string text = "Date,Open,High,Low,Close\n";
    for (std::size_t day = 0; day < prices.size(); ++day) {
      text += fmt::format("{},{:.17g},{:.17g},{:.17g},{:.17g}\n",
                          format_date(static_cast<std::int64_t>(day) * day_seconds), prices[day][0],
                          prices[day][1], prices[day][2], prices[day][3]);
    }
    write("stocks/AAA.csv", text);
  }

  std::shared_ptr<const StudyData> data(std::string_view method = "erm") const {
    FitOptions with_method = options;
    with_method.method = find_method(method);
    return read_stock(directory, "AAA", split, with_method);
  }

  Json run(std::string_view method, Index number = 0) const {
    const auto stock = data(method);
    return run_fit(*stock, stock->options, number);
  }

  FitOptions options = stock_options();
  StockSplit split = {};
  std::vector<std::array<double, 4>> prices;
};

TEST_F(Stocks, WindowsAreSplitInTime) {
  const StudyData::Case at = data()->at(0);
  const Examples examples =
      find_examples(*at.table, options.series, options.rules, options.targets);
  EXPECT_EQ(examples.count(), 94);
  for (const Index k : at.fold.judged.at(0).examples) {
    EXPECT_GE(examples.last[to_size(k)] - 4, 80);
  }
  for (const Index k : at.fold.train) EXPECT_LT(examples.target[to_size(k)], 80);
  for (const Index k : *at.fold.validation) EXPECT_LT(examples.target[to_size(k)], 80);
}

TEST_F(Stocks, ARunIsDeterminedByItsConfiguration) {
  for (const char* const method : {"erm", "loc-m-probmix"}) {
    EXPECT_EQ(run(method), run(method));
    EXPECT_NE(run(method, 1).at("test"), run(method, 2).at("test"));
  }
  const Json first = run("erm");
  options.seed = 2;
  EXPECT_NE(run("erm").at("test"), first.at("test"));
}

TEST_F(Stocks, TheTestPeriodHasNoPartInTraining) {
  const Json before = run("loc-m-probmix", 1);
  for (std::size_t r = 80; r < prices.size(); ++r) {
    for (double& price : prices[r]) price *= 7;
  }
  write_prices();
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

// Everything drawn is in the units of the data.
TEST_F(Stocks, TheFirstRunHoldsItsPictures) {
  EXPECT_FALSE(run("erm", 1).contains("pictures"));
  const Json pictures = run("erm").at("pictures");
  const Json& bands = pictures.at("bands");
  const std::size_t windows = 94 - 6;  // those that straddle the beginning of the test period
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
  EXPECT_EQ(series.at("test_from"), series.at("time")[86]);  // the first target
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

TEST_F(Stocks, TheValidationPeriodIsDrawnFromItsFirstTarget) {
  options.validation_rows = ValidationRows::last;
  options.validation = 0.4;
  options.rules.straddling = Straddling::keep;
  const Json series = run("erm").at("pictures").at("series");
  // 74 windows have their targets, rows 6 to 79, before the test period.
  EXPECT_EQ(series.at("validation_from"), series.at("time")[80 - 30]);
  EXPECT_EQ(series.at("test_from"), series.at("time")[80]);
}

TEST_F(Stocks, ScalesByTrainingWindowsOrAll) {
  const auto scale = [&] {
    const auto stock = data();
    const StudyData::Case at = stock->at(0);
    return prepare(*at.table, stock->options, at.fold).responses.front().target.scale.front();
  };
  const double by_training = scale();
  options.rules.scale_by = ScaleBy::all;
  const double by_all = scale();
  for (std::size_t r = 86; r < prices.size(); ++r) prices[r][3] *= 2;
  write_prices();
  EXPECT_NE(scale(), by_all);
  options.rules.scale_by = ScaleBy::training;
  EXPECT_EQ(scale(), by_training);
}

TEST_F(Stocks, RefusesAConstantTargetBeforeAnyRun) {
  for (std::size_t r = 0; r < prices.size(); ++r)
    prices[r][3] = r < 90 ? 7 : static_cast<double>(r);
  write_prices();
  const std::string message = message_of<Error>([&] { study_cells({data()}, all_methods()); });
  EXPECT_NE(message.find("AAA.csv: the target 'Close' is 7 in all"), std::string::npos) << message;
}

TEST_F(Stocks, RefusesWhatIsNoSeriesOfPrices) {
  const auto fault = [&](const std::string& text) {
    write("stocks/AAA.csv", text);
    try {
      data();
    } catch (const Error& error) {  // or a UsageError, for columns
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string header = "Date,Open,High,Low,Close\n";
  EXPECT_NE(fault("Date,Open,High,Low\n1970-01-01,1,2,3\n").find("there is no column 'Close'"),
            std::string::npos);
  EXPECT_NE(
      fault("Day,Open,High,Low,Close\n1970-01-01,1,2,3,4\n").find("there is no column 'Date'"),
      std::string::npos);
  EXPECT_NE(fault(header + "1970-01-01,1,2,3,4\n1970-01-02,1,2,x,4\n")
                .find("line 3, column 'Low': 'x' is not a number"),
            std::string::npos);
  EXPECT_NE(fault(header + "1970-01-01,1,2,3,4\n1970-01-02,1,2,,4\n")
                .find("line 3, column 'Low': the value is missing"),
            std::string::npos);
  EXPECT_NE(fault(header + "1970-01-01,1,2,3,4\n1970-13-02,1,2,3,4\n").find("has no dates"),
            std::string::npos);
  EXPECT_NE(fault(header + "1970-01-02,1,2,3,4\n1970-01-01,1,2,3,4\n")
                .find("1970-01-01 is not later than 1970-01-02 in the row before (line 2)"),
            std::string::npos);
  EXPECT_NE(
      fault(header + "1970-01-02,1,2,3,4\n1970-01-02,1,2,3,4\n").find("keep one row per time"),
      std::string::npos);
  std::string with_gap = header;
  for (int day = 1; day <= 28; ++day) {
    if (day < 10 || day > 20) with_gap += fmt::format("1970-01-{:02},1,2,3,{}\n", day, day);
  }
  EXPECT_NE(fault(with_gap).find("a gap of 12 days between 1970-01-09 and 1970-01-21"),
            std::string::npos);
}

TEST_F(Stocks, MayBeSorted) {
  const auto sorted = fingerprint_of(*data()->at(0).table);
  std::string text = read(directory / "stocks/AAA.csv");
  const std::size_t first = text.find('\n') + 1, second = text.find('\n', first) + 1;
  const std::string row = text.substr(first, second - first);
  text = text.erase(first, second - first) + row;
  write("stocks/AAA.csv", text);
  EXPECT_THROW(data(), Error);
  split.sort = true;
  EXPECT_EQ(fingerprint_of(*data()->at(0).table), sorted);
}

TEST_F(Stocks, DataAndSplitArePartOfTheIdentity) {
  const auto identity = [&] {
    const auto stock = data("m-probmix");
    return run_identity(configuration_of(*stock, stock->options, 0));
  };
  std::vector<std::string> seen{identity()};
  const auto changed = [&](const char* what) {
    const std::string now = identity();
    EXPECT_EQ(std::ranges::count(seen, now), 0) << what;
    seen.push_back(now);
  };
  options.seed = 9, changed("seed");
  options.series.window = 9, changed("window");
  options.series.horizon = 9, changed("horizon");
  options.inputs = {"Close"}, changed("inputs");
  options.targets = {"Open"}, changed("target");
  split.test = 0.4, changed("test");
  options.validation = 0.3, changed("validation");
  options.rules.straddling = Straddling::keep, changed("straddling");
  options.validation_rows = ValidationRows::last, changed("validation windows");
  options.rules.scale_by = ScaleBy::all, changed("scale by");
  options.architecture.kind = ArchitectureKind::transformer, changed("network");
  prices[3][3] += 1e-9, write_prices(), changed("a price");
  // Nothing depends on the number of threads.
  options.train.threads = 9;
  EXPECT_EQ(identity(), seen.back());
}

TEST_F(Stocks, SummariesLeaveDivergedRunsOut) {
  std::vector<RunRecord> records =
      records_of(first_runs({.name = "stocks",
                             .cells = study_cells({data()}, methods_named({"erm", "mix"})),
                             .settings = {options.mix},
                             .repeats = {0, 1}}),
                 2);
  ASSERT_EQ(records.size(), 4U);
  records[1] = {.configuration = records[1].configuration,
                .status = RunStatus::diverged,
                .message = "for a test"};
  const StudyLayout& layout = study_layout("stocks");
  const std::vector<CellSummary> cells = sum_up(layout, records);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[0].method->name, "erm");
  EXPECT_EQ(cells[0].group.done.size(), 1U);
  EXPECT_EQ(cells[0].group.diverged, 1);
  EXPECT_EQ(mean_of(cells[0], layout, "test_nll"),
            records[0].result.at("test").at("nll").get<double>());
  EXPECT_TRUE(std::isnan(cells[0].scores[0].se));
  EXPECT_EQ(cells[1].group.done.size(), 2U);
  EXPECT_EQ(mean_of(cells[1], layout, "test_rmse"),
            (records[2].result.at("test").at("rmse").get<double>() +
             records[3].result.at("test").at("rmse").get<double>()) /
                2);
  const std::string table = text_table(report::study_table(layout, cells));
  EXPECT_NE(table.find("erm (1 diverged)"), std::string::npos) << table;
}

TEST_F(Stocks, RefusesWhatCanBeToldBefore) {
  const auto refusal = [&](const char* method) {
    return message_of<UsageError>(
        [&] { study_cells({data()}, methods_named({method}))[0].check(options.mix); });
  };
  options.train.patience = 3;
  options.validation = 0;
  EXPECT_NE(refusal("mix").find("`patience` 0"), std::string::npos);
  options.validation = 0.2;
  options.mix.neighbours = 1000;
  EXPECT_NE(refusal("loc-mix").find("`neighbours`"), std::string::npos);
  options.members = -1;
  EXPECT_NE(refusal("mix").find("`members`"), std::string::npos);
  EXPECT_THROW(read_stock(directory, "../AAA", split, options), UsageError);
  EXPECT_THROW(read_stock(directory, "BBB", split, options), Error);
}

}  // namespace
}  // namespace probmix::test
