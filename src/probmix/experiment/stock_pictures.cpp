#include "probmix/experiment/stock_pictures.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/data/date.hpp"
#include "probmix/metric/mixture.hpp"
#include "probmix/metric/scores.hpp"

namespace probmix {

namespace {

// One window of a part, and what the model says about it.
class Forecast {
 public:
  Forecast(const StockData& data, const WindowScaler& scaler, const Family& family, Index members,
           const StockPart& part, Index row)
      : data_(data),
        scaler_(scaler),
        family_(family),
        out_{part.out.row(row * members), members, part.out.cols()},
        members_(members),
        y_(part.y(row, 0)),
        window_(part.rows[to_size(row)]),
        part_(part.name) {}

  double nll() const { return nll_at(y_); }

  Json bands() const {
    return {{"time", time()},
            {"mean", rounded(mean())},
            {"lower95", rounded(quantile(0.025))},
            {"lower50", rounded(quantile(0.25))},
            {"upper50", rounded(quantile(0.75))},
            {"upper95", rounded(quantile(0.975))}};
  }

  double time() const {
    return static_cast<double>(data_.series.time[target()]) / static_cast<double>(day_seconds);
  }
  double mean() const {
    return scaler_.invert_y(with_mixture([](const auto& m) { return m.mean(0); }));
  }
  double quantile(double u) const {
    return scaler_.invert_y(with_mixture([u](const auto& m) { return m.quantile(0, u); }));
  }

  // The density curve, over all but a thousandth of the probability.
  Json density(std::string_view which) const {
    constexpr Index points = 241;
    const double low = quantile(0.0005);
    const double high = quantile(0.9995);
    Json grid = Json::array();
    Json values = Json::array();
    const double unit = scaler_.target().scale(0);
    for (Index p = 0; p < points; ++p) {
      const double y = low + (high - low) * static_cast<double>(p) / (points - 1);
      grid.push_back(rounded(y));
      values.push_back(rounded(std::exp(-nll_at(scaler_.target().apply(0, y))) / unit));
    }
    return {{"part", part_},
            {"which", which},
            {"time", time()},
            {"nll", nll()},
            {"observed", scaler_.invert_y(y_)},
            {"y", std::move(grid)},
            {"density", std::move(values)}};
  }

 private:
  std::size_t target() const { return to_size(data_.windows.target[to_size(window_)]); }

  double nll_at(double y) const { return score(family_, out_, members_, {&y, 1, 1}).nll; }

  template <class F>
  double with_mixture(const F& f) const {
    return std::visit([&](const auto& family) { return f(Mixture(family, out_)); }, family_);
  }

  const StockData& data_;
  const WindowScaler& scaler_;
  const Family& family_;
  View<const float> out_;
  Index members_;
  double y_;
  Index window_;
  std::string_view part_;
};

double day_of(const TimeSeries& series, Index row) {
  return static_cast<double>(series.time[to_size(row)]) / static_cast<double>(day_seconds);
}

Json series_of(const StockStudy& study, const StockData& data) {
  const TimeSeries& series = data.series;
  const std::string& target = study.windows.target;
  Json json = {{"name", target}};
  const Index column = series.column(target);
  for (Index r = 0; r < series.rows(); ++r) {
    json["time"].push_back(day_of(series, r));
    json["value"].push_back(rounded(series.values(r, column)));
  }
  if (!data.split.test.empty()) json["test_from"] = day_of(series, data.split.boundary);
  if (data.split.validation_from < data.split.boundary) {
    json["validation_from"] = day_of(series, data.split.validation_from);
  }
  return json;
}

}  // namespace

Json stock_pictures(const StockStudy& study, const StockData& data, const WindowScaler& scaler,
                    const Family& family, Index members, std::span<const StockPart> parts) {
  std::vector<std::pair<Index, Json>> in_time;  // by the number of the window
  Json densities = Json::array();
  for (const StockPart& part : parts) {
    std::vector<Forecast> forecasts;
    std::vector<double> nll;
    for (Index r = 0; r < part.y.rows(); ++r) {
      const Forecast& forecast = forecasts.emplace_back(data, scaler, family, members, part, r);
      nll.push_back(forecast.nll());
      in_time.emplace_back(part.rows[to_size(r)], forecast.bands());
    }
    if (part.name == "validation" || nll.empty()) continue;
    const auto [best, worst] = std::ranges::minmax_element(nll);
    densities.push_back(forecasts[to_size(best - nll.begin())].density("best"));
    densities.push_back(forecasts[to_size(worst - nll.begin())].density("worst"));
  }
  std::ranges::sort(in_time, {}, &std::pair<Index, Json>::first);
  Json bands;
  for (const auto& [window, values] : in_time) {
    for (const auto& [name, value] : values.items()) bands[name].push_back(value);
  }
  return {{"series", series_of(study, data)},
          {"bands", std::move(bands)},
          {"densities", std::move(densities)}};
}

}  // namespace probmix
