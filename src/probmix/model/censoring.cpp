#include "probmix/model/censoring.hpp"

#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/number.hpp"

namespace probmix {

Censoring::Bound::Bound(const std::string& text) {
  double value = 0;
  if (read_number(text, value).empty()) {
    number = value;
  } else {
    column = text;
  }
}

double Censoring::Bound::at(const Frame& frame, Index row) const {
  if (column.empty()) return number.value_or(std::numeric_limits<double>::quiet_NaN());
  const FrameColumn& bounds = frame.column(column);
  check_usage(bounds.kind == ColumnKind::number,
              "{}: column {} cannot hold the bounds of censored targets: it has no numbers",
              frame.file, in_quotes(column));
  return bounds.values[to_size(row)];
}

Censoring::Censoring(const FamilyOptions& options)
    : below_(options.censored_below), above_(options.censored_above) {
  if (!below_.number || !above_.number) return;
  check_usage(*below_.number < *above_.number,
              "`censored-below` {} must be less than `censored-above` {}", *below_.number,
              *above_.number);
}

std::vector<std::string> Censoring::columns() const {
  std::vector<std::string> names;
  for (const Bound* const bound : {&below_, &above_}) {
    if (!bound->column.empty()) names.push_back(bound->column);
  }
  return names;
}

Interval Censoring::known(const Frame& frame, Index row, double value) const {
  const double below = below_.at(frame, row);
  const double above = above_.at(frame, row);
  const bool is_below = value <= below;  // false for NaN
  const bool is_above = value >= above;
  if (!is_below && !is_above) return {value, value};
  Interval interval;
  if (is_below) interval.high = below;
  if (is_above) interval.low = above;
  return interval;
}

}  // namespace probmix
