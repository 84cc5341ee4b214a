#include "probmix/model/target.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/number.hpp"
#include "probmix/data/scaling.hpp"

namespace probmix {
namespace {

// Which values are possible comes from the whole column, like its levels; how they are distributed
// from these rows alone.
ColumnFacts facts_of(const FrameColumn& column, std::span<const Index> rows) {
  if (column.kind == ColumnKind::category) return {.levels = column.levels};
  ColumnFacts facts;
  std::set<double> seen;
  column.values.for_each([&](double value) {
    if (std::isnan(value)) return;
    facts.low = seen.empty() ? value : std::min(facts.low, value);
    facts.high = seen.empty() ? value : std::max(facts.high, value);
    facts.whole = facts.whole && value == std::floor(value);
    if (seen.size() < ColumnFacts::most_distinct) seen.insert(value);
  });
  facts.distinct = seen.size();
  std::vector<double> values;
  for (const Index row : rows) {
    const double value = column.values[to_size(row)];
    if (!std::isnan(value)) values.push_back(value);
  }
  facts.count = values.size();
  double third = 0;
  for (const double value : values) {
    facts.mean += value / static_cast<double>(values.size());
    facts.zeros += value == 0 ? 1 : 0;
  }
  for (const double value : values) {
    const double d = value - facts.mean;
    facts.variance += d * d / static_cast<double>(values.size());
    third += d * d * d / static_cast<double>(values.size());
  }
  if (facts.variance > 0) facts.skewness = third / std::pow(facts.variance, 1.5);
  return facts;
}

// The names of a column's classes, sorted: levels alphabetically, numbers by value.
std::vector<std::string> classes_of(const FrameColumn& column, std::span<const Index> rows) {
  if (column.kind == ColumnKind::category) {
    std::set<std::string> found;
    for (const Index row : rows) found.insert(column.levels[to_size(column.codes[to_size(row)])]);
    return {found.begin(), found.end()};
  }
  std::map<double, std::string> numbers;
  for (const Index row : rows) {
    const auto [found, is_new] = numbers.try_emplace(column.values[to_size(row)]);
    if (is_new) found->second = value_text(column, row);
  }
  std::vector<std::string> classes;
  for (auto& [number, text] : numbers) classes.push_back(std::move(text));
  return classes;
}

// What is wrong with responses outside the family's support; empty if they are in it.
std::string support_fault(const Family& family, const double* y) {
  return std::visit(
      [&](const auto& f) -> std::string {
        if (f.in_support(y)) return "";
        return fmt::format("is outside the support of the {} family: {}", f.name, f.support_text());
      },
      family);
}

// Why a column is not numeric, as far as one can tell.
std::string no_numbers(const Frame& frame, const FrameColumn& column, std::string_view family) {
  const std::string name = in_quotes(column.name);
  return column.first_text.empty()
             ? fmt::format("{}: the target {} has no numbers, which the {} family needs",
                           frame.file, name, family)
             : fmt::format("the target {} has numbers or dates, except for {}; correct it", name,
                           column.first_text);
}

}  // namespace

FamilyProposal propose_family(const Frame& frame, const FrameColumn& column,
                              std::span<const Index> rows, bool needs_exponential) {
  const std::string name = in_quotes(column.name);
  if (column.kind == ColumnKind::date) {
    throw UsageError(
        fmt::format("{}: the target {} has dates; choose a column of numbers or "
                    "categories",
                    frame.file, name));
  }
  check(column.doubt.empty(),
        "{}: the target {} {}; if they are classes, name the column in `categories`", frame.file,
        name, column.doubt);
  check(column.kind != ColumnKind::category || column.first_text.empty(),
        "the target {} has numbers or dates, except for {}; correct it, or name the column in "
        "`categories`",
        name, column.first_text);
  const ColumnFacts facts = facts_of(column, rows);
  if (column.kind == ColumnKind::category) {
    const std::size_t levels = column.levels.size();
    check(levels >= 2, "{}: the target {} has only one value, {}; there is nothing to learn",
          frame.file, name, in_quotes(levels == 0 ? "" : column.levels.front()));
  } else {
    check(facts.count > 0, "{}: the target {} has no values", frame.file, name);
    check(facts.distinct > 1, "{}: the target {} has only one value, {}; there is nothing to learn",
          frame.file, name, facts.low);
  }
  FamilyProposal proposal = propose_family(facts, needs_exponential);
  for (std::string* const said : {&proposal.reason, &proposal.hint}) {
    if (!said->empty()) *said = fmt::format("{} {}", name, *said);
  }
  return proposal;
}

Target Target::learn(const Frame& frame, std::span<const std::string> names,
                     std::string_view family, FamilyOptions options, std::span<const Index> rows) {
  check_usage(!names.empty(), "a model needs a target");
  for (const std::string& name : names) {
    const FrameColumn& column = frame.column(name);
    check_usage(column.kind != ColumnKind::date,
                "{}: the target {} has dates; choose a column of numbers or categories", frame.file,
                in_quotes(name));
    for (const Index row : rows) {
      check(!column.is_missing(row), "{}: the target is missing", frame.where(row, column));
    }
  }
  Target target{.names = {names.begin(), names.end()}, .family = std::string(family)};
  options.responses = static_cast<int>(names.size());
  const bool classes = probmix::has_classes(make_family(family, options));
  if (classes) {
    target.classes = classes_of(frame.column(names.front()), rows);
    const std::size_t count = target.classes.size();
    check_usage(count >= fewest_classes && count <= most_classes,
                "the target {} has {} classes; it needs {} to {}", in_quotes(names.front()), count,
                fewest_classes, most_classes);
    options.classes = static_cast<int>(count);
  }
  target.options = options;
  const Family made = target.make();              // throws if options do not fit together
  if (target.is_censored()) target.likelihood();  // throws if it cannot be
  for (const std::string& name : Censoring(options).columns()) frame.column(name);
  const int taken = class_count(made);
  check_usage(taken == std::ssize(target.classes), "the {} family is for {} classes, but {} has {}",
              family, taken == 2 ? "two" : fmt::format("{}", taken), in_quotes(names.front()),
              target.classes.size());
  target.shift.assign(names.size(), 0.0);
  target.scale.assign(names.size(), 1.0);
  for (std::size_t k = 0; k < names.size() && !classes; ++k) {
    const FrameColumn& column = frame.column(names[k]);
    check(column.doubt.empty(), "{}: the target {} {}", frame.file, in_quotes(names[k]),
          column.doubt);
    check_usage(column.kind == ColumnKind::number, "{}", no_numbers(frame, column, family));
    Matrix<double> values(std::ssize(rows), 1);
    for (Index r = 0; r < values.rows(); ++r) {
      values(r, 0) = column.values[to_size(rows[to_size(r)])];
    }
    const Scaler scaler(values.view());
    check(
        !scaler.constant(0) || rows.size() < 2,
        "{}: the target {} is {:.10g} in all {} training rows; the density of a constant cannot be "
        "learned",
        frame.file, in_quotes(names[k]), scaler.mean(0), rows.size());
    const Scaling scaling = std::visit(
        [&](const auto& f) {
          return probmix::scaling(f, {scaler.mean(0), scaler.scale(0)});
        },
        made);
    check(scaling.fault.empty(), "{}: the target {} {}", frame.file, in_quotes(names[k]),
          scaling.fault);
    check(scaling.scale >= smallest_scale && scaling.scale <= largest_scale &&
              std::abs(scaling.shift) <= largest_shift,
          "{}: the target {} varies by {:.3g} around {:.3g}, too much or too little to compute "
          "with; use another unit",
          frame.file, in_quotes(names[k]), scaling.scale, scaling.shift);
    target.shift[k] = scaling.shift;
    target.scale[k] = scaling.scale;
  }
  return target;
}

Family Target::make() const {
  FamilyOptions with_unit = options;
  if (!scale.empty()) with_unit.unit = scale.front();
  return make_family(family, with_unit);
}

double Target::class_number(std::string_view text) const {
  auto found = std::ranges::find(classes, text);
  double number = 0;
  if (found == classes.end() && read_number(text, number).empty()) {
    found = std::ranges::find(classes, fmt::format("{}", number + 0.0));  // as value_text does
  }
  return found == classes.end() ? -1.0 : static_cast<double>(found - classes.begin());
}

std::vector<double> Target::encode_column(const Frame& frame, std::size_t k) const {
  const FrameColumn& column = frame.column(names[k]);
  check(has_classes() || column.kind == ColumnKind::number, "{}",
        no_numbers(frame, column, family));
  std::vector<double> encoded(to_size(frame.rows()));
  if (!has_classes()) {
    for (std::size_t r = 0; r < encoded.size(); ++r) {
      encoded[r] = (column.values[r] - shift[k]) / scale[k];
    }
    return encoded;
  }
  std::unordered_map<std::string, double> numbers;  // caches class_number()
  for (std::size_t r = 0; r < encoded.size(); ++r) {
    const std::string text = value_text(column, static_cast<Index>(r));
    const auto [found, is_new] = numbers.try_emplace(text, -1.0);
    if (is_new) found->second = class_number(text);
    encoded[r] = found->second;
  }
  return encoded;
}

Matrix<double> Target::encode(const Frame& frame, std::vector<Index>& rows,
                              TargetOddities& oddities) const {
  std::vector<std::vector<double>> encoded;
  std::vector<const FrameColumn*> columns;
  for (std::size_t k = 0; k < names.size(); ++k) {
    encoded.push_back(encode_column(frame, k));
    columns.push_back(&frame.column(names[k]));
  }
  const Family made = likelihood();
  const Censoring censoring(options);
  std::vector<double> y(is_censored() ? 2 : names.size());
  // What is wrong with a row's responses; empty if nothing.
  const auto fault_of = [&](Index row) -> std::string {
    for (std::size_t k = 0; k < names.size(); ++k) y[k] = encoded[k][to_size(row)];
    if (is_censored()) encode_interval(frame, censoring, row, y.data());
    if (!has_classes()) return support_fault(made, y.data());
    return y[0] >= 0 ? "" : fmt::format("is not one of {}", names_in_quotes(classes));
  };
  Matrix<double> judged(std::ssize(rows), std::ssize(y));
  Index count = 0;
  for (const Index row : std::vector<Index>(rows)) {
    const auto lacking = std::ranges::find_if(
        columns, [&](const FrameColumn* column) { return column->is_missing(row); });
    if (lacking != columns.end()) {
      if (++oddities.missing == 1) {
        oddities.first_missing =
            fmt::format("{}: the target is missing", frame.where(row, **lacking));
      }
      continue;
    }
    const std::string fault = fault_of(row);
    if (!fault.empty()) {
      const FrameColumn& column = *columns.front();
      if (++oddities.unknown == 1) {
        oddities.first_unknown =
            fmt::format("{}: {}{} {}", frame.where(row, column), has_classes() ? "the class " : "",
                        in_quotes(value_text(column, row)), fault);
      }
      continue;
    }
    std::ranges::copy(y, judged.row(count));
    rows[to_size(count++)] = row;
  }
  rows.resize(to_size(count));
  Matrix<double> kept(count, judged.cols());
  std::copy_n(judged.data(), count * judged.cols(), kept.data());
  return kept;
}

Matrix<double> Target::encode(const Frame& frame, std::span<const Index> rows) const {
  std::vector<Index> judged(rows.begin(), rows.end());
  TargetOddities oddities;
  Matrix<double> y = encode(frame, judged, oddities);
  check(oddities.missing == 0, "{}", oddities.first_missing);
  check(oddities.unknown == 0, "{}{}", oddities.first_unknown,
        has_classes() ? "" : "; choose another family");
  return y;
}

// Counts are whole: at least 2.5 is at least 3.
void Target::encode_interval(const Frame& frame, const Censoring& censoring, Index row,
                             double* known) const {
  Interval at = censoring.known(frame, row, frame.column(names.front()).values[to_size(row)]);
  const bool discrete = std::visit([](const auto& f) -> bool { return f.discrete; }, make());
  if (discrete && at.low < at.high) at = {std::ceil(at.low), std::floor(at.high)};
  known[0] = (at.low - shift.front()) / scale.front();
  known[1] = (at.high - shift.front()) / scale.front();
}

Index Target::observed(View<const double> y) const {
  Index count = 0;
  for (Index r = 0; r < y.rows; ++r) count += is_observed(y, r) ? 1 : 0;
  return count;
}

double Target::log_scale() const {
  double sum = 0;
  for (const double s : scale) sum += std::log(s);
  return sum;
}

std::vector<Index> complete_rows(const Frame& frame, std::span<const std::string> columns) {
  std::vector<const FrameColumn*> looked_at;
  for (const std::string& name : columns) looked_at.push_back(&frame.column(name));
  std::vector<Index> rows;
  for (Index row = 0; row < frame.rows(); ++row) {
    const bool complete = std::ranges::none_of(
        looked_at, [&](const FrameColumn* column) { return column->is_missing(row); });
    if (complete) rows.push_back(row);
  }
  return rows;
}

}  // namespace probmix
