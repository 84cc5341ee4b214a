#include "probmix/report/date_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string_view>

namespace probmix {
namespace {

using std::chrono::days;
using std::chrono::months;
using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                   "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

bool in_calendar(double day) { return day >= -719162 && day < 2932897; }  // 0001-01-01, 10000-01-01

double number(sys_days day) { return static_cast<double>(day.time_since_epoch().count()); }

year_month_day calendar(double day) { return sys_days(days(static_cast<int>(std::floor(day)))); }

int month_of(const year_month_day& date) {
  return static_cast<int>(static_cast<unsigned>(date.month()));
}

int day_of(const year_month_day& date) {
  return static_cast<int>(static_cast<unsigned>(date.day()));
}

// Days from one tick to the next, at least, or starts of months.
struct Step {
  int months = 0;
  int days = 0;  // if months is 0
  double shortest = 0;
};

Step smallest_step(double at_least) {
  constexpr std::array<Step, 8> within_years{{{0, 1, 1},
                                              {0, 2, 2},
                                              {0, 5, 5},
                                              {0, 10, 10},
                                              {1, 0, 28},
                                              {3, 0, 90},
                                              {6, 0, 181},
                                              {12, 0, 365}}};
  for (const Step& step : within_years) {
    if (step.shortest >= at_least) return step;
  }
  for (int years = 10;; years *= 10) {
    for (const int divisor : {5, 2, 1}) {
      const Step step{12 * (years / divisor), 0, 365.0 * (years / divisor)};
      if (step.shortest >= at_least || years > 10000) return step;
    }
  }
}

// The days of the step's grid in one month, as days of the month.
std::vector<int> days_in_grid(const year_month_day& first_of_month, const Step& step) {
  if (step.months > 0) {
    const int month = static_cast<int>(first_of_month.year()) * 12 + month_of(first_of_month) - 1;
    return month % step.months == 0 ? std::vector{1} : std::vector<int>{};
  }
  const auto length = (sys_days(first_of_month + months(1)) - sys_days(first_of_month)).count();
  std::vector<int> found;
  // The last one keeps its distance from the start of the next month.
  for (int day = 1; day + step.days <= length + 1; day += step.days) found.push_back(day);
  return found;
}

std::string label(const year_month_day& date, bool first) {
  const int month = month_of(date);
  const int day = day_of(date);
  const int year = static_cast<int>(date.year());
  if (month == 1 && day == 1) return fmt::format("{}", year);
  if (first && day == 1) return fmt::format("{:04}-{:02}", year, month);
  if (first) return fmt::format("{:04}-{:02}-{:02}", year, month, day);
  if (day == 1) return std::string(kMonths[static_cast<std::size_t>(month - 1)]);
  return fmt::format("{}", day);
}

}  // namespace

std::string day_text(double day) {
  if (!in_calendar(day)) return fmt::format("{:.6g}", day);
  const year_month_day date = calendar(day);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), month_of(date),
                     day_of(date));
}

std::vector<Tick> date_ticks(Range range, int count) {
  range = drawable(range);
  if (!in_calendar(range.low) || !in_calendar(range.high)) return nice_ticks(range, count);
  const Step step = smallest_step(range.size() / std::max(1, count));
  const year_month_day from = calendar(range.low);
  std::vector<Tick> ticks;
  for (year_month_day month = from.year() / from.month() / 1; number(month) <= range.high;
       month += months(1)) {
    for (const int day : days_in_grid(month, step)) {
      const sys_days date = sys_days(month) + days(day - 1);
      if (number(date) < range.low || number(date) > range.high) continue;
      ticks.push_back({number(date), label(date, ticks.empty())});
    }
  }
  return ticks;
}

}  // namespace probmix
