#include "probmix/experiment/stocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "probmix/data/locate.hpp"
#include "probmix/data/split.hpp"
#include "probmix/data/window_scaling.hpp"
#include "probmix/experiment/stock_pictures.hpp"
#include "probmix/metric/scores.hpp"
#include "probmix/train/predictor.hpp"

namespace probmix {

namespace {

constexpr std::string_view what_files =
    "a directory with files such as stocks/GOOG.csv: daily prices, for example from Yahoo Finance, "
    "with the header Date,Open,High,Low,Close and ISO dates in ascending order";

Network<float> network_of(const StockStudy& study, const StockData& data, const Method& method) {
  return make_network<float>(study.architecture, method.embedding, data.windows.window,
                             data.windows.channels, make_family("gaussian", study.family));
}

// FNV-1a over the bits of dates and numbers: other data, another fingerprint.
std::string fingerprint(const TimeSeries& series) {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](std::uint64_t bits) { hash = (hash ^ bits) * 0x100000001b3; };
  for (const std::int64_t time : series.time) add(static_cast<std::uint64_t>(time));
  const Index numbers = series.values.rows() * series.values.cols();
  for (Index k = 0; k < numbers; ++k) add(std::bit_cast<std::uint64_t>(series.values.data()[k]));
  return fmt::format("{:016x}", hash);
}

// The columns that are used, and no others: these make the fingerprint.
SeriesOptions used_columns(const StockStudy& study) {
  SeriesOptions options = study.series;
  options.columns = study.windows.features;
  const bool all = options.columns.empty();
  if (!all && std::ranges::find(options.columns, study.windows.target) == options.columns.end()) {
    options.columns.push_back(study.windows.target);
  }
  return options;
}

Json to_json(const Scores& scores) {
  return {{"nll", scores.nll}, {"draws_nll", scores.draws_nll}, {"rmse", std::sqrt(scores.mse)}};
}

}  // namespace

StockData read_stock(const std::string& directory, const std::string& name,
                     const StockStudy& study) {
  check_usage(!name.empty() && name.find_first_of("/\\") == std::string::npos,
              "a stock is named as its file is, without folder and .csv, not '{}'", name);
  StockData data{.name = name};
  data.series = read_time_series(
      data_file(data_directory(directory, what_files), "stocks/" + name + ".csv", what_files),
      used_columns(study));
  data.windows = make_windows(data.series, study.windows);
  data.split =
      split_windows(data.windows, data.series.rows(), study.split, derive_seed(study.seed, 0));
  return data;
}

void check_stock_run(const StockStudy& study, const StockData& data, const Method& method) {
  check_range("members", study.members, 0, 10'000);
  if (method.local) {
    check_range("neighbours", study.mix.neighbours, 1, std::ssize(data.split.train) - 1);
  }
  network_of(study, data, method);
}

Json stock_configuration(const StockStudy& study, const StockData& data, const Method& method,
                         Index run) {
  const TimeSeries& series = data.series;
  Json json = {{"dataset", data.name},
               {"rows", series.rows()},
               {"from", series.date(0)},
               {"to", series.date(series.rows() - 1)},
               {"fingerprint", fingerprint(series)}};
  json.update(configuration_of(study.architecture));
  json.update({{"method", method.name}, {"run", run}, {"seed", study.seed}});
  json.update({{"members", study.members}});
  json.update(configuration_of(study.windows));
  json.update(configuration_of(study.split));
  json.update(configuration_of(study.mix));
  json.update(configuration_of(study.train));
  json.update(configuration_of("gaussian", study.family));
  return json;
}

Json run_stock(const StockStudy& study, const StockData& data, const Method& method, Index run) {
  const std::uint64_t run_seed = derive_seed(study.seed, 2 * static_cast<std::uint64_t>(run) + 1);
  const Family family = make_family("gaussian", study.family);
  const Windows& windows = data.windows;
  const WindowScaler scaler(windows, data.split.train);
  const auto scaled = [&](const std::vector<Index>& rows) {
    return Dataset<float>{
        scaler.apply_x<float>(take_rows(View<const double>(windows.x.view()), rows).view()),
        scaler.apply_y(take_rows(View<const double>(windows.y.view()), rows).view())};
  };
  const Dataset<float> train = scaled(data.split.train);
  const Dataset<float> validation = scaled(data.split.validation);
  const Network<float> network = network_of(study, data, method);
  const FitResult<float> fitted =
      fit(network, family, method, study.mix, study.train, make_graph(method, study.mix, train.x),
          train, validation, run_seed);

  Predictor<float> predict(network, study.members);
  const Index members = predict.members();
  std::vector<StockPart> parts;
  Json result;
  const auto add = [&](std::string_view name, const std::vector<Index>& rows) {
    Dataset<float> part = scaled(rows);
    Matrix<float> out(part.rows() * members, network.outputs());
    predict(fitted.parameters.data(), part.x.view(), run_seed, 0, out.view());
    result[std::string(name)] =
        to_json(score(family, View<const float>(out.view()), members, part.y.view()));
    parts.push_back({name, rows, std::move(out), std::move(part.y)});
  };
  add("train", data.split.train);
  add("validation", data.split.validation);
  add("test", data.split.test);
  result["best_epoch"] = fitted.best_epoch;
  if (run == 0) result["pictures"] = stock_pictures(data, scaler, family, members, parts);
  return result;
}

}  // namespace probmix
