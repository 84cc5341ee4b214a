#include "probmix/model/examples.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/gaps.hpp"

namespace probmix {
namespace {

// A number for each row that identifies its group; −1: missing.
std::vector<std::int64_t> group_numbers(const Frame& frame, const FrameColumn& column) {
  std::vector<std::int64_t> numbers(to_size(frame.rows()));
  for (std::size_t r = 0; r < numbers.size(); ++r) {
    if (column.kind == ColumnKind::category) {
      numbers[r] = column.codes[r];
    } else {
      const double value = column.values[r];
      check(std::isnan(value) || (value == std::floor(value) && std::abs(value) < 1e15),
            "{}: {} cannot name a group; give a column of categories or whole numbers",
            frame.where(static_cast<Index>(r), column), value);
      numbers[r] = std::isnan(value) ? std::int64_t{-1} : 2 * static_cast<std::int64_t>(value);
    }
  }
  return numbers;
}

const FrameColumn& time_column(const Frame& frame, const std::string& name) {
  const FrameColumn& column = frame.column(name);
  check_usage(column.kind != ColumnKind::category,
              "{}: column {} has categories, which have no order in time; give a column of dates "
              "({}) or numbers{}",
              frame.file, in_quotes(name), date_forms,
              column.first_text.empty() ? "" : "; see " + column.first_text);
  check(column.missing == 0, "{}: column {} is missing in {} of {} rows; every row needs a time",
        frame.file, in_quotes(name), column.missing, frame.rows());
  return column;
}

struct SeriesGaps {
  std::vector<bool> is_before;  // for each row: whether a gap precedes it
  std::string text = {};        // a remark for the user; empty: no gaps
};

SeriesGaps find_series_gaps(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                            std::span<const std::int64_t> group) {
  SeriesGaps gaps{.is_before = std::vector<bool>(to_size(frame.rows()), false)};
  if (!shape.is_series() || shape.time.empty() || rules.gaps == GapRule::ignore) return gaps;
  const FrameColumn& time = time_column(frame, shape.time);
  if (time.kind != ColumnKind::date) return gaps;
  const auto length = [&](Index row) {
    return time.values[to_size(row)] - time.values[to_size(row - 1)];
  };
  Index count = 0, longest = -1;
  for (Index first = 0, end = 0; first < frame.rows(); first = end) {
    end = group.empty() ? frame.rows() : first;
    while (end < frame.rows() && group[to_size(end)] == group[to_size(first)]) ++end;
    std::vector<std::int64_t> seconds;
    for (Index row = first; row < end; ++row) {
      seconds.push_back(std::llround(std::floor(time.values[to_size(row)])));
    }
    if (rules.gaps == GapRule::refuse) {
      const std::string fault = gap_fault(seconds, rules.max_gap_days);
      check(fault.empty(), "{}: {}", frame.file, fault);
      continue;
    }
    for (const Index k : rows_after_gaps(seconds, rules.max_gap_days)) {
      const Index row = first + k;
      gaps.is_before[to_size(row)] = true;
      ++count;
      if (longest < 0 || length(row) > length(longest)) longest = row;
    }
  }
  if (count == 0) return gaps;
  gaps.text = fmt::format(
      "{} between {} and {} ({}); no window reaches across; if rows are missing, fill them in",
      count == 1 ? fmt::format("{} has a gap", in_quotes(shape.time))
                 : fmt::format("{} has {} gaps, the longest", in_quotes(shape.time), count),
      value_text(time, longest - 1), value_text(time, longest), frame.place(longest));
  return gaps;
}

}  // namespace

void check_order(const Frame& frame, const SeriesShape& shape, std::string_view remedy) {
  if (!shape.is_series() || shape.time.empty()) return;
  std::vector<std::int64_t> group;
  if (!shape.group.empty()) group = group_numbers(frame, frame.column(shape.group));
  const FrameColumn& time = time_column(frame, shape.time);
  for (Index row = 1; row < frame.rows(); ++row) {
    if (!group.empty() && group[to_size(row)] != group[to_size(row - 1)]) continue;
    if (time.values[to_size(row)] > time.values[to_size(row - 1)]) continue;
    throw Error(fmt::format(
        "{}: {} is not later than {} in the row before ({}); {}, and keep one row per time",
        frame.where(row, time), value_text(time, row), value_text(time, row - 1),
        frame.place(row - 1), remedy));
  }
}

Examples examples_in(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                     std::span<const std::string> targets) {
  std::vector<std::int64_t> group;
  if (shape.is_series() && !shape.group.empty()) {
    group = group_numbers(frame, frame.column(shape.group));
  }
  std::vector<bool> has_target(to_size(frame.rows()));
  for (const Index row : complete_rows(frame, targets)) has_target[to_size(row)] = true;
  const SeriesGaps gaps = find_series_gaps(frame, shape, rules, group);

  Examples examples{.without_target = std::ranges::count(has_target, false), .gaps = gaps.text};
  Index first = 0;  // row of the current group, after the last gap
  for (Index row = 0; row < frame.rows(); ++row) {
    if (shape.is_series() && row > 0) {
      const bool is_new_group = !group.empty() && group[to_size(row)] != group[to_size(row - 1)];
      if (is_new_group || gaps.is_before[to_size(row)]) first = row;
    }
    const Index last = row - shape.horizon;
    if (last - shape.window + 1 < first || !has_target[to_size(row)]) continue;
    examples.last.push_back(last);
    examples.target.push_back(row);
    examples.place.push_back(row - first);
  }
  return examples;
}

Examples find_examples(const Frame& frame, const SeriesShape& shape, const SeriesRules& rules,
                       std::span<const std::string> targets) {
  check_order(frame, shape, "sort the rows of a series by time (`sort`)");
  Examples examples = examples_in(frame, shape, rules, targets);
  check(examples.count() > 0 || shape.is_series(), "{}: none of the {} rows has a target",
        frame.file, frame.rows());
  check(
      examples.count() > 0,
      "{}: none of the {} rows has both a target and the rows before it that a window of {} and a "
      "horizon of {} need; shorten `window` or `horizon`{}",
      frame.file, frame.rows(), shape.window, shape.horizon,
      examples.gaps.empty() ? "" : "; " + examples.gaps);
  return examples;
}

ExampleTimes times_of(const Frame& frame, const SeriesShape& shape, const Examples& examples) {
  ExampleTimes times;
  const FrameColumn* const time = shape.time.empty() ? nullptr : &time_column(frame, shape.time);
  for (Index k = 0; k < examples.count(); ++k) {
    const Index target = examples.target[to_size(k)];
    const Index last = examples.last[to_size(k)];
    const auto at = [&](Index row) {
      return time != nullptr ? time->values[to_size(row)]
                             : static_cast<double>(examples.place[to_size(k)] - (target - row));
    };
    times.first.push_back(at(last - shape.window + 1));
    times.asked.push_back(at(last));
    times.target.push_back(at(target));
  }
  return times;
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

Split split_at(const Boundary& boundary, const ExampleTimes& times, std::span<const Index> chosen) {
  const auto at = [](const std::vector<double>& list, Index k) { return list[to_size(k)]; };
  Split split;
  for (const Index k : chosen) {
    (at(times.target, k) < boundary.time ? split.train : split.validation).push_back(k);
  }
  if (split.validation.empty()) return split;
  if (boundary.straddling == Straddling::drop) {
    std::erase_if(split.validation, [&](Index k) { return at(times.first, k) < boundary.time; });
    check(!split.validation.empty(),
          "{}: no window lies entirely within the {} period; make it longer (`{}`), shorten "
          "`window` or "
          "`horizon`, or keep the windows that begin before it (`straddling` keep)",
          boundary.file, boundary.part, boundary.part);
  }
  if (boundary.straddling == Straddling::known) {
    double first = at(times.asked, split.validation.front());
    for (const Index k : split.validation) first = std::min(first, at(times.asked, k));
    std::erase_if(split.train, [&](Index k) { return at(times.target, k) > first; });
  }
  check(!split.train.empty(),
        "{}: nothing is left to train on: no target is known before the {} period begins; "
        "shorten it (`{}`), `window` or `horizon`",
        boundary.file, boundary.part, boundary.part);
  return split;
}

Split split_examples(const Frame& frame, const FitOptions& options, const Examples& examples,
                     std::span<const Index> chosen, std::span<const std::int64_t> classes,
                     std::uint64_t seed) {
  const SeriesShape& shape = options.series;
  const double fraction = options.validation;
  Split split;
  if (resolved(options).validation_rows == ValidationRows::last && fraction > 0) {
    const ExampleTimes times = times_of(frame, shape, examples);
    const std::vector<double> target = take(times.target, chosen);
    double boundary = std::numeric_limits<double>::infinity();
    for (const Index k : time_split(target, fraction).validation) {
      boundary = std::min(boundary, target[to_size(k)]);
    }
    return split_at({boundary, options.rules.straddling, frame.file, "validation"}, times, chosen);
  }
  if (!shape.is_series() && !shape.group.empty()) {
    split = group_split(take(example_groups(frame, shape, examples), chosen), fraction, seed);
  } else if (!classes.empty()) {
    split = class_split(take(classes, chosen), fraction, seed);
  } else {
    split = random_split(std::ssize(chosen), fraction, seed);
  }
  split.train = take(chosen, split.train);
  split.validation = take(chosen, split.validation);
  return split;
}

std::vector<Index> rows_seen(const Examples& examples, std::span<const Index> chosen,
                             Index window) {
  std::vector<Index> ends = take(examples.last, chosen);
  if (window == 1) return ends;
  std::ranges::sort(ends);
  std::vector<Index> rows;
  Index next = 0;  // all needed rows before this one are in `rows`
  for (const Index last : ends) {
    for (Index row = std::max(next, last - window + 1); row <= last; ++row) rows.push_back(row);
    next = std::max(next, last + 1);
  }
  return rows;
}

Matrix<float> gather_windows(const Matrix<float>& x, std::span<const Index> last, Index window) {
  Matrix<float> gathered(std::ssize(last), window * x.cols());
  for (Index r = 0; r < gathered.rows(); ++r) {
    std::copy_n(x.row(last[to_size(r)] - window + 1), gathered.cols(), gathered.row(r));
  }
  return gathered;
}

}  // namespace probmix
