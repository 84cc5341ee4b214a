#include "probmix/paper/stock_pictures.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/data/date.hpp"
#include "probmix/model/model_predictor.hpp"

namespace probmix {
namespace {

// The prediction for one window, and what was observed.
struct Forecast {
  Index target;  // row of the target
  Predictive density;
  double observed;
  double nll;  // standardised
};

double day_of(const Frame& table, const SeriesShape& shape, Index row) {
  return table.column(shape.time).values[to_size(row)] / static_cast<double>(day_seconds);
}

std::vector<Forecast> forecast(const StudyData::Case& at, const ModelFit& fit, const Model& model,
                               std::span<const Index> examples) {
  const Dataset<float> rows = fit.data().part(*at.table, examples, model.target);
  if (examples.empty()) return {};
  ModelPredictor predict(model, 1);
  predict.outputs(rows.x.view());
  std::vector<Forecast> forecasts;
  for (Index r = 0; r < rows.rows(); ++r) {
    const Index target = fit.data().examples.target[to_size(examples[to_size(r)])];
    const Predictive density = predict.density(r);
    forecasts.push_back({target, density,
                         at.table->column(model.target.names.front()).values[to_size(target)],
                         -density.log_density_of_scaled(rows.y.row(r))});
  }
  return forecasts;
}

// The density curve over the central 99.9 % of the probability.
Json curve_of(const Forecast& forecast, double time, std::string_view part,
              std::string_view which) {
  constexpr Index points = 241;
  const double low = forecast.density.quantile(0, 0.0005);
  const double high = forecast.density.quantile(0, 0.9995);
  Json grid = Json::array(), values = Json::array();
  for (Index p = 0; p < points; ++p) {
    const double y = low + (high - low) * static_cast<double>(p) / (points - 1);
    grid.push_back(rounded(y));
    values.push_back(rounded(std::exp(forecast.density.log_density(0, y))));
  }
  return {{"part", part},
          {"which", which},
          {"time", time},
          {"nll", forecast.nll},
          {"observed", forecast.observed},
          {"y", std::move(grid)},
          {"density", std::move(values)}};
}

Json series_of(const StudyData::Case& at, const ModelFit& fit, const Model& model) {
  const Frame& table = *at.table;
  const std::string& target = model.target.names.front();
  Json json = {{"name", target}};
  for (Index r = 0; r < table.rows(); ++r) {
    json["time"].push_back(day_of(table, model.series, r));
    json["value"].push_back(rounded(table.column(target).values[to_size(r)]));
  }
  const auto first_day = [&](std::span<const Index> examples) {
    return day_of(
        table, model.series,
        std::ranges::min(take(std::span<const Index>(fit.data().examples.target), examples)));
  };
  const std::vector<Index>& validation = fit.data().splits.front().validation;
  for (const Fold::Part& part : at.fold.judged) {
    if (!part.examples.empty()) json["test_from"] = first_day(part.examples);
  }
  if (fit.options().validation_rows == ValidationRows::last && !validation.empty()) {
    json["validation_from"] = first_day(validation);
  }
  return json;
}

}  // namespace

Json stock_pictures(const StudyData::Case& at, const ModelFit& fit, const Model& model) {
  std::vector<Fold::Part> parts = {{"train", fit.data().splits.front().train},
                                   {"validation", fit.data().splits.front().validation}};
  parts.insert(parts.end(), at.fold.judged.begin(), at.fold.judged.end());
  std::vector<std::vector<Forecast>> by_part;
  std::vector<const Forecast*> in_time;
  for (const Fold::Part& part : parts) {
    by_part.push_back(forecast(at, fit, model, part.examples));
    for (const Forecast& one : by_part.back()) in_time.push_back(&one);
  }
  Json densities = Json::array();
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const Fold::Part& part = parts[p];
    const std::vector<Forecast>& forecasts = by_part[p];
    if (part.name == "validation" || forecasts.empty()) continue;
    const auto [best, worst] = std::ranges::minmax_element(forecasts, {}, &Forecast::nll);
    const auto time = [&](const Forecast& f) { return day_of(*at.table, model.series, f.target); };
    densities.push_back(curve_of(*best, time(*best), part.name, "best"));
    densities.push_back(curve_of(*worst, time(*worst), part.name, "worst"));
  }
  std::ranges::sort(in_time, {}, &Forecast::target);
  Json bands;
  for (const Forecast* one : in_time) {
    const auto quantile = [&](double u) { return rounded(one->density.quantile(0, u)); };
    bands["time"].push_back(day_of(*at.table, model.series, one->target));
    bands["mean"].push_back(rounded(one->density.mean(0)));
    bands["lower95"].push_back(quantile(0.025));
    bands["lower50"].push_back(quantile(0.25));
    bands["upper50"].push_back(quantile(0.75));
    bands["upper95"].push_back(quantile(0.975));
  }
  return {{"series", series_of(at, fit, model)},
          {"bands", std::move(bands)},
          {"densities", std::move(densities)}};
}

}  // namespace probmix
