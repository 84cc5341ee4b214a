#include "probmix/data/time_series.hpp"

#include <algorithm>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/csv.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/gaps.hpp"
#include "probmix/data/number.hpp"

namespace probmix {
namespace {

// The rows of a table in the order of time.
struct Order {
  std::vector<Index> row;
  std::vector<std::int64_t> time;  // of the table's rows

  std::int64_t at(std::size_t i) const { return time[to_size(row[i])]; }
};

Order read_dates(const CsvTable& table, Index column, bool sort) {
  Order order;
  for (Index r = 0; r < table.row_count(); ++r) {
    const auto time = parse_date(without_blanks(table.field(r, column)));
    check(time.has_value(), "{}: {} {}; write {}", table.where(r, column),
          in_quotes(table.field(r, column)),
          has_utc_offset(without_blanks(table.field(r, column)))
              ? "has an offset from UTC, which is not read"
              : "is no date of the calendar",
          date_forms);
    order.time.push_back(*time);
  }
  order.row.resize(order.time.size());
  std::iota(order.row.begin(), order.row.end(), Index{0});
  if (sort)
    std::ranges::stable_sort(order.row, {}, [&](Index r) { return order.time[to_size(r)]; });
  return order;
}

void check_ascending(const CsvTable& table, const Order& order) {
  for (std::size_t i = 1; i < order.row.size(); ++i) {
    const Index line = table.line[to_size(order.row[i])];
    const Index before = table.line[to_size(order.row[i - 1])];
    check(order.at(i) != order.at(i - 1),
          "{}: lines {} and {} have the same date {}; keep one row a date", table.file, before,
          line, format_date(order.at(i)));
    check(
        order.at(i) > order.at(i - 1),
        "{}: line {}: the date {} comes after {} on line {}; sort the rows by date, or let them be "
        "sorted (--sort)",
        table.file, line, format_date(order.at(i)), format_date(order.at(i - 1)), before);
  }
}

std::string duration(std::int64_t seconds) {
  const bool days = seconds >= day_seconds;
  const double value = static_cast<double>(seconds) / (days ? day_seconds : 3600);
  return fmt::format("{:.4g} {}{}", value, days ? "day" : "hour", value == 1 ? "" : "s");
}

std::string is_usual(std::int64_t seconds) {
  const bool one = seconds == day_seconds || seconds == 3600;
  return fmt::format("{} {} usual", duration(seconds), one ? "is" : "are");
}

// What of a series the rule of data/gaps.hpp counts, and how many of it may be missing in a row.
std::string rule_of(const Distances& distances) {
  if (!distances.by_days) {
    return fmt::format("{}, at most {} rows may be missing", is_usual(distances.usual),
                       distances.allowed());
  }
  return fmt::format("rows on {} days of a week are usual, at most {} of these days may be missing",
                     distances.days_a_week(), distances.allowed());
}

void check_regular(const TimeSeries& series, const Distances& distances) {
  check(distances.regular,
        "{}: the dates, {} to {}, are irregular: few of their distances are near the usual one of "
        "{}; resample the rows to regular dates, or allow gaps (--allow-gaps)",
        series.source, series.date(0), series.date(series.rows() - 1), duration(distances.usual));
}

void check_no_gap(const TimeSeries& series, const Gaps& gaps, const std::string& rule) {
  if (gaps.count == 0) return;
  const std::int64_t length =
      series.time[to_size(gaps.first + 1)] - series.time[to_size(gaps.first)];
  throw Error(fmt::format(
      "{}: a gap of {} between {} and {} ({}{}); fill in the missing rows, allow longer ones "
      "(--max-gap-days) or all gaps (--allow-gaps)",
      series.source, duration(length), series.date(gaps.first), series.date(gaps.first + 1), rule,
      gaps.count == 1 ? "" : fmt::format("; {} such gaps", gaps.count)));
}

void check_no_gaps(const TimeSeries& series, const SeriesOptions& options) {
  check_non_negative("the longest gap in days", options.max_gap_days);
  if (options.allow_gaps || series.rows() < 2) return;
  if (options.max_gap_days > 0) {
    check_no_gap(series, find_gaps(series.time, options.max_gap_days * day_seconds),
                 fmt::format("at most {:g} {} allowed", options.max_gap_days,
                             options.max_gap_days == 1 ? "day is" : "days are"));
    return;
  }
  const Distances distances = measure_distances(series.time);
  check_regular(series, distances);
  const Gaps gaps = find_gaps(series.time, distances);
  check_no_gap(series, gaps, rule_of(distances));
  check(gaps.missing <= gaps.most_missing,
        "{}: {} {} are missing between {} and {}, in many short gaps (at most {} may be); fill in "
        "the missing rows, or allow gaps (--allow-gaps)",
        series.source, gaps.missing, distances.by_days ? "days" : "rows", series.date(0),
        series.date(series.rows() - 1), gaps.most_missing);
}

Index find_date_column(const CsvTable& table, const std::string& name) {
  const auto found = std::ranges::find(table.header, name);
  check(found != table.header.end(),
        "{}: there is no column {}; columns: {}; say which one has the dates (--date-column)",
        table.file, in_quotes(name), names_in_quotes(table.header));
  return found - table.header.begin();
}

// The table's columns that become values, by position.
std::vector<Index> value_columns(const CsvTable& table, Index date_column,
                                 const std::vector<std::string>& names) {
  std::vector<Index> columns;
  for (const std::string& name : names) {
    columns.push_back(table.column(name));
    check(columns.back() != date_column, "{}: the date column {} cannot be a value column too",
          table.file, in_quotes(name));
    check(std::ranges::count(columns, columns.back()) == 1, "{}: the column {} is asked for twice",
          table.file, in_quotes(name));
  }
  if (names.empty()) {
    for (Index c = 0; c < static_cast<Index>(table.header.size()); ++c) {
      if (c != date_column) columns.push_back(c);
    }
  }
  check(!columns.empty(), "{}: there is no column of values beside the date column {}", table.file,
        in_quotes(table.header[to_size(date_column)]));
  return columns;
}

}  // namespace

std::string TimeSeries::date(Index row) const { return format_date(time[to_size(row)]); }

Index TimeSeries::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name);
  check_usage(found != columns.end(), "{}: there is no column {}; columns: {}", source,
              in_quotes(name), names_in_quotes(columns));
  return found - columns.begin();
}

TimeSeries read_time_series(const std::filesystem::path& path, const SeriesOptions& options) {
  const CsvTable table = read_csv(path);
  const Index date_column = find_date_column(table, options.date_column);
  const std::vector<Index> columns = value_columns(table, date_column, options.columns);
  const Order order = read_dates(table, date_column, options.sort);
  check_ascending(table, order);

  TimeSeries series;
  series.source = table.file;
  for (const Index c : columns) series.columns.push_back(table.header[to_size(c)]);
  series.values = Matrix<double>(table.row_count(), static_cast<Index>(columns.size()));
  for (Index r = 0; r < series.rows(); ++r) {
    series.time.push_back(order.at(to_size(r)));
    for (Index c = 0; c < series.values.cols(); ++c) {
      series.values(r, c) = table.number(order.row[to_size(r)], columns[to_size(c)]);
    }
  }
  check_no_gaps(series, options);
  return series;
}

}  // namespace probmix
