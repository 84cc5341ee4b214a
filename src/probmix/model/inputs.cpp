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
#include "probmix/data/plausible.hpp"
#include "probmix/data/scaling.hpp"

namespace probmix {
namespace {

constexpr double year_seconds = 365.2425 * day_seconds;
constexpr double week_seconds = 7.0 * day_seconds;

// The present values of a column in the given rows, as a matrix of one column.
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

// The 0.1 % and 99.9 % quantiles; the whole range where these are the same, as in a rare mark.
InputLimits quantile_limits(std::span<const double> values) {
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  const std::size_t outside = sorted.size() / 1000;
  const double low = sorted[outside], high = sorted[sorted.size() - 1 - outside];
  return low < high ? InputLimits{low, high} : InputLimits{sorted.front(), sorted.back()};
}

InputLimits wide_limits(const PlausibleRange& range) {
  constexpr double largest = std::numeric_limits<double>::max();
  const double reach = 3 * (range.high - range.low);
  return {std::max(range.low - reach, -largest), std::min(range.high + reach, largest)};
}

// The limits of a column of numbers or dates, and the scale of its values within them.
struct Learned {
  Scaler scaler;
  InputLimits limits;
};
Learned learn_scale(Matrix<double>& values, const InputOptions& options) {
  const std::span<double> all(values.data(), to_size(values.rows()));
  const PlausibleRange range = plausible_range(all);
  for (double& value : all) value = std::clamp(value, range.low, range.high);
  InputLimits limits = options.wide_limits ? wide_limits(range) : quantile_limits(all);
  const auto [least, most] = std::ranges::minmax(all);
  limits.least = least;
  limits.most = most;
  for (double& value : all) value = std::clamp(value, limits.low, limits.high);
  return {Scaler(values.view()), limits};
}

struct Scaled {
  float value;
  double beyond;  // the training range, in units of unit()

  bool is_extreme() const { return beyond >= 1; }
};
// Of a distance outside the training rows. Time goes on: a date is far away if it is as far from
// the training period as that was long.
double unit(const NumberInput& input) { return input.scale; }
double unit(const DateInput& input) {
  const double period = input.limits.most - input.limits.least;
  return period > 0 && std::isfinite(period) ? period : input.scale;
}

template <class Input>
Scaled scaled(const Input& input, double value) {
  const double within = std::clamp(value, input.limits.low, input.limits.high);
  double z = (within - input.mean) / input.scale;
  if (!std::isfinite(z)) z = within / input.scale - input.mean / input.scale;  // avoids overflow
  const double cut = std::clamp(z, -NumberInput::furthest, NumberInput::furthest);
  const double seen = std::clamp(value, input.limits.least, input.limits.most);
  const double beyond = std::abs(value / unit(input) - seen / unit(input));
  return {static_cast<float>(cut), beyond < NumberInput::furthest ? beyond : NumberInput::furthest};
}

// At most `bins` + 1 knots: a value that takes more than a bin's share of the rows is a knot of its
// own, and the quantiles of all others share what is left. None for fewer than three: a straight
// line through two values needs no knots.
std::vector<float> knots_of(std::vector<float> values, Index bins) {
  std::ranges::sort(values);
  std::vector<float> knots, others;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::upper_bound(first, values.end(), *first);
    if ((last - first) * bins > std::ssize(values)) {
      knots.push_back(*first);
    } else {
      others.insert(others.end(), first, last);
    }
    first = last;
  }
  const Index left = bins - std::ssize(knots);
  const Index end = std::ssize(others) - 1;
  for (Index k = 0; k <= left && end >= 0; ++k) {
    knots.push_back(others[to_size(left == 0 ? end : end * k / left)]);
  }
  std::ranges::sort(knots);
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  if (knots.size() < 3) knots.clear();
  return knots;
}

// Empty if the column does not vary.
std::optional<NumberInput> learn_number(const FrameColumn& column, std::span<const Index> rows,
                                        const InputOptions& options) {
  Matrix<double> values = present(column, rows);
  const bool some_missing = values.rows() < std::ssize(rows);
  if (values.rows() == 0) return {};
  const auto [scaler, limits] = learn_scale(values, options);
  const bool varies = !scaler.constant(0) && scaler.scale(0) >= NumberInput::smallest_scale;
  if (!varies && !some_missing) return {};
  NumberInput input{scaler.mean(0), varies ? scaler.scale(0) : 1, varies, some_missing, limits};
  if (varies && options.bins > 0) {
    std::vector<float> found;
    for (Index r = 0; r < values.rows(); ++r) found.push_back(scaled(input, values(r, 0)).value);
    input.knots = knots_of(std::move(found), options.bins);
  }
  return input;
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

// The phase in a cycle of this length, from 0 to 2π.
double angle(double seconds, double length) {
  return 2 * std::numbers::pi * (seconds / length - std::floor(seconds / length));
}

std::optional<DateInput> learn_date(const FrameColumn& column, std::span<const Index> rows,
                                    const InputOptions& options) {
  Matrix<double> values = present(column, rows);
  if (values.rows() == 0) return {};
  const auto [scaler, limits] = learn_scale(values, options);
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
                   .marks_missing = values.rows() < std::ssize(rows),
                   .limits = limits};
}

Index count(std::initializer_list<bool> flags) { return std::ranges::count(flags, true); }

Index width_of(const NumberInput& input) { return count({input.has_value, input.marks_missing}); }
Index width_of(const CategoryInput& input) {
  return std::ssize(input.levels) + count({input.has_other, input.has_missing});
}
Index width_of(const DateInput& input) {
  return 1 + 2 * count({input.year, input.week, input.day}) + count({input.marks_missing});
}

constexpr std::string_view missing_level;  // no level is empty, so this can mean missing

// One value to be encoded; counts its oddities.
struct Value {
  const Frame& frame;
  const FrameColumn& column;
  Index row;
  InputOddities& oddities;
  double* squares;  // gains the square of the row's distance in this column; may be null

  void add_distance(double distance) const {
    if (squares != nullptr) *squares += distance * distance;
  }
  double number() const { return column.values[to_size(row)]; }
  bool is_missing() const { return column.is_missing(row); }
  void count_missing() const { count(oddities.missing, oddities.first_missing); }
  void count_unseen() const { count(oddities.unseen, oddities.first_unseen); }
  void count_extreme() const { count(oddities.extreme, oddities.first_extreme); }

 private:
  void count(Index& counter, std::string& first) const {
    if (++counter > 1) return;
    first = frame.where(row, column);
    if (!is_missing()) first += ": " + in_quotes(value_text(column, row));
  }
};

template <class Input>
float* put_scaled(const Value& value, const Input& input, float* out) {
  const Scaled z = value.is_missing() ? Scaled{0, 0} : scaled(input, value.number());
  if (z.is_extreme()) value.count_extreme();
  value.add_distance(z.beyond);
  *out = z.value;
  return out + 1;
}

void mark_missing(const Value& value, bool is_marked, float* out) {
  if (is_marked) {
    *out = value.is_missing() ? 1 : 0;
  } else if (value.is_missing()) {
    value.count_missing();
    value.add_distance(1);
  }
}

void put(const NumberInput& input, const Value& value, float* out) {
  if (input.has_value) out = put_scaled(value, input, out);
  mark_missing(value, input.marks_missing, out);
}

void put(const DateInput& input, const Value& value, float* out) {
  out = put_scaled(value, input, out);
  const auto put_cycle = [&](bool is_used, double length) {
    if (!is_used) return;
    const double at = angle(value.number(), length);
    *out++ = value.is_missing() ? 0 : static_cast<float>(std::sin(at));
    *out++ = value.is_missing() ? 0 : static_cast<float>(std::cos(at));
  };
  put_cycle(input.year, year_seconds);
  put_cycle(input.week, week_seconds);
  put_cycle(input.day, day_seconds);
  mark_missing(value, input.marks_missing, out);
}

// Accepts another kind where the table cannot tell: all fields missing, or categories that are all
// numbers.
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
                     std::span<const Index> rows, const InputOptions& options) {
  std::vector<InputColumn> learned;
  const auto add = [&](const std::string& name, const auto& input) {
    if (input) learned.push_back({name, *input});
  };
  for (const std::string& name : columns) {
    const FrameColumn& column = frame.column(name);
    switch (column.kind) {
      case ColumnKind::number:
        add(name, learn_number(column, rows, options));
        break;
      case ColumnKind::date:
        add(name, learn_date(column, rows, options));
        break;
      case ColumnKind::category:
        add(name, learn_category(column, rows, options.most_levels));
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

std::vector<NumberKnots> Inputs::encoded() const {
  std::vector<NumberKnots> encoded;
  Index first = 0;
  for (const InputColumn& column : columns_) {
    const auto* const number = std::get_if<NumberInput>(&column.how);
    if (number != nullptr && !number->knots.empty()) encoded.push_back({first, number->knots});
    first += column.width();
  }
  return encoded;
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
  encode(frame, 0, x.view(), oddities);
  return x;
}

void Inputs::encode(const Frame& frame, Index first, View<float> out, InputOddities& oddities,
                    std::span<double> outside) const {
  std::ranges::fill(outside, 0.0);
  Index at = 0;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const FrameColumn& column = frame.column(columns_[c].name);
    check_kind(frame, column, columns_[c].kind());
    const auto each_value = [&](const auto& put_value) {
      for (Index r = 0; r < out.rows; ++r) {
        double* const squares = outside.empty() ? nullptr : &outside[to_size(r)];
        put_value(Value{frame, column, first + r, oddities, squares}, out.row(r) + at);
      }
    };
    if (const auto* const number = std::get_if<NumberInput>(&columns_[c].how)) {
      each_value([&](const Value& value, float* to) { put(*number, value, to); });
    } else if (const auto* const date = std::get_if<DateInput>(&columns_[c].how)) {
      each_value([&](const Value& value, float* to) { put(*date, value, to); });
    } else {
      std::vector<Index> places;  // of the table's levels
      for (const std::string& level : column.levels) places.push_back(place_of(c, level));
      each_value([&](const Value& value, float* to) {
        const bool has_code = column.kind == ColumnKind::category && !value.is_missing();
        const Index place = has_code ? places[to_size(column.codes[to_size(value.row)])]
                                     : place_of(c, value_text(column, value.row));
        std::fill_n(to, columns_[c].width(), 0.0F);
        if (place >= 0) {
          to[place] = 1;
        } else if (value.is_missing()) {
          value.count_missing();
          value.add_distance(1);
        } else {
          value.count_unseen();
          value.add_distance(1);
        }
      });
    }
    at += columns_[c].width();
  }
  for (double& row : outside) row = std::sqrt(row) / (1 + std::sqrt(row));
}

}  // namespace probmix
