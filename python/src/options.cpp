#include "options.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <thread>

#include "bindings.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/parallel.hpp"

namespace nb = nanobind;

namespace probmix::python {
namespace {

Json json_from(nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
  if (nb::isinstance<nb::int_>(value)) {
    long long number = 0;
    check_usage(nb::try_cast(value, number), "{} is too large a number",
                nb::str(value).c_str());
    return number;
  }
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  Json list = Json::array();
  for (const nb::handle item : value) list.push_back(json_from(item));
  return list;
}

nb::object from_json(const Json& value) {
  if (value.is_boolean()) return nb::bool_(value.get<bool>());
  if (value.is_number_integer()) return nb::int_(value.get<long long>());
  if (value.is_number()) return nb::float_(value.get<double>());
  if (value.is_string()) return nb::str(value.get_ref<const std::string&>().c_str());
  if (value.is_null()) return nb::none();
  nb::list list;
  for (const Json& item : value) list.append(from_json(item));
  return list;
}

std::string_view kind_name(Option::Kind kind) {
  switch (kind) {
    case Option::Kind::flag:
      return "flag";
    case Option::Kind::whole:
      return "whole";
    case Option::Kind::real:
      return "real";
    case Option::Kind::choice:
      return "choice";
    case Option::Kind::wholes:
      return "wholes";
    case Option::Kind::name:
      return "name";
    case Option::Kind::names:
      return "names";
  }
  return "";
}

nb::str text(std::string_view view) { return nb::str(view.data(), view.size()); }

// Whether it has an effect on series alone.
bool is_for_series(const Option& option) {
  FitOptions table, lstm, transformer;
  lstm.series = transformer.series = {.window = 2, .horizon = 1};
  lstm.architecture.kind = ArchitectureKind::lstm;
  lstm.architecture.lstm.layers = 2;
  transformer.architecture.kind = ArchitectureKind::transformer;
  return option.group == option_group::series || option.name == "arch" ||
         (!option.is_used(table) && option.name != "dropout" &&
          (option.is_used(lstm) || option.is_used(transformer)));
}

nb::list option_list() {
  const FitOptions defaults;
  nb::list list;
  for (const Option& option : fit_option_list()) {
    nb::dict one;
    one["name"] = text(option.name);
    one["parameter"] = parameter_of(option.name);
    one["group"] = text(option.group);
    one["kind"] = text(kind_name(option.kind));
    one["help"] = with_parameters(option.help);
    one["automatic"] = with_parameters(option.automatic);
    one["default"] = from_json(option.get(defaults));
    one["series"] = is_for_series(option);
    one["range"] = option.range.text();
    nb::list choices;
    for (const std::string_view choice : option.choices) choices.append(text(choice));
    one["choices"] = choices;
    list.append(one);
  }
  return list;
}

}  // namespace

std::string parameter_of(std::string_view option) {
  if (option == "seed") return "random_state";
  std::string name(option);
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string with_parameters(std::string_view message) {
  return with_spelling(message, [](std::string_view option) { return parameter_of(option); });
}

FitOptions options_from(const nb::dict& given) {
  FitOptions options;
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(key);
    if (name == "budget") {
      options.budget = nb::cast<double>(value);
      continue;
    }
    if (name == "threads") {
      options.train.threads = nb::cast<Index>(value);
      check_range("n_jobs", options.train.threads, 1, most_threads);
      continue;
    }
    const Option* const option = find_option(name);
    check_usage(option != nullptr, "there is no option '{}'", name);
    const Json json = json_from(value);
    option->check(json);
    option->set(options, json);
    options.fixed.emplace_back(option->name);
  }
  return options;
}

void bind_options(nb::module_& m) {
  m.def("option_list", option_list);
  m.def("family_names", [] {
    nb::list names;
    for (const std::string_view name : family_names()) names.append(text(name));
    return names;
  });
  m.def("processors", [] { return std::max(1U, std::thread::hardware_concurrency()); });
}

}  // namespace probmix::python
