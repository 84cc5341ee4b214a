#include "probmix/data/gaps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "probmix/data/date.hpp"

namespace probmix {
namespace {

std::int64_t floor_of(std::int64_t value, std::int64_t unit) {
  return value / unit - (value % unit < 0 ? 1 : 0);
}

std::int64_t day_of(std::int64_t time) { return floor_of(time, day_seconds); }

std::size_t day_of_week(std::int64_t day) { return to_size(day - 7 * floor_of(day, 7)); }

// True if steps longer than twice the usual one are at least half as many as days with rows.
bool has_nights(std::span<const std::int64_t> time, std::int64_t usual) {
  Index days = 1;
  Index nights = 0;
  for (std::size_t i = 1; i < time.size(); ++i) {
    days += day_of(time[i]) != day_of(time[i - 1]);
    nights += time[i] - time[i - 1] > 2 * usual;
  }
  return 2 * nights >= days;
}

std::array<bool, 7> usual_days(std::span<const std::int64_t> time) {
  std::array<Index, 7> count = {};  // of days with rows
  for (std::size_t i = 0; i < time.size(); ++i) {
    const std::int64_t day = day_of(time[i]);
    if (i == 0 || day != day_of(time[i - 1])) ++count[day_of_week(day)];
  }
  std::array<bool, 7> days = {};
  for (std::size_t d = 0; d < 7; ++d) days[d] = 2 * count[d] >= std::ranges::max(count);
  return days;
}

// The number of days or rows missing between two consecutive rows.
Index missing_between(std::int64_t before, std::int64_t after, const Distances& distances) {
  if (!distances.by_days) {
    // Allows for months of different length, and for rows on Monday, Wednesday and Friday.
    constexpr double tolerance = 0.25;
    const double steps = static_cast<double>(after - before) / static_cast<double>(distances.usual);
    return std::max<Index>(static_cast<Index>(steps + tolerance) - 1, 0);
  }
  Index missing = 0;
  for (std::int64_t day = day_of(before) + 1; day < day_of(after); ++day) {
    missing += distances.days[day_of_week(day)];
  }
  return missing;
}

}  // namespace

Index Distances::days_a_week() const { return std::ranges::count(days, true); }

Distances measure_distances(std::span<const std::int64_t> time) {
  std::vector<std::int64_t> sorted;
  for (std::size_t i = 1; i < time.size(); ++i) sorted.push_back(time[i] - time[i - 1]);
  std::ranges::sort(sorted);
  const std::int64_t usual = sorted[(sorted.size() - 1) / 2];
  const auto near = std::ranges::count_if(
      sorted, [&](std::int64_t d) { return 3 * std::abs(d - usual) <= usual; });
  const bool daily = 2 * usual > day_seconds && 2 * usual < 3 * day_seconds;
  return {.usual = usual,
          .regular = 2 * near >= std::ssize(sorted),
          .by_days = daily || (2 * usual <= day_seconds && has_nights(time, usual)),
          .days = usual_days(time)};
}

Gaps find_gaps(std::span<const std::int64_t> time, const Distances& distances) {
  Gaps gaps;
  Index present = 1;
  for (std::size_t i = 1; i < time.size(); ++i) {
    const Index missing = missing_between(time[i - 1], time[i], distances);
    gaps.missing += missing;
    present += !distances.by_days || day_of(time[i]) != day_of(time[i - 1]);
    if (missing > distances.allowed() && gaps.count++ == 0) gaps.first = static_cast<Index>(i) - 1;
  }
  gaps.most_missing = std::max(distances.allowed(), (present + gaps.missing) / 10);
  return gaps;
}

Gaps find_gaps(std::span<const std::int64_t> time, double limit) {
  Gaps gaps;
  for (std::size_t i = 1; i < time.size(); ++i) {
    if (static_cast<double>(time[i] - time[i - 1]) <= limit) continue;
    if (gaps.count++ == 0) gaps.first = static_cast<Index>(i) - 1;
  }
  return gaps;
}

std::vector<Index> rows_after_gaps(std::span<const std::int64_t> time, double max_days) {
  std::vector<Index> rows;
  if (time.size() < 2 || (max_days == 0 && time.size() < 3)) return rows;
  const Distances distances = measure_distances(time);
  if (max_days == 0 && (!distances.regular || distances.usual == 0)) return rows;
  for (std::size_t k = 1; k < time.size(); ++k) {
    const auto step = time.subspan(k - 1, 2);
    const Gaps gaps =
        max_days > 0 ? find_gaps(step, max_days * day_seconds) : find_gaps(step, distances);
    if (gaps.count > 0) rows.push_back(static_cast<Index>(k));
  }
  return rows;
}

namespace {

std::string duration(std::int64_t seconds) {
  const bool days = seconds >= day_seconds;
  const double value = static_cast<double>(seconds) / (days ? day_seconds : 3600);
  return fmt::format("{:.4g} {}{}", value, days ? "day" : "hour", value == 1 ? "" : "s");
}

// The rule in words: what it counts, and how many may be missing in a row.
std::string rule_of(const Distances& distances) {
  if (distances.by_days) {
    return fmt::format(
        "rows usually come on {} days a week, at most {} of these days may be missing in a row",
        distances.days_a_week(), distances.allowed());
  }
  return fmt::format("rows are usually {} apart, at most {} may be missing in a row",
                     duration(distances.usual), distances.allowed());
}

std::string fault_of(std::span<const std::int64_t> time, const Gaps& gaps,
                     const std::string& rule) {
  if (gaps.count == 0) return "";
  const std::int64_t before = time[to_size(gaps.first)], after = time[to_size(gaps.first + 1)];
  return fmt::format(
      "a gap of {} between {} and {} ({}{}); fill in the missing rows, allow longer gaps "
      "(`max-gap-days`), or ignore gaps (`gaps` ignore)",
      duration(after - before), format_date(before), format_date(after), rule,
      gaps.count == 1 ? "" : fmt::format("; {} such gaps", gaps.count));
}

}  // namespace

std::string gap_fault(std::span<const std::int64_t> time, double max_days) {
  if (time.size() < 2) return "";
  if (max_days > 0) {
    return fault_of(
        time, find_gaps(time, max_days * day_seconds),
        fmt::format("at most {:g} {} allowed", max_days, max_days == 1 ? "day is" : "days are"));
  }
  const Distances distances = measure_distances(time);
  const std::string period =
      fmt::format("{} to {}", format_date(time.front()), format_date(time.back()));
  if (!distances.regular) {
    return fmt::format(
        "the dates, {}, are irregular: fewer than half of the steps between rows are close to the "
        "median of {}; resample the rows to regular dates, or ignore gaps (`gaps` ignore)",
        period, duration(distances.usual));
  }
  const Gaps gaps = find_gaps(time, distances);
  std::string fault = fault_of(time, gaps, rule_of(distances));
  if (!fault.empty() || gaps.missing <= gaps.most_missing) return fault;
  return fmt::format(
      "{} {} are missing over {}, in many short gaps (at most {} may be missing); fill in the "
      "missing rows, or ignore gaps (`gaps` ignore)",
      gaps.missing, distances.by_days ? "days" : "rows", period, gaps.most_missing);
}

}  // namespace probmix
