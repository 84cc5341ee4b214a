#include "probmix/experiment/stocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "probmix/base/fingerprint.hpp"
#include "probmix/data/locate.hpp"
#include "probmix/data/split.hpp"
#include "probmix/data/window_scaling.hpp"
#include "probmix/experiment/stock_pictures.hpp"

namespace probmix {

namespace {

constexpr std::string_view what_files =
    "a directory with files such as stocks/GOOG.csv: daily Open, High, Low and Close from "
    "2019-01-02 to 2020-12-31, for example from Yahoo Finance, with the header "
    "Date,Open,High,Low,Close and ISO dates in ascending order";

Network<float> network_of(const StockStudy& study, const StockData& data, const Method& method) {
  return make_network<float>(study.architecture, method.embedding, data.windows.window,
                             data.windows.channels, make_family("gaussian", study.family));
}

std::string fingerprint(const TimeSeries& series) {
  Fingerprint print;
  for (const std::int64_t time : series.time) print.add(static_cast<std::uint64_t>(time));
  print.add({series.values.data(), to_size(series.values.rows() * series.values.cols())});
  return print.text();
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
  data.scaling_windows = data.split.train;
  if (study.scale_by == ScaleBy::all) {
    data.scaling_windows.resize(to_size(data.windows.count()));
    std::iota(data.scaling_windows.begin(), data.scaling_windows.end(), Index{0});
  }
  const WindowScaler learnable(data.windows, data.scaling_windows);  // or throws: now, not in a run
  return data;
}

Json configuration_of(const StockStudy& study, const StockData& data, const Method& method,
                      Index run) {
  const TimeSeries& series = data.series;
  Json json = {{"dataset", data.name},
               {"rows", series.rows()},
               {"from", series.date(0)},
               {"to", series.date(series.rows() - 1)},
               {"fingerprint", fingerprint(series)}};
  json.update(configuration_of(study.architecture));
  json.update({{"run", run}, {"seed", study.seed}});
  json.update(configuration_of(study.trial, method));
  json.update(configuration_of(study.windows));
  json.update(configuration_of(study.split));
  if (study.scale_by != ScaleBy::training) {  // what older results were
    json["scale-by"] = scale_by_names[static_cast<std::size_t>(study.scale_by)];
  }
  json.update(configuration_of("gaussian", study.family));
  return json;
}

Json run_stock(const StockStudy& study, const StockData& data, const Method& method, Index run) {
  const Windows& windows = data.windows;
  const WindowScaler scaler(windows, data.scaling_windows);
  const auto scaled = [&](const std::vector<Index>& rows) {
    return Dataset<float>{
        scaler.apply_x<float>(take_rows(View<const double>(windows.x.view()), rows).view()),
        scaler.apply_y(take_rows(View<const double>(windows.y.view()), rows).view())};
  };
  const Dataset<float> train = scaled(data.split.train);
  const Dataset<float> validation = scaled(data.split.validation);
  const Dataset<float> test = scaled(data.split.test);
  Trial trial(network_of(study, data, method), make_family("gaussian", study.family), method,
              study.trial, train, validation,
              derive_seed(study.seed, 2 * static_cast<std::uint64_t>(run) + 1));
  Json result = {{"train", trial.scores(train)},
                 {"validation", trial.scores(validation)},
                 {"test", trial.scores(test)}};
  result.update(trial.training(run == 0));
  if (run == 0) {
    const auto part = [&](std::string_view name, const std::vector<Index>& rows,
                          const Dataset<float>& part_rows) {
      return StockPart{name, rows, trial.predict(part_rows.x.view()), part_rows.y};
    };
    const std::array parts = {part("train", data.split.train, train),
                              part("validation", data.split.validation, validation),
                              part("test", data.split.test, test)};
    result["pictures"] =
        stock_pictures(study, data, scaler, trial.family(), trial.members(), parts);
  }
  return result;
}

std::vector<StudyCell> stock_cells(const StockStudy& study,
                                   const std::vector<ArchitectureKind>& architectures,
                                   const std::vector<StockData>& stocks,
                                   const std::vector<const Method*>& chosen) {
  std::vector<StudyCell> cells;
  for (const ArchitectureKind kind : architectures) {
    for (const StockData& data : stocks) {
      for (const Method* const method : chosen) {
        const auto with = [study, kind](const MixOptions& mix) {
          StockStudy at = study;
          at.architecture.kind = kind;
          at.trial.mix = mix;
          return at;
        };
        cells.push_back(
            {.name = fmt::format("{} {} {}", architecture_names[static_cast<std::size_t>(kind)],
                                 data.name, method->name),
             .check =
                 [with, &data, method](const MixOptions& mix) {
                   const StockStudy at = with(mix);
                   check_trial(at.trial, *method, std::ssize(data.split.train),
                               !data.split.validation.empty());
                   network_of(at, data, *method);
                 },
             .run =
                 [with, &data, method](const MixOptions& mix, Index run) {
                   const StockStudy at = with(mix);
                   return StudyRun{
                       configuration_of(at, data, *method, run),
                       [at, &data, method, run] { return run_stock(at, data, *method, run); }};
                 }});
      }
    }
  }
  return cells;
}

}  // namespace probmix
