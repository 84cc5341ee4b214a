// How the options are declared: fields of FitOptions, ranges, and when an option is used.
#pragma once

#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

#include "probmix/options/option.hpp"

namespace probmix {

// The options of each group.
std::vector<Option> column_options();
std::vector<Option> series_options();
std::vector<Option> training_options();
std::vector<Option> mixing_options();
std::vector<Option> response_options();
std::vector<Option> network_options();

namespace option_fields {

using Kind = Option::Kind;

inline constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr OptionRange from(double low) { return {.low = low}; }
constexpr OptionRange between(double low, double high) { return {.low = low, .high = high}; }
inline constexpr OptionRange above_0{.low = 0, .excludes_low = true};
inline constexpr OptionRange share{.low = 0, .high = 1, .excludes_high = true};

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
Json value_of(const T& field) {
  if constexpr (is_optional<T>) {
    return field ? value_of(*field) : Json();
  } else {
    return field;
  }
}

// An option stored in one field of FitOptions, which `at` returns.
template <class At>
Option field(Option option, At at) {
  option.get = [at](const FitOptions& options) { return value_of(at(options)); };
  using Field = std::remove_cvref_t<decltype(at(std::declval<FitOptions&>()))>;
  option.set = [at](FitOptions& options, const Json& value) {
    if constexpr (is_optional<Field>) {
      at(options) = value.get<typename Field::value_type>();
    } else {
      at(options) = value.get<Field>();
    }
  };
  return option;
}

// A field of enumeration type, with names for its values.
template <class At>
Option choice(Option option, std::span<const std::string_view> names, At at) {
  using Field = std::remove_cvref_t<decltype(at(std::declval<FitOptions&>()))>;
  option.kind = Kind::choice;
  option.choices = names;
  option.get = [at, names](const FitOptions& options) -> Json {
    const auto name = [&](auto value) { return names[static_cast<std::size_t>(value)]; };
    if constexpr (is_optional<Field>) {
      return at(options) ? Json(name(*at(options))) : Json();
    } else {
      return name(at(options));
    }
  };
  option.set = [at, names](FitOptions& options, const Json& value) {
    const auto position = check_choice("value", value.get<std::string>(), names);
    if constexpr (is_optional<Field>) {
      at(options) = static_cast<typename Field::value_type>(position);
    } else {
      at(options) = static_cast<Field>(position);
    }
  };
  return option;
}

inline Option used_if(bool (*is_used)(const FitOptions&), Option option) {
  option.is_used = is_used;
  return option;
}

inline bool is_mlp(const FitOptions& o) { return o.architecture.kind == ArchitectureKind::mlp; }
inline bool predicts_by_draws(const FitOptions& o) { return method_of(o).predicts_by_draws(); }

}  // namespace option_fields
}  // namespace probmix
