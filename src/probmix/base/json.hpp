// JSON whose objects keep the order of their keys, and parsing of untrusted JSON.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace probmix {

using Json = nlohmann::ordered_json;

// JSON on one line; malformed UTF-8 is replaced.
inline std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Maximum nesting depth: the code that walks JSON is recursive.
inline constexpr int deepest_json = 64;

enum class JsonFault { none, no_json, too_deep };

// Parses untrusted text. Any is Json or, for objects with many keys, nlohmann::json (Json compares
// each new key with all earlier ones).
template <class Any>
JsonFault parse_json(std::string_view text, Any& value) {
  bool too_deep = false;
  const auto keep = [&](int depth, typename Any::parse_event_t event, const Any&) {
    using Event = typename Any::parse_event_t;
    const bool starts = event == Event::object_start || event == Event::array_start;
    too_deep = too_deep || (starts && depth >= deepest_json);
    return !too_deep;
  };
  value = Any::parse(text, keep, /*allow_exceptions=*/false);
  if (too_deep) return JsonFault::too_deep;
  return value.is_discarded() ? JsonFault::no_json : JsonFault::none;
}

// To five significant digits: enough for a chart, at a third of the characters.
inline double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(unit) && unit > 0 ? std::round(value * unit) / unit : value;
}

// Standard JSON has no infinities: an object's infinite values become "inf" and "-inf".
inline Json without_infinities(Json object) {
  for (auto& [name, value] : object.items()) {
    if (!value.is_number_float() || !std::isinf(value.get<double>())) continue;
    value = value.get<double>() > 0 ? "inf" : "-inf";
  }
  return object;
}

}  // namespace probmix
