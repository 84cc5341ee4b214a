#include "probmix/report/stocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "probmix/data/date.hpp"
#include "probmix/report/density.hpp"
#include "probmix/report/html.hpp"
#include "probmix/report/series.hpp"
#include "probmix/report/text.hpp"

namespace probmix {

namespace {

// Calls visit(first, count) for the summaries of each stock and architecture, which follow each
// other.
template <class Visit>
void for_each_group(std::span<const StockSummary> summaries, const Visit& visit) {
  for (std::size_t first = 0; first < summaries.size();) {
    std::size_t end = first + 1;
    while (end < summaries.size() && summaries[end].dataset == summaries[first].dataset &&
           summaries[end].architecture == summaries[first].architecture) {
      ++end;
    }
    visit(first, end - first);
    first = end;
  }
}

// A part without windows has no score, which is not the same as a run that diverged.
std::string score_text(const StockSummary& s, const MeanSe& score) {
  return s.runs > 0 && std::isnan(score.mean) ? "–" : format_mean_se(score.mean, score.se);
}

SeriesPicture series_picture(const StockData& data, const StockSummary& s,
                             const std::string& target_name, bool last_validation) {
  SeriesPicture picture;
  picture.title = s.method->name;
  picture.caption = fmt::format("{}: test NLL {}", s.method->name, score_text(s, s.test_nll));
  const Index target = data.series.column(target_name);
  for (Index r = 0; r < data.series.rows(); ++r) {
    picture.time.push_back(static_cast<double>(data.series.time[to_size(r)]) /
                           static_cast<double>(day_seconds));
    picture.value.push_back(data.series.values(r, target));
  }
  const Json& bands = s.pictures.at("bands");
  bands.at("time").get_to(picture.target_time);
  bands.at("mean").get_to(picture.mean);
  bands.at("lower95").get_to(picture.lower95);
  bands.at("lower50").get_to(picture.lower50);
  bands.at("upper50").get_to(picture.upper50);
  bands.at("upper95").get_to(picture.upper95);
  const auto day_of_target = [&](Index window) {
    return picture.time[to_size(data.windows.target[to_size(window)])];
  };
  if (!data.split.test.empty()) picture.test_from = picture.time[to_size(data.split.boundary)];
  if (last_validation && !data.split.validation.empty()) {
    picture.validation_from = day_of_target(data.split.validation.front());
  }
  picture.y_label = target_name;
  return picture;
}

void add_series(HtmlReport& page, const StockStudy& study, const StockData& data,
                std::span<const StockSummary> group) {
  const bool last_validation = study.split.validation_rows == WindowValidation::last;
  std::vector<SeriesPicture> pictures;
  for (const StockSummary& s : group) {
    if (!s.pictures.is_null())
      pictures.push_back(series_picture(data, s, study.windows.target, last_validation));
  }
  if (pictures.empty()) return;
  const Range y_range = common_y_range(pictures);
  std::vector<Figure> figures;
  for (SeriesPicture& picture : pictures) {
    picture.y_range = y_range;
    figures.push_back({series_chart(picture), picture.caption});
  }
  page.add_figures(figures, series_legend(pictures), FigureGrid::wide);
}

void add_densities(HtmlReport& page, std::span<const StockSummary> group) {
  for (const StockSummary& s : group) {
    if (s.pictures.is_null()) continue;
    std::vector<Figure> figures;
    for (const Json& json : s.pictures.at("densities")) {
      DensityPicture picture;
      picture.title = density_title(json.at("time").get<double>(), json.at("nll").get<double>());
      picture.caption = fmt::format("{}: {} of {}", s.method->name,
                                    json.at("which").get_ref<const std::string&>(),
                                    json.at("part").get_ref<const std::string&>());
      json.at("y").get_to(picture.y);
      json.at("density").get_to(picture.density);
      picture.observed = json.at("observed").get<double>();
      figures.push_back({density_chart(picture), picture.caption});
    }
    page.add_figures(figures, &s == &group.front() ? density_legend() : "",
                     FigureGrid::rows_of_four);
  }
}

std::string lead(const StockPlan& plan) {
  const WindowOptions& windows = plan.study.windows;
  return fmt::format(
      "From {} rows of prices the density of {} {} rows later, learned by small networks on the "
      "first part of the period and judged on the last. A density that can be trusted stays wide "
      "where the market does something that was not there before: its negative log-likelihood "
      "(NLL) on the test period stays small.",
      windows.window, windows.target, windows.horizon);
}

}  // namespace

Table stock_table(std::span<const StockSummary> summaries) {
  Table table;
  table.columns = {{"stock", Align::left},     {"network", Align::left},
                   {"method", Align::left},    {"train NLL", Align::right},
                   {"test NLL", Align::right}, {"train RMSE", Align::right},
                   {"test RMSE", Align::right}};
  constexpr std::array columns = {&StockSummary::train_nll, &StockSummary::test_nll,
                                  &StockSummary::train_rmse, &StockSummary::test_rmse};
  constexpr std::size_t first_column = 3;
  for_each_group(summaries, [&](std::size_t first, std::size_t count) {
    if (first > 0) table.add_rule();
    for (const StockSummary& s : summaries.subspan(first, count)) {
      std::vector<Cell> cells{s.dataset, s.architecture, std::string(s.method->name)};
      for (const auto column : columns) cells.emplace_back(score_text(s, s.*column));
      if (s.diverged > 0 && s.runs > 0) cells[2].text += fmt::format(" ({} diverged)", s.diverged);
      table.add(std::move(cells));
    }
  });
  for_each_group(summaries, [&](std::size_t first, std::size_t count) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::vector<double> values(summaries.size(), std::numeric_limits<double>::quiet_NaN());
      for (std::size_t k = first; k < first + count; ++k) {
        values[k] = (summaries[k].*columns[c]).mean;
      }
      table.mark_best(first_column + c, values);
    }
  });
  return table;
}

std::string stock_page(const StockPlan& plan, std::span<const StockSummary> summaries) {
  HtmlReport page("Stock forecasts", lead(plan));
  page.add_heading("Results");
  page.add_paragraph(fmt::format(
      "Mean ± standard error over {} {}, in standardised units; smaller is better, the "
      "best of each stock and network in bold. A random embedding predicts with {}.",
      plan.runs, plan.runs == 1 ? "run" : "runs",
      plan.study.members == 0 ? "its mean"
                              : fmt::format("a mixture of {} draws", plan.study.members)));
  page.add_table(stock_table(summaries));
  for_each_group(summaries, [&](std::size_t first, std::size_t count) {
    const auto group = summaries.subspan(first, count);
    const StockData& data =
        *std::ranges::find(plan.stocks, group.front().dataset, &StockData::name);
    page.add_heading(fmt::format("{}, {}", data.name, group.front().architecture));
    page.add_paragraph(fmt::format(
        "The first run. Bands stand at the day that is forecast, {} rows after the last one that "
        "was seen. {} windows for training, {} for validation, {} for test, {} dropped, as they "
        "begin before the period in which their target lies.",
        plan.study.windows.horizon, data.split.train.size(), data.split.validation.size(),
        data.split.test.size(), data.split.dropped));
    add_series(page, plan.study, data, group);
    page.add_paragraph("The densities with the best and the worst NLL, of training and of test.");
    add_densities(page, group);
  });
  StockStudy study = plan.study;
  for (const ArchitectureKind kind : plan.architectures) {
    study.architecture.kind = kind;
    Json configuration = stock_configuration(study, plan.stocks.front(), *plan.methods.front(), 0);
    for (const char* const varying :
         {"dataset", "rows", "from", "to", "fingerprint", "method", "run"}) {
      configuration.erase(varying);
    }
    page.add_details("Configuration", as_text(configuration));
  }
  return page.html();
}

}  // namespace probmix
