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

// What the values of a column of numbers are like.
struct Facts {
  Index count = 0;
  double mean = 0, variance = 0, skewness = 0;
  double low = 0, high = 0;
  bool whole = true;
  std::size_t distinct = 0;  // up to most_distinct
};
constexpr std::size_t most_distinct = 11;

Facts facts_of(const FrameColumn& column) {
  std::vector<double> values;
  for (const double value : column.values) {
    if (!std::isnan(value)) values.push_back(value);
  }
  Facts facts{.count = std::ssize(values)};
  if (values.empty()) return facts;
  std::set<double> seen;
  for (const double value : values) {
    facts.mean += value / static_cast<double>(values.size());
    facts.whole = facts.whole && value == std::floor(value);
    if (seen.size() < most_distinct) seen.insert(value);
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

// What else numbers may be than what the proposed family takes them for.
std::string hint_about(const std::string& name, const Facts& facts) {
  const bool is_repeated = facts.count >= 5 * static_cast<Index>(facts.distinct);
  if (facts.whole && facts.distinct < most_distinct && is_repeated) {
    return fmt::format(
        "{} has {} different whole numbers; if they are classes, give --family categorical", name,
        facts.distinct);
  }
  if (!facts.whole && facts.low >= 0 && facts.high <= 1 && (facts.low == 0 || facts.high == 1)) {
    return fmt::format(
        "{} has fractions, but also {}; --family beta suits them if these are moved inwards a "
        "little, a gaussian density reaches beyond",
        name,
        facts.high < 1  ? "0"
        : facts.low > 0 ? "1"
                        : "0 and 1");
  }
  if (facts.whole && facts.low == 0 && facts.mean < 100 && facts.variance >= 3 * facts.mean) {
    return fmt::format(
        "{} has whole numbers from 0 on whose variance is {:.2g} times their mean; if they are "
        "counts, a poisson density is too narrow for them, and a gaussian one reaches below 0",
        name, facts.variance / facts.mean);
  }
  return "";
}

FamilyProposal propose_for_numbers(const std::string& name, const Facts& facts) {
  if (facts.distinct == 2 && facts.whole) {
    return {"bernoulli", fmt::format("{} is {} or {}", name, facts.low, facts.high)};
  }
  const std::string hint = hint_about(name, facts);
  // As dispersed as counts are: grades or years are whole numbers too.
  const double dispersion = facts.variance / facts.mean;
  if (facts.whole && facts.low >= 0 && facts.mean < 100 && dispersion > 0.5 && dispersion < 3) {
    return {"poisson", fmt::format("{} has counts, from {} to {}", name, facts.low, facts.high),
            hint};
  }
  if (facts.low > 0 && facts.high < 1) {
    return {"beta", fmt::format("{} has fractions, all between 0 and 1", name)};
  }
  if (facts.low > 0 && facts.skewness > 2) {
    return {"gamma", fmt::format("{} has positive numbers, some of them very large", name), hint};
  }
  return {"gaussian", fmt::format("{} has real numbers", name), hint};
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
  if (column.kind == ColumnKind::category) {
    const std::size_t levels = column.levels.size();
    check(levels >= 2, "{}: the target {} has one value only, {}; there is nothing to learn",
          frame.file, name, in_quotes(levels == 0 ? "" : column.levels.front()));
    if (levels == 2) {
      return {"bernoulli",
              fmt::format("{} has two classes, {}", name, names_in_quotes(column.levels))};
    }
    return {"categorical", fmt::format("{} has {} classes", name, levels)};
  }
  const Facts facts = facts_of(column);
  check(facts.count > 0, "{}: the target {} has no values", frame.file, name);
  check(facts.distinct > 1, "{}: the target {} has one value only, {}; there is nothing to learn",
        frame.file, name, facts.low);
  return propose_for_numbers(name, facts);
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
  const bool classes = probmix::has_classes(make_family(family));
  if (classes) {
    target.classes = classes_of(frame.column(names.front()), rows);
    check_usage(family != "bernoulli" || target.classes.size() == 2,
                "the bernoulli family is for two classes, but {} has {}", in_quotes(names.front()),
                target.classes.size());
    check_usage(target.classes.size() >= 2 && target.classes.size() <= 10'000,
                "the target {} has {} classes; it needs from 2 to 10000", in_quotes(names.front()),
                target.classes.size());
    if (family == "categorical") options.classes = static_cast<int>(target.classes.size());
  }
  target.options = options;
  target.shift.assign(names.size(), 0.0);
  target.scale.assign(names.size(), 1.0);
  for (std::size_t k = 0; k < names.size(); ++k) {
    const FrameColumn& column = frame.column(names[k]);
    check(classes || column.doubt.empty(), "{}: the target {} {}", frame.file, in_quotes(names[k]),
          column.doubt);
    check_usage(classes || column.kind == ColumnKind::number, "{}",
                no_numbers(frame, column, family));
    if (family != "gaussian" && family != "gamma") continue;
    Matrix<double> values(std::ssize(rows), 1);
    for (Index r = 0; r < values.rows(); ++r) {
      values(r, 0) = column.values[to_size(rows[to_size(r)])];
    }
    const Scaler scaler(values.view());
    if (family == "gamma") {
      check(scaler.mean(0) > 0,
            "{}: the target {} has a mean of {}; the gamma family is for "
            "positive numbers",
            frame.file, in_quotes(names[k]), scaler.mean(0));
      target.scale[k] = scaler.mean(0);
    } else {
      target.shift[k] = scaler.mean(0);
      target.scale[k] = scaler.scale(0);
    }
  }
  target.make();  // refuses what does not fit together
  return target;
}

double Target::class_number(std::string_view text) const {
  const auto found = std::ranges::find(classes, text);
  return found == classes.end() ? -1.0 : static_cast<double>(found - classes.begin());
}

std::string Target::support_fault(const double* y) const {
  return std::visit(
      [&](const auto& f) -> std::string {
        if (f.in_support(y)) return "";
        return fmt::format("is not among what the {} family knows: {}", family, f.support_text());
      },
      make());
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
  for (Index r = 0; r < y.rows(); ++r) {
    const std::string fault = support_fault(y.row(r));
    if (fault.empty()) continue;
    const FrameColumn& column = frame.column(names.front());
    const Index row = rows[to_size(r)];
    throw Error(fmt::format("{}: {} {}; choose another family", frame.where(row, column),
                            text_of(column, row), fault));
  }
  return y;
}

bool Target::encode(std::span<const std::string_view> fields,
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
  const std::string fault = support_fault(y);
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
