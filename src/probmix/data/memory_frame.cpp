#include "probmix/data/memory_frame.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/column_builder.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"

namespace probmix {
namespace {

FrameColumn column_of(std::string name, ColumnKind kind, Numbers values) {
  FrameColumn column{.name = std::move(name), .kind = kind, .values = std::move(values)};
  for (std::size_t row = 0; row < column.values.size(); ++row) {
    const double value = column.values[row];
    check(!std::isinf(value), "column {} has an infinite value in row {}", in_quotes(column.name),
          row);
    column.missing += std::isnan(value) ? 1 : 0;
  }
  return column;
}

// The place of each level among the distinct levels that occur, sorted; −1 for the others.
std::vector<std::int32_t> sort_levels(std::vector<std::string>& levels,
                                      const std::vector<bool>& occurs) {
  std::vector<std::string> sorted;
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (occurs[k] && !levels[k].empty()) sorted.push_back(levels[k]);
  }
  std::ranges::sort(sorted);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::int32_t> place(levels.size(), -1);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    if (!occurs[k] || levels[k].empty()) continue;
    const auto at = std::ranges::lower_bound(sorted, levels[k]);
    place[k] = static_cast<std::int32_t>(at - sorted.begin());
  }
  levels = std::move(sorted);
  return place;
}

FrameColumn dates_of(const FrameColumn& column) {
  std::vector<double> seconds;
  for (const std::int32_t code : column.codes) {
    seconds.push_back(code < 0 ? std::numeric_limits<double>::quiet_NaN()
                               : parse_instant(column.levels[to_size(code)]).value_or(0));
  }
  return date_column(column.name, std::move(seconds));
}

}  // namespace

FrameColumn number_column(std::string name, Numbers values) {
  return column_of(std::move(name), ColumnKind::number, std::move(values));
}

FrameColumn date_column(std::string name, Numbers seconds) {
  return column_of(std::move(name), ColumnKind::date, std::move(seconds));
}

FrameColumn category_column(std::string name, std::vector<std::int32_t> codes,
                            std::vector<std::string> levels) {
  FrameColumn column{.name = std::move(name), .kind = ColumnKind::category};
  std::vector<bool> occurs(levels.size());
  for (std::size_t row = 0; row < codes.size(); ++row) {
    check(codes[row] >= -1 && codes[row] < std::ssize(levels),
          "column {}, row {}: {} is not the position of one of {} levels", in_quotes(column.name),
          row, codes[row], levels.size());
    if (codes[row] >= 0) occurs[to_size(codes[row])] = true;
  }
  const std::vector<std::int32_t> place = sort_levels(levels, occurs);
  for (std::int32_t& code : codes) {
    if (code >= 0) code = place[to_size(code)];
    column.missing += code < 0 ? 1 : 0;
  }
  column.codes = std::move(codes);
  column.levels = std::move(levels);
  return column;
}

FrameColumn text_column(std::string name, std::vector<std::int32_t> codes,
                        std::vector<std::string> levels) {
  FrameColumn column = category_column(std::move(name), std::move(codes), std::move(levels));
  const bool has_dates = !column.levels.empty() && std::ranges::all_of(column.levels, is_date);
  return has_dates ? dates_of(column) : column;
}

Frame memory_frame(std::vector<FrameColumn> columns, std::string name) {
  Frame frame{.file = std::move(name), .columns = std::move(columns), .line = {}};
  const auto length = [](const FrameColumn& column) {
    return column.kind == ColumnKind::category ? column.codes.size() : column.values.size();
  };
  check(!frame.columns.empty() && length(frame.columns.front()) > 0,
        "{} needs a column and a row", frame.file);
  frame.unnumbered = static_cast<Index>(length(frame.columns.front()));
  for (const FrameColumn& column : frame.columns) {
    check(static_cast<Index>(length(column)) == frame.rows(),
          "column {} has {} rows, but {} has {}", in_quotes(column.name), length(column),
          in_quotes(frame.columns.front().name), frame.rows());
    check(std::ranges::count(frame.columns, column.name, &FrameColumn::name) == 1,
          "two columns are named {}", in_quotes(column.name));
  }
  return frame;
}

Frame stacked(const Frame& top, const Frame& bottom) {
  check(top.columns.size() == bottom.columns.size(), "{} has {} columns, but {} has {}", top.file,
        top.columns.size(), bottom.file, bottom.columns.size());
  std::vector<FrameColumn> columns;
  for (const FrameColumn& column : top.columns) {
    const FrameColumn& below = bottom.column(column.name);
    const auto name_of = [](ColumnKind kind) {
      return column_kind_names[static_cast<std::size_t>(kind)];
    };
    check(column.kind == below.kind, "column {} is a {} column in {}, but a {} column in {}",
          in_quotes(column.name), name_of(column.kind), top.file, name_of(below.kind), bottom.file);
    ColumnBuilder builder(column.name, column.kind);
    for (Index row = 0; row < top.rows(); ++row) builder.add_row(column, row);
    for (Index row = 0; row < bottom.rows(); ++row) builder.add_row(below, row);
    columns.push_back(builder.take());
  }
  return memory_frame(std::move(columns), top.file);
}

}  // namespace probmix
