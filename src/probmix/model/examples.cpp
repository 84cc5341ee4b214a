#include "probmix/model/examples.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"

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
  return column.kind == ColumnKind::date ? format_date(static_cast<std::int64_t>(time))
                                         : fmt::format("{}", time);
}

}  // namespace

Examples find_examples(const Frame& frame, const SeriesShape& shape,
                       std::span<const std::string> targets) {
  check_shape(shape);
  check_usage(shape.is_series() || shape.time.empty() || shape.group.empty(),
              "the rows of a table are split by time or by group, not by both");
  std::vector<std::int64_t> group;
  if (!shape.group.empty()) group = group_numbers(frame, frame.column(shape.group));
  const FrameColumn* const time = shape.time.empty() ? nullptr : &time_column(frame, shape.time);
  std::vector<bool> has_target(to_size(frame.rows()));
  for (const Index row : complete_rows(frame, targets)) has_target[to_size(row)] = true;

  Examples examples;
  Index first = 0;  // of the rows that belong together
  for (Index row = 0; row < frame.rows(); ++row) {
    if (shape.is_series() && row > 0) {
      if (!group.empty() && group[to_size(row)] != group[to_size(row - 1)]) first = row;
      if (time != nullptr && first < row &&
          time->values[to_size(row)] <= time->values[to_size(row - 1)]) {
        throw Error(fmt::format(
            "{}: {} does not come after {} of the row before; sort the rows of a series by time",
            frame.where(row, *time), time_text(*time, row), time_text(*time, row - 1)));
      }
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
        "of {} need",
        frame.file, frame.rows(), shape.window, shape.horizon);
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
