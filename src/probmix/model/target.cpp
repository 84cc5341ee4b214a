#include "probmix/model/target.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/data/field.hpp"
#include "probmix/data/number.hpp"
#include "probmix/data/scaling.hpp"

namespace probmix {
namespace {

ColumnFacts facts_of(const FrameColumn& column) {
  if (column.kind == ColumnKind::category) return {.levels = column.levels};
  std::vector<double> values;
  for (const double value : column.values) {
    if (!std::isnan(value)) values.push_back(value);
  }
  ColumnFacts facts{.count = values.size()};
  if (values.empty()) return facts;
  std::set<double> seen;
  for (const double value : values) {
    facts.mean += value / static_cast<double>(values.size());
    facts.whole = facts.whole && value == std::floor(value);
    if (seen.size() < ColumnFacts::most_distinct) seen.insert(value);
  }
  facts.distinct = seen.size();
  const auto [low, high] = std::ranges::minmax(values);
  facts.low = low;
  facts.high = high;
  double third = 0;
  for (const double value : values) {
    const double d = value - facts.mean;
    facts.variance += d * d / static_cast<double>(values.size());
    third += d * d * d / static_cast<double>(values.size());
  }
  if (facts.variance > 0) facts.skewness = third / std::pow(facts.variance, 1.5);
  return facts;
}

// A number as a class: 0 for −0 too.
std::string number_text(double number) { return fmt::format("{}", number + 0.0); }

// The texts of a column's classes, sorted: levels, or numbers in their order.
std::vector<std::string> classes_of(const FrameColumn& column, std::span<const Index> rows) {
  if (column.kind == ColumnKind::category) {
    std::set<std::string> found;
    for (const Index row : rows) found.insert(column.levels[to_size(column.codes[to_size(row)])]);
    return {found.begin(), found.end()};
  }
  std::set<double> numbers;
  for (const Index row : rows) numbers.insert(column.values[to_size(row)]);
  std::vector<std::string> classes;
  for (const double number : numbers) classes.push_back(number_text(number));
  return classes;
}

std::string text_of(const FrameColumn& column, Index row) {
  return column.kind == ColumnKind::category ? column.levels[to_size(column.codes[to_size(row)])]
                                             : number_text(column.values[to_size(row)]);
}

std::string class_fault(const std::string& where, std::string_view text,
                        const std::vector<std::string>& classes) {
  return fmt::format("{}: the class {} is not one of {}", where, in_quotes(text),
                     names_in_quotes(classes));
}

// What is wrong with responses that the family does not know; empty if it does.
std::string support_fault(const Family& family, const double* y) {
  return std::visit(
      [&](const auto& f) -> std::string {
        if (f.in_support(y)) return "";
        return fmt::format("is not among what the {} family knows: {}", f.name, f.support_text());
      },
      family);
}

// Why a column has no numbers, as far as one can tell.
std::string no_numbers(const Frame& frame, const FrameColumn& column, std::string_view family) {
  const std::string name = in_quotes(column.name);
  return column.first_text.empty()
             ? fmt::format("{}: the target {} has no numbers, as the {} family needs", frame.file,
                           name, family)
             : fmt::format("the target {} has numbers or dates, but also {}; mend it", name,
                           column.first_text);
}

}  // namespace

FamilyProposal propose_family(const Frame& frame, const FrameColumn& column) {
  const std::string name = in_quotes(column.name);
  if (column.kind == ColumnKind::date) {
    throw UsageError(
        fmt::format("{}: the target {} has dates; choose a column of numbers or "
                    "categories",
                    frame.file, name));
  }
  check(column.doubt.empty(),
        "{}: the target {} {}; if they are classes, name the column in --categories", frame.file,
        name, column.doubt);
  check(column.kind != ColumnKind::category || column.first_text.empty(),
        "the target {} has numbers or dates, but also {}; mend it, or name the column in "
        "--categories",
        name, column.first_text);
  const ColumnFacts facts = facts_of(column);
  if (column.kind == ColumnKind::category) {
    const std::size_t levels = column.levels.size();
    check(levels >= 2, "{}: the target {} has one value only, {}; there is nothing to learn",
          frame.file, name, in_quotes(levels == 0 ? "" : column.levels.front()));
  } else {
    check(facts.count > 0, "{}: the target {} has no values", frame.file, name);
    check(facts.distinct > 1, "{}: the target {} has one value only, {}; there is nothing to learn",
          frame.file, name, facts.low);
  }
  FamilyProposal proposal = propose_family(facts);
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
                "the target {} has {} classes; it needs from {} to {}", in_quotes(names.front()),
                count, fewest_classes, most_classes);
    options.classes = static_cast<int>(count);
  }
  target.options = options;
  const Family made = target.make();  // refuses what does not fit together
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
    check(!scaler.constant(0) || rows.size() < 2,
          "{}: the target {} is {} in all {} training rows; the density of a constant cannot be "
          "learned",
          frame.file, in_quotes(names[k]), scaler.mean(0), rows.size());
    const Scaling scaling = std::visit(
        [&](const auto& f) {
          return probmix::scaling(f, {scaler.mean(0), scaler.scale(0)});
        },
        made);
    check(scaling.fault.empty(), "{}: the target {} {}", frame.file, in_quotes(names[k]),
          scaling.fault);
    target.shift[k] = scaling.shift;
    target.scale[k] = scaling.scale;
  }
  return target;
}

double Target::class_number(std::string_view text) const {
  const auto found = std::ranges::find(classes, text);
  return found == classes.end() ? -1.0 : static_cast<double>(found - classes.begin());
}

Matrix<double> Target::encode(const Frame& frame, std::span<const Index> rows) const {
  Matrix<double> y(std::ssize(rows), std::ssize(names));
  for (std::size_t k = 0; k < names.size(); ++k) {
    const FrameColumn& column = frame.column(names[k]);
    check(has_classes() || column.kind == ColumnKind::number, "{}",
          no_numbers(frame, column, family));
    std::unordered_map<std::string, double> numbers;  // of classes: many are not looked up twice
    for (Index r = 0; r < y.rows(); ++r) {
      const Index row = rows[to_size(r)];
      check(!column.is_missing(row), "{}: the target is missing", frame.where(row, column));
      double& to = y(r, static_cast<Index>(k));
      if (!has_classes()) {
        to = (column.values[to_size(row)] - shift[k]) / scale[k];
        continue;
      }
      const std::string text = text_of(column, row);
      const auto [found, is_new] = numbers.try_emplace(text, -1.0);
      if (is_new) found->second = class_number(text);
      to = found->second;
      if (to < 0) throw Error(class_fault(frame.where(row, column), text, classes));
    }
  }
  const Family made = make();
  for (Index r = 0; r < y.rows(); ++r) {
    const std::string fault = support_fault(made, y.row(r));
    if (fault.empty()) continue;
    const FrameColumn& column = frame.column(names.front());
    const Index row = rows[to_size(r)];
    throw Error(fmt::format("{}: {} {}; choose another family", frame.where(row, column),
                            text_of(column, row), fault));
  }
  return y;
}

bool Target::encode(const Family& made, std::span<const std::string_view> fields,
                    const std::function<std::string(Index)>& where, double* y,
                    TargetOddities& oddities) const {
  if (std::ranges::any_of(fields, is_missing)) {
    ++oddities.missing;
    return false;
  }
  const auto is_unknown = [&](const auto& fault) {
    if (++oddities.unknown == 1) oddities.first_unknown = fault();
    return false;
  };
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto place = static_cast<Index>(k);
    const std::string_view field = without_blanks(fields[k]);
    double number = 0;
    const std::string_view fault = read_number(field, number);
    if (!has_classes()) {
      if (!fault.empty()) {
        throw Error(fmt::format("{}: {} {}", where(place), in_quotes(field), fault));
      }
      y[k] = (number - shift[k]) / scale[k];
      continue;
    }
    y[k] = class_number(field);
    if (y[k] < 0 && fault.empty()) y[k] = class_number(number_text(number));
    if (y[k] < 0) return is_unknown([&] { return class_fault(where(place), field, classes); });
  }
  const std::string fault = support_fault(made, y);
  if (fault.empty()) return true;
  return is_unknown(
      [&] { return fmt::format("{}: {} {}", where(0), in_quotes(fields[0]), fault); });
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
