#include "probmix/model/examples.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/gaps.hpp"

namespace probmix {
namespace {

// A number for each row that is the same within a group; −1 stands for missing.
std::vector<std::int64_t> group_numbers(const Frame& frame, const FrameColumn& column) {
  std::vector<std::int64_t> numbers(to_size(frame.rows()));
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    if (column.kind == ColumnKind::category) {
      numbers[r] = column.codes[r];
    } else {
      const double value = column.values[r];
      check(std::isnan(value) || (value == std::floor(value) && std::abs(value) < 1e15),
            "{}: {} is no name of a group; give a column of categories or whole numbers",
            frame.where(static_cast<Index>(r), column), value);
      numbers[r] = std::isnan(value) ? std::int64_t{-1} : 2 * static_cast<std::int64_t>(value);
    }
  }
  return numbers;
}

const FrameColumn& time_column(const Frame& frame, const std::string& name) {
  const FrameColumn& column = frame.column(name);
  check_usage(column.kind != ColumnKind::category,
              "{}: column {} has categories, so its rows have no order in time; give a column of "
              "dates ({}) or numbers",
              frame.file, in_quotes(name), date_forms);
  check(column.missing == 0, "{}: column {} has no value in {} of {} rows; a time is needed in all",
        frame.file, in_quotes(name), column.missing, frame.rows());
  return column;
}

std::string time_text(const FrameColumn& column, Index row) {
  const double time = column.values[to_size(row)];
  if (column.kind != ColumnKind::date) return fmt::format("{}", time);
  const double seconds = std::floor(time);
  const std::string text = format_date(static_cast<std::int64_t>(seconds));
  return time == seconds ? text : text + fmt::format("{:.3f}", time - seconds).substr(1);
}

void check_order(const Frame& frame, const FrameColumn& time, std::span<const std::int64_t> group) {
  for (Index row = 1; row < frame.rows(); ++row) {
    if (!group.empty() && group[to_size(row)] != group[to_size(row - 1)]) continue;
    if (time.values[to_size(row)] > time.values[to_size(row - 1)]) continue;
    throw Error(fmt::format(
        "{}: {} does not come after {} of the row before; sort the rows of a series by time",
        frame.where(row, time), time_text(time, row), time_text(time, row - 1)));
  }
}

// Of rows that belong together, beginning with `first`.
void add_gaps(std::span<const double> times, Index first, SeriesGaps& gaps) {
  if (times.size() < 3) return;
  std::vector<std::int64_t> seconds;
  for (const double time : times) seconds.push_back(std::llround(std::floor(time)));
  const Distances distances = measure_distances(seconds);
  if (!distances.regular || distances.usual == 0) return;  // no distance is to be expected
  for (std::size_t k = 1; k < seconds.size(); ++k) {
    if (find_gaps(std::span(seconds).subspan(k - 1, 2), distances).count == 0) continue;
    gaps.is_before[to_size(first) + k] = true;
    ++gaps.count;
  }
}

}  // namespace

SeriesGaps find_series_gaps(const Frame& frame, const SeriesShape& shape) {
  SeriesGaps gaps{.is_before = std::vector<bool>(to_size(frame.rows()), false)};
  if (!shape.is_series() || shape.time.empty()) return gaps;
  const FrameColumn& time = time_column(frame, shape.time);
  if (time.kind != ColumnKind::date) return gaps;
  std::vector<std::int64_t> group(to_size(frame.rows()), 0);
  if (!shape.group.empty()) group = group_numbers(frame, frame.column(shape.group));
  for (std::size_t first = 0, end = 0; first < group.size(); first = end) {
    while (end < group.size() && group[end] == group[first]) ++end;
    add_gaps(std::span(time.values).subspan(first, end - first), static_cast<Index>(first), gaps);
  }
  const auto length = [&](Index row) {
    return time.values[to_size(row)] - time.values[to_size(row - 1)];
  };
  for (Index row = 1; row < frame.rows(); ++row) {
    if (!gaps.is_before[to_size(row)]) continue;
    if (gaps.longest < 0 || length(row) > length(gaps.longest)) gaps.longest = row;
  }
  return gaps;
}

std::string describe_gaps(const Frame& frame, const SeriesShape& shape, const SeriesGaps& gaps) {
  if (gaps.count == 0) return "";
  const FrameColumn& time = frame.column(shape.time);
  return fmt::format(
      "{} between {} and {} (line {}); windows that would reach across are not learned from; if "
      "rows are missing, fill them in",
      gaps.count == 1
          ? fmt::format("{} has a gap", in_quotes(shape.time))
          : fmt::format("{} has {} gaps, the longest", in_quotes(shape.time), gaps.count),
      time_text(time, gaps.longest - 1), time_text(time, gaps.longest),
      frame.line[to_size(gaps.longest)]);
}

Examples find_examples(const Frame& frame, const SeriesShape& shape,
                       std::span<const std::string> targets, AtGaps at_gaps) {
  check_shape(shape);
  check_usage(shape.is_series() || shape.time.empty() || shape.group.empty(),
              "the rows of a table are split by time or by group, not by both");
  std::vector<std::int64_t> group;
  if (!shape.group.empty()) group = group_numbers(frame, frame.column(shape.group));
  const FrameColumn* const time = shape.time.empty() ? nullptr : &time_column(frame, shape.time);
  std::vector<bool> has_target(to_size(frame.rows()));
  for (const Index row : complete_rows(frame, targets)) has_target[to_size(row)] = true;

  if (shape.is_series() && time != nullptr) check_order(frame, *time, group);
  const SeriesGaps gaps = at_gaps == AtGaps::stop ? find_series_gaps(frame, shape) : SeriesGaps{};

  Examples examples;
  Index first = 0;  // of the rows that belong together
  for (Index row = 0; row < frame.rows(); ++row) {
    if (shape.is_series() && row > 0) {
      if (!group.empty() && group[to_size(row)] != group[to_size(row - 1)]) first = row;
      if (gaps.count > 0 && gaps.is_before[to_size(row)]) first = row;
    }
    const Index last = row - shape.horizon;
    if (last - shape.window + 1 < first || !has_target[to_size(row)]) continue;
    examples.last.push_back(last);
    examples.target.push_back(row);
    examples.place.push_back(row - first);
  }
  check(examples.count() > 0 || shape.is_series(), "{}: none of {} rows has a target", frame.file,
        frame.rows());
  check(examples.count() > 0,
        "{}: none of {} rows has a target and the rows before it that a window of {} and a horizon "
        "of {} need{}",
        frame.file, frame.rows(), shape.window, shape.horizon,
        gaps.count > 0 ? "; " + describe_gaps(frame, shape, gaps) : "");
  return examples;
}

bool is_split_in_time(const SeriesShape& shape) {
  return shape.is_series() || (!shape.time.empty() && shape.group.empty());
}

std::vector<double> example_times(const Frame& frame, const SeriesShape& shape,
                                  const Examples& examples) {
  if (shape.time.empty()) return {examples.place.begin(), examples.place.end()};
  return take(time_column(frame, shape.time).values, examples.target);
}

std::vector<std::int64_t> example_groups(const Frame& frame, const SeriesShape& shape,
                                         const Examples& examples) {
  return take(group_numbers(frame, frame.column(shape.group)), examples.target);
}

std::vector<std::int64_t> example_classes(const Frame& frame, const Target& target,
                                          const Examples& examples) {
  std::vector<std::int64_t> classes;
  if (!target.has_classes()) return classes;
  const Matrix<double> y = target.encode(frame, examples.target);
  for (Index r = 0; r < y.rows(); ++r) classes.push_back(static_cast<std::int64_t>(y(r, 0)));
  return classes;
}

void keep_known(const Frame& frame, const SeriesShape& shape, const Examples& examples,
                std::vector<Index>& train, std::span<const Index> others) {
  if (shape.horizon == 0 || others.empty()) return;
  const std::vector<double> target = example_times(frame, shape, examples);
  const FrameColumn* const time = shape.time.empty() ? nullptr : &frame.column(shape.time);
  const auto asked = [&](Index k) {  // when the target of an example is to be predicted
    return time != nullptr ? time->values[to_size(examples.last[to_size(k)])]
                           : target[to_size(k)] - static_cast<double>(shape.horizon);
  };
  double first = asked(others.front());
  for (const Index k : others) first = std::min(first, asked(k));
  std::erase_if(train, [&](Index k) { return target[to_size(k)] > first; });
  check(!train.empty(),
        "{}: the table is too short for a horizon of {}: no target is known before the first that "
        "is held out",
        frame.file, shape.horizon);
}

Split split_examples(const Frame& frame, const SeriesShape& shape, const Examples& examples,
                     std::span<const Index> chosen, std::span<const std::int64_t> classes,
                     double fraction, std::uint64_t seed) {
  Split split;
  if (is_split_in_time(shape)) {
    split = time_split(take(example_times(frame, shape, examples), chosen), fraction);
  } else if (!shape.group.empty()) {
    split = group_split(take(example_groups(frame, shape, examples), chosen), fraction, seed);
  } else if (!classes.empty()) {
    split = class_split(take(classes, chosen), fraction, seed);
  } else {
    split = random_split(std::ssize(chosen), fraction, seed);
  }
  split.train = take(chosen, split.train);
  split.validation = take(chosen, split.validation);
  keep_known(frame, shape, examples, split.train, split.validation);
  return split;
}

std::vector<Index> rows_seen(const Examples& examples, std::span<const Index> chosen,
                             Index window) {
  std::vector<Index> rows;
  Index next = 0;  // rows before it are in
  for (const Index k : chosen) {
    const Index last = examples.last[to_size(k)];
    for (Index row = std::max(next, last - window + 1); row <= last; ++row) rows.push_back(row);
    next = std::max(next, last + 1);
  }
  return rows;
}

Matrix<float> gather_windows(const Matrix<float>& x, const Examples& examples,
                             std::span<const Index> chosen, Index window) {
  Matrix<float> gathered(std::ssize(chosen), window * x.cols());
  for (Index r = 0; r < gathered.rows(); ++r) {
    const Index last = examples.last[to_size(chosen[to_size(r)])];
    std::copy_n(x.row(last - window + 1), gathered.cols(), gathered.row(r));
  }
  return gathered;
}

}  // namespace probmix
