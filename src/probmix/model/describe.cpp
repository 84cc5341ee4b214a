#include "probmix/model/describe.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"
#include "probmix/options/option.hpp"

namespace probmix {
namespace {

constexpr double smallest_scale = NumberInput::smallest_scale;
constexpr double latest = 1e12;  // seconds, about 30,000 years

Json describe(const NumberInput& input) {
  Json json = {{"mean", input.mean},          {"scale", input.scale},
               {"value", input.has_value},    {"marks-missing", input.marks_missing},
               {"low", input.limits.low},     {"high", input.limits.high},
               {"least", input.limits.least}, {"most", input.limits.most}};
  if (!input.knots.empty()) json["knots"] = input.knots;
  return json;
}

// Empty if there are none. A network checks that they increase.
std::vector<float> read_knots(const JsonObject& column) {
  std::vector<float> knots;
  if (!column.has("knots")) return knots;
  for (const double knot : column.numbers("knots")) {
    check(std::abs(knot) <= NumberInput::furthest, "{}: a knot is {}, out of range", column.where(),
          knot);
    knots.push_back(static_cast<float>(knot));
  }
  return knots;
}

Json describe(const CategoryInput& input) {
  return {{"levels", input.levels}, {"other", input.has_other}, {"missing", input.has_missing}};
}

Json describe(const DateInput& input) {
  return {{"mean", input.mean},
          {"scale", input.scale},
          {"year", input.year},
          {"week", input.week},
          {"day", input.day},
          {"marks-missing", input.marks_missing},
          {"low", input.limits.low},
          {"high", input.limits.high},
          {"least", input.limits.least},
          {"most", input.limits.most}};
}

// Names of columns, levels or classes must be distinct.
void check_distinct(const JsonObject& where, std::string_view what,
                    const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    check(seen.insert(name).second, "{}: {} {} appears twice", where.where(), what,
          in_quotes(name));
  }
}

// Models of formats 1 and 2 have none, and those before 7 no range.
InputLimits read_limits(const JsonObject& column) {
  if (!column.has("low")) return {};
  InputLimits limits{column.number("low"), column.number("high", column.number("low"))};
  if (!column.has("least")) return limits;
  limits.least = column.number("least");
  limits.most = column.number("most", limits.least);
  return limits;
}

InputColumn read_column(const JsonObject& column) {
  InputColumn read{.name = column.text("name"), .how = {}};
  switch (static_cast<ColumnKind>(column.choice("kind", column_kind_names))) {
    case ColumnKind::number:
      read.how = NumberInput{.mean = column.number("mean"),
                             .scale = column.number("scale", smallest_scale),
                             .has_value = column.flag("value"),
                             .marks_missing = column.flag("marks-missing"),
                             .limits = read_limits(column),
                             .knots = read_knots(column)};
      break;
    case ColumnKind::date:
      read.how = DateInput{.mean = column.number("mean", -latest, latest),
                           .scale = column.number("scale", smallest_scale, latest),
                           .year = column.flag("year"),
                           .week = column.flag("week"),
                           .day = column.flag("day"),
                           .marks_missing = column.flag("marks-missing"),
                           .limits = read_limits(column)};
      break;
    case ColumnKind::category: {
      CategoryInput category{.levels = column.texts("levels"),
                             .has_other = column.flag("other"),
                             .has_missing = column.flag("missing")};
      check_distinct(column, "level", category.levels);
      check(std::ranges::count(category.levels, "") == 0, "{}: a level has no name",
            column.where());
      read.how = std::move(category);
    }
  }
  return read;
}

std::vector<CategoryBlock> read_blocks(const JsonObject& json) {
  constexpr long long most = 1 << 24;
  std::vector<CategoryBlock> blocks;
  for (const JsonObject& block : json.objects("categories")) {
    blocks.push_back({block.integer("first", 0, most), block.integer("inputs", 1, most),
                      block.integer("outputs", 1, 1 << 12)});
  }
  return blocks;
}

}  // namespace

Json describe(const Inputs& inputs) {
  Json columns = Json::array();
  for (const InputColumn& column : inputs.columns()) {
    Json json = {{"name", column.name}, {"kind", column_kind_names[column.how.index()]}};
    json.update(std::visit([](const auto& input) { return describe(input); }, column.how));
    columns.push_back(std::move(json));
  }
  return columns;
}

Inputs read_inputs(const JsonObject& model) {
  std::vector<InputColumn> columns;
  std::vector<std::string> names;
  for (const JsonObject& column : model.objects("inputs")) {
    columns.push_back(read_column(column));
    check(columns.back().width() > 0, "{}: it yields no input", column.where());
    names.push_back(columns.back().name);
  }
  check(!columns.empty(), "{}: there are no inputs", model.where());
  check_distinct(model, "input", names);
  return Inputs(std::move(columns));
}

namespace {

// The options of all families, and those that only this one has.
bool is_stored(const Option& option, const FitOptions& options) {
  return option.name != "components" || option.is_used(options);
}

}  // namespace

Json describe(const Target& target) {
  Json json = {{"columns", target.names},
               {"shift", target.shift},
               {"scale", target.scale},
               {"classes", target.classes}};
  FitOptions options;
  options.family = target.family;
  options.family_options = target.options;
  for (const Option& option : fit_option_list()) {
    if (option.group != option_group::responses || !is_stored(option, options)) continue;
    const Json value = option.get(options);
    if (value != "") json[std::string(option.name)] = value;  // "": no column
  }
  if (target.options.custom != nullptr) json["custom"] = true;
  return json;
}

Target read_target(const JsonObject& json, std::shared_ptr<const AnyDensity> custom) {
  Target target{.names = json.texts("columns"),
                .shift = json.numbers("shift"),
                .scale = json.numbers("scale"),
                .classes = json.texts("classes")};
  if (json.has("custom") && json.flag("custom")) {
    target.family = json.text("family");
    check(custom != nullptr && custom->name() == target.family,
          "{}: its density, {}, is not built into the library; load it with the density that it "
          "was trained with{}",
          json.where(), in_quotes(target.family),
          custom == nullptr ? "" : fmt::format(", not with {}", in_quotes(custom->name())));
  } else {
    target.family = family_names()[json.choice("family", family_names())];
    custom = nullptr;
  }
  check(!target.names.empty() && target.names.size() <= 10'000 &&
            target.shift.size() == target.names.size() &&
            target.scale.size() == target.names.size(),
        "{}: columns, shift and scale have {}, {} and {} entries", json.where(),
        target.names.size(), target.shift.size(), target.scale.size());
  check(std::ranges::all_of(
            target.scale,
            [](double s) { return s >= Target::smallest_scale && s <= Target::largest_scale; }) &&
            std::ranges::all_of(target.shift,
                                [](double s) { return std::abs(s) <= Target::largest_shift; }),
        "{}: shift or scale is out of range (scales: {} to {})", json.where(),
        Target::smallest_scale, Target::largest_scale);
  check_distinct(json, "class", target.classes);
  check_distinct(json, "column", target.names);
  const std::size_t classes = target.classes.size();
  const bool is_class = classes >= Target::fewest_classes && classes <= Target::most_classes;
  FitOptions options;
  options.family = target.family;
  for (const Option& option : fit_option_list()) {
    const bool is_name = option.kind == Option::Kind::name;  // not written if there is none
    const bool is_read = option.group == option_group::responses && option.name != "family" &&
                         is_stored(option, options) && (!is_name || json.has(option.name));
    if (is_read) read_option(json, option, options);
  }
  target.options = options.family_options;
  target.options.responses = static_cast<int>(target.names.size());
  target.options.classes = is_class ? static_cast<int>(classes) : 2;
  target.options.custom = std::move(custom);
  const auto is = [](double expected) { return [expected](double v) { return v == expected; }; };
  check(classes == 0 ||
            (std::ranges::all_of(target.shift, is(0)) && std::ranges::all_of(target.scale, is(1))),
        "{}: classes have a shift of 0 and a scale of 1", json.where());
  // likelihood() rejects options that the family does not accept.
  check(class_count(target.likelihood()) == std::ssize(target.classes),
        "{}: {} classes do not fit the {} family", json.where(), classes, target.family);
  return target;
}

Json describe(const Architecture& architecture) {
  FitOptions options;
  options.architecture = architecture;
  Json json = configuration_of(options, option_group::networks);
  Json categories = Json::array();
  for (const CategoryBlock& block : architecture.categories) {
    categories.push_back(
        {{"first", block.first}, {"inputs", block.inputs}, {"outputs", block.outputs}});
  }
  if (!categories.empty()) json["categories"] = std::move(categories);
  return json;
}

Architecture read_architecture(const JsonObject& json) {
  FitOptions options;
  read_options(json, option_group::networks, options);
  // An mlp without dropout does not mention it.
  if (json.has("dropout")) read_option(json, *find_option("dropout"), options);
  if (json.has("categories")) options.architecture.categories = read_blocks(json);
  return options.architecture;
}

}  // namespace probmix
