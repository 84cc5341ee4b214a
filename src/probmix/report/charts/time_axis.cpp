#include "probmix/report/charts/time_axis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace probmix::report {

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

double milliseconds(double day) { return std::round(day * 86400e3); }

std::vector<double> broken_times(std::span<const double> days, std::span<const std::size_t> gaps) {
  std::vector<double> out;
  out.reserve(days.size() + gaps.size());
  for (std::size_t i = 0; i < days.size(); ++i) {
    if (std::ranges::binary_search(gaps, i)) {
      out.push_back(milliseconds((days[i - 1] + days[i]) / 2));
    }
    out.push_back(milliseconds(days[i]));
  }
  return out;
}

Json time_axis(std::string_view field) {
  return {{"field", field},
          {"type", "temporal"},
          {"title", nullptr},
          {"scale", {{"type", "utc"}}},
          {"axis",
           {{"labelExpr",
             "utcmonth(datum.value) == 0 && utcdate(datum.value) == 1"
             " ? utcFormat(datum.value, '%Y')"
             " : utcFormat(datum.value, utcdate(datum.value) == 1 ? '%b' : '%-d %b')"
             " + (datum.index > 0 ? '' : utcFormat(datum.value, ' %Y'))"}}}};
}

}  // namespace probmix::report
