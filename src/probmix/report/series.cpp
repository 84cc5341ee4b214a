#include "probmix/report/series.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/date_axis.hpp"
#include "probmix/report/svg.hpp"

namespace probmix {
namespace {

void check_picture(const SeriesPicture& p) {
  const auto same = [&](std::string_view what, std::size_t found, std::string_view of,
                        std::size_t wanted) {
    check(found == wanted, "picture '{}': {} has {} values, but {} has {}", p.title, what, found,
          of, wanted);
  };
  const auto ascends = [&](std::string_view what, std::span<const double> time) {
    for (std::size_t i = 1; i < time.size(); ++i) {
      check(!(time[i] < time[i - 1]), "picture '{}': {} descends from {} to {}; sort by time",
            p.title, what, time[i - 1], time[i]);
    }
  };
  same("value", p.value.size(), "time", p.time.size());
  const std::size_t targets = p.target_time.size();
  same("mean", p.mean.size(), "target_time", targets);
  same("lower95", p.lower95.size(), "target_time", targets);
  same("lower50", p.lower50.size(), "target_time", targets);
  same("upper50", p.upper50.size(), "target_time", targets);
  same("upper95", p.upper95.size(), "target_time", targets);
  ascends("time", p.time);
  ascends("target_time", p.target_time);
}

// The values with a NaN, at which a chart breaks, before each gap.
std::vector<double> broken(std::span<const double> values, std::span<const std::size_t> gaps) {
  std::vector<double> out;
  out.reserve(values.size() + gaps.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::ranges::binary_search(gaps, i)) {
      out.push_back(std::numeric_limits<double>::quiet_NaN());
    }
    out.push_back(values[i]);
  }
  return out;
}

Range times(const SeriesPicture& p) {
  Range range = Range::nothing();
  range.include(p.time);
  range.include(p.target_time);
  return range;
}

bool has_test(const SeriesPicture& p) { return p.test_from <= times(p).high; }

bool has_validation(const SeriesPicture& p) {
  return p.validation_from && *p.validation_from < std::min(p.test_from, times(p).high);
}

std::string alt_text(const SeriesPicture& p) {
  const Range range = times(p);
  std::string alt = fmt::format("{}: {}", p.title, p.y_label.empty() ? "series" : p.y_label);
  if (range.low <= range.high) {
    alt += fmt::format(" from {} to {}", day_text(range.low), day_text(range.high));
  }
  alt +=
      fmt::format(", with predictive mean, 50 % and 95 % band at {} dates", p.target_time.size());
  if (has_test(p) && std::isfinite(p.test_from)) {
    alt += fmt::format("; the test period begins on {}", day_text(p.test_from));
  }
  return fmt::format("{}. {}", alt, p.caption);
}

// Shading below all other marks; the labels lie above.
void draw_periods(Chart& chart, const SeriesPicture& p, Range x) {
  const bool test = has_test(p), validation = has_validation(p);
  const double test_from = test ? p.test_from : x.high;
  const double train_to = validation ? *p.validation_from : test_from;
  if (test || validation) chart.shade({x.low, train_to}, "period", "training");
  if (validation) chart.shade({train_to, test_from}, "validation", "validation");
  if (test) chart.shade({test_from, x.high}, "gap", "test");
}

}  // namespace

std::vector<std::size_t> time_gaps(std::span<const double> time) {
  std::vector<double> steps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    const double step = time[i] - time[i - 1];
    if (std::isfinite(step)) steps.push_back(step);
  }
  if (steps.empty()) return {};
  const auto middle = steps.begin() + static_cast<std::ptrdiff_t>(steps.size() / 2);
  std::ranges::nth_element(steps, middle);
  const double longest = *middle + std::max(4.0, 0.5 * *middle);
  std::vector<std::size_t> gaps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (time[i] - time[i - 1] > longest) gaps.push_back(i);
  }
  return gaps;
}

Range common_y_range(std::span<const SeriesPicture> pictures) {
  Range range = Range::nothing();
  for (const auto& p : pictures) range.include(p.value);
  if (range.low > range.high) {  // no series at all: whatever is predicted
    for (const auto& p : pictures) range.include(p.mean);
  }
  std::vector<std::span<const double>> edges;
  for (const auto& p : pictures) edges.insert(edges.end(), {p.lower95, p.upper95});
  return data_and_bands(range, edges);
}

std::string series_chart(const SeriesPicture& p) {
  check_picture(p);
  ChartFrame frame;
  frame.title = p.title;
  frame.alt = alt_text(p);
  frame.y_label = p.y_label;
  frame.width = 460;
  frame.height = 256;
  frame.x_dates = true;
  // A little room at both ends, which also shows the new year before a first trading day.
  const Range inside = drawable(times(p));
  const Range x{inside.low - 0.01 * inside.size(), inside.high + 0.01 * inside.size()};
  frame.x = x;
  frame.y = p.y_range.value_or(common_y_range({&p, 1}));

  Chart chart(std::move(frame));
  draw_periods(chart, p, x);
  const auto gaps = time_gaps(p.target_time);
  const auto at = broken(p.target_time, gaps);
  chart.band(at, broken(p.lower95, gaps), broken(p.upper95, gaps), "outer");
  chart.band(at, broken(p.lower50, gaps), broken(p.upper50, gaps), "inner");
  if (has_validation(p)) chart.marker(*p.validation_from, "boundary");
  if (has_test(p)) chart.marker(p.test_from, "boundary");
  const auto series_gaps = time_gaps(p.time);
  chart.line(broken(p.time, series_gaps), broken(p.value, series_gaps), "series");
  chart.line(at, broken(p.mean, gaps), "forecast");
  return chart.svg();
}

std::string series_legend(std::span<const SeriesPicture> pictures) {
  const auto predicts = [](const SeriesPicture& p) { return !p.target_time.empty(); };
  std::vector<LegendItem> items{{Mark::line, "series", "observed"}};
  if (std::ranges::any_of(pictures, predicts)) {
    items.push_back({Mark::line, "forecast", "predictive mean"});
    items.push_back({Mark::band, "inner", "50 % band"});
    items.push_back({Mark::band, "outer", "95 % band"});
  }
  if (std::ranges::any_of(pictures, has_validation)) {
    items.push_back({Mark::region, "validation", "validation period"});
  }
  if (std::ranges::any_of(pictures, has_test)) {
    items.push_back({Mark::region, "gap", "test period"});
  }
  return legend(items);
}

}  // namespace probmix
