#include "probmix/model/inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numbers>
#include <optional>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/date.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/number.hpp"
#include "probmix/data/scaling.hpp"

namespace probmix {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double year_seconds = 365.2425 * day_seconds;
constexpr double week_seconds = 7.0 * day_seconds;

// The values of a column on some rows that are not missing, as a matrix of one column.
Matrix<double> present(const FrameColumn& column, std::span<const Index> rows) {
  std::vector<double> found;
  for (const Index row : rows) {
    const double value = column.values[to_size(row)];
    if (!std::isnan(value)) found.push_back(value);
  }
  Matrix<double> matrix(std::ssize(found), 1);
  std::ranges::copy(found, matrix.data());
  return matrix;
}

// Nothing if the column does not vary.
std::optional<NumberInput> learn_number(const FrameColumn& column, std::span<const Index> rows) {
  const Matrix<double> values = present(column, rows);
  const bool some_missing = values.rows() < std::ssize(rows);
  if (values.rows() == 0) return {};
  const Scaler scaler(values.view());
  const bool varies = !scaler.constant(0);
  if (!varies && !some_missing) return {};
  return NumberInput{scaler.mean(0), scaler.scale(0), varies, some_missing};
}

std::optional<CategoryInput> learn_category(const FrameColumn& column, std::span<const Index> rows,
                                            Index most_levels) {
  std::vector<Index> count(column.levels.size());
  CategoryInput input;
  for (const Index row : rows) {
    const std::int32_t code = column.codes[to_size(row)];
    if (code < 0) {
      input.has_missing = true;
    } else {
      ++count[to_size(code)];
    }
  }
  std::vector<std::size_t> order;  // the levels that occur, the most frequent first
  for (std::size_t k = 0; k < count.size(); ++k) {
    if (count[k] > 0) order.push_back(k);
  }
  std::ranges::stable_sort(order, std::greater(), [&](std::size_t k) { return count[k]; });
  const std::size_t kept = std::min(order.size(), to_size(most_levels));
  input.has_other = kept < order.size();
  for (std::size_t k = 0; k < kept; ++k) input.levels.push_back(column.levels[order[k]]);
  std::ranges::sort(input.levels);
  const bool varies = order.size() + (input.has_missing ? 1 : 0) > 1;
  return varies ? std::optional(input) : std::nullopt;
}

// Where in a cycle of this length, from 0 to 2π.
double angle(double seconds, double length) {
  return 2 * std::numbers::pi * (seconds / length - std::floor(seconds / length));
}

std::optional<DateInput> learn_date(const FrameColumn& column, std::span<const Index> rows) {
  const Matrix<double> values = present(column, rows);
  if (values.rows() == 0) return {};
  const Scaler scaler(values.view());
  if (scaler.constant(0)) return {};
  const double* const first = values.data();
  const double* const last = first + values.rows();
  const double span = *std::max_element(first, last) - *std::min_element(first, last);
  const auto varies = [&](double length) {
    return std::any_of(first, last, [&](double seconds) {
      return std::abs(angle(seconds, length) - angle(*first, length)) > 1e-6;
    });
  };
  return DateInput{.mean = scaler.mean(0),
                   .scale = scaler.scale(0),
                   .year = span > year_seconds / 4,
                   .week = varies(week_seconds) && span > week_seconds / 2,
                   .day = varies(day_seconds),
                   .marks_missing = values.rows() < std::ssize(rows)};
}

Index count(std::initializer_list<bool> flags) { return std::ranges::count(flags, true); }

Index width_of(const NumberInput& input) { return count({input.has_value, input.marks_missing}); }
Index width_of(const CategoryInput& input) {
  return std::ssize(input.levels) + count({input.has_other, input.has_missing});
}
Index width_of(const DateInput& input) {
  return 1 + 2 * count({input.year, input.week, input.day}) + count({input.marks_missing});
}

// Further from the mean than this many deviations a number says nothing but "far off".
constexpr double furthest = 1e6;

struct Scaled {
  float value;
  bool is_extreme;
};
Scaled scaled(double value, double mean, double scale) {
  double z = (value - mean) / scale;
  if (!std::isfinite(z)) z = value / scale - mean / scale;  // the difference is too large a number
  const double cut = std::clamp(z, -furthest, furthest);
  return {static_cast<float>(cut), cut != z};
}

constexpr std::string_view missing_level = "";  // no level is empty: that is missing

// The text of a category, also of one that was read as a number because all in its column were.
std::string_view level_of(const FrameColumn& column, Index row, std::string& scratch) {
  if (column.is_missing(row)) return missing_level;
  if (column.kind == ColumnKind::category) {
    return column.levels[to_size(column.codes[to_size(row)])];
  }
  scratch = fmt::format("{}", column.values[to_size(row)]);
  return scratch;
}

// Of columns whose fields are all missing, or categories that are all numbers, the kind cannot be
// told from the table.
void check_kind(const Frame& frame, const FrameColumn& column, ColumnKind expected) {
  const bool is_number = column.kind == ColumnKind::number;
  if (column.kind == expected || (is_number && expected == ColumnKind::category) ||
      (is_number && column.missing == frame.rows())) {
    return;
  }
  throw Error(fmt::format("{}: column {} is a {} column, but in training it was a {} column{}",
                          frame.file, in_quotes(column.name),
                          column_kind_names[static_cast<std::size_t>(column.kind)],
                          column_kind_names[static_cast<std::size_t>(expected)],
                          column.first_text.empty() ? "" : "; see " + column.first_text));
}

}  // namespace

Index InputColumn::width() const {
  return std::visit([](const auto& input) { return width_of(input); }, how);
}

Inputs Inputs::learn(const Frame& frame, std::span<const std::string> columns,
                     std::span<const Index> rows, Index most_levels) {
  std::vector<InputColumn> learned;
  const auto add = [&](const std::string& name, const auto& input) {
    if (input) learned.push_back({name, *input});
  };
  for (const std::string& name : columns) {
    const FrameColumn& column = frame.column(name);
    switch (column.kind) {
      case ColumnKind::number:
        add(name, learn_number(column, rows));
        break;
      case ColumnKind::date:
        add(name, learn_date(column, rows));
        break;
      case ColumnKind::category:
        add(name, learn_category(column, rows, most_levels));
        break;
    }
  }
  check(!learned.empty(),
        "{}: no column varies over the training rows, so there is nothing to "
        "predict from",
        frame.file);
  return Inputs(std::move(learned));
}

Inputs::Inputs(std::vector<InputColumn> columns)
    : columns_(std::move(columns)), places_(columns_.size()) {
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    width_ += columns_[c].width();
    const auto* const input = std::get_if<CategoryInput>(&columns_[c].how);
    if (input == nullptr) continue;
    Index place = 0;
    for (const std::string& level : input->levels) places_[c].emplace(level, place++);
    if (input->has_missing) places_[c].emplace(missing_level, width_of(*input) - 1);
  }
}

Index Inputs::place_of(std::size_t column, std::string_view level) const {
  const auto found = places_[column].find(level);
  if (found != places_[column].end()) return found->second;
  const auto& input = std::get<CategoryInput>(columns_[column].how);
  return input.has_other && level != missing_level ? std::ssize(input.levels) : -1;
}

template <class Where>
void Inputs::put_level(std::size_t column, std::string_view level, const Where& where, float* out,
                       InputOddities& oddities) const {
  const Index place = place_of(column, level);
  std::fill_n(out, columns_[column].width(), 0.0F);
  if (place >= 0) {
    out[place] = 1;
  } else if (level == missing_level) {
    if (++oddities.missing == 1) oddities.first_missing = where();
  } else if (++oddities.unseen == 1) {
    oddities.first_unseen = where();
  }
}

template <class Where>
void Inputs::put(std::size_t column, double value, const Where& where, float* out,
                 InputOddities& oddities) const {
  const bool missing = std::isnan(value);
  const auto mark = [&](bool marks_missing) {
    if (marks_missing) {
      *out++ = missing ? 1 : 0;
    } else if (missing && ++oddities.missing == 1) {
      oddities.first_missing = where();
    }
  };
  const auto put_scaled = [&](double mean, double scale) {
    const Scaled z = missing ? Scaled{0, false} : scaled(value, mean, scale);
    if (z.is_extreme && ++oddities.extreme == 1) oddities.first_extreme = where();
    *out++ = z.value;
  };
  if (const auto* const number = std::get_if<NumberInput>(&columns_[column].how)) {
    if (number->has_value) put_scaled(number->mean, number->scale);
    mark(number->marks_missing);
    return;
  }
  const auto& date = std::get<DateInput>(columns_[column].how);
  put_scaled(date.mean, date.scale);
  const auto put_cycle = [&](bool is_used, double length) {
    if (!is_used) return;
    *out++ = missing ? 0 : static_cast<float>(std::sin(angle(value, length)));
    *out++ = missing ? 0 : static_cast<float>(std::cos(angle(value, length)));
  };
  put_cycle(date.year, year_seconds);
  put_cycle(date.week, week_seconds);
  put_cycle(date.day, day_seconds);
  mark(date.marks_missing);
}

std::vector<std::string> Inputs::names() const {
  std::vector<std::string> names;
  for (const InputColumn& column : columns_) {
    const auto add = [&](std::string_view what) {
      names.push_back(fmt::format("{}{}", column.name, what));
    };
    if (const auto* const number = std::get_if<NumberInput>(&column.how)) {
      if (number->has_value) add("");
      if (number->marks_missing) add(" is missing");
    } else if (const auto* const date = std::get_if<DateInput>(&column.how)) {
      add("");
      const auto cycle = [&](bool is_used, const char* what) {
        if (!is_used) return;
        add(fmt::format(", sine of the {}", what));
        add(fmt::format(", cosine of the {}", what));
      };
      cycle(date->year, "year");
      cycle(date->week, "week");
      cycle(date->day, "day");
      if (date->marks_missing) add(" is missing");
    } else {
      const auto& category = std::get<CategoryInput>(column.how);
      for (const std::string& level : category.levels) add(" = " + level);
      if (category.has_other) add(" is another");
      if (category.has_missing) add(" is missing");
    }
  }
  return names;
}

Matrix<float> Inputs::encode(const Frame& frame, InputOddities& oddities) const {
  Matrix<float> x(frame.rows(), width_);
  Index first = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const FrameColumn& column = frame.column(columns_[c].name);
    const ColumnKind expected = columns_[c].kind();
    check_kind(frame, column, expected);
    const bool has_levels = expected == ColumnKind::category;
    std::string scratch;
    for (Index r = 0; r < frame.rows(); ++r) {
      float* const out = x.row(r) + first;
      const std::string_view level = has_levels ? level_of(column, r, scratch) : missing_level;
      const auto where = [&] {
        return fmt::format(
            "{}: {}", frame.where(r, column),
            in_quotes(has_levels ? level : fmt::format("{}", column.values[to_size(r)])));
      };
      if (has_levels) {
        put_level(c, level, where, out, oddities);
      } else {
        put(c, column.values[to_size(r)], where, out, oddities);
      }
    }
    first += columns_[c].width();
  }
  return x;
}

void Inputs::encode(std::span<const std::string_view> fields, const Place& where, float* out,
                    InputOddities& oddities) const {
  check(fields.size() == columns_.size(), "{} fields for {} columns", fields.size(),
        columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const std::string_view field = fields[c];
    const bool missing = is_missing(field);
    const auto place = [&] {
      return fmt::format("{}: {}", where(static_cast<Index>(c)), in_quotes(field));
    };
    switch (columns_[c].kind()) {
      case ColumnKind::number: {
        double value = nan;
        const std::string_view fault = missing ? "" : read_number(field, value);
        if (!fault.empty()) throw Error(fmt::format("{} {}", place(), fault));
        put(c, value, place, out, oddities);
        break;
      }
      case ColumnKind::date: {
        const auto seconds = parse_instant(without_blanks(field));
        if (!missing && !seconds) {
          throw Error(fmt::format("{} is not a date; write {}", place(), date_forms));
        }
        put(c, seconds.value_or(nan), place, out, oddities);
        break;
      }
      case ColumnKind::category:
        put_level(c, missing ? missing_level : without_blanks(field), place, out, oddities);
    }
    out += columns_[c].width();
  }
}

}  // namespace probmix
