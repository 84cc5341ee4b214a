// JSON whose objects keep the order of their keys, and parsing of untrusted JSON.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace probmix {

using Json = nlohmann::ordered_json;

using SortedJson = nlohmann::json;  // with sorted keys

// nlohmann's writer and parser are large templates, so use the functions of this file instead of
// dump(), << and parse(): then they are compiled once.

// JSON on one line; malformed UTF-8 is replaced.
std::string json_text(const Json& value);
std::string sorted_json_text(const SortedJson& value);
std::string text_with_sorted_keys(const Json& value);

// The same text, but throws a Json::exception for malformed UTF-8. With `indent` on many lines.
std::string exact_json_text(const Json& value, int indent = -1);

// Limits for untrusted JSON: the code that walks it is recursive, and Json compares each new key
// with all earlier ones.
inline constexpr int deepest_json = 64;
inline constexpr std::size_t most_json_keys = 4096;  // of one object

enum class JsonFault { none, no_json, too_deep, too_many_keys };

// Checks the limits in one pass, without parsing. Text that is not JSON may pass.
JsonFault nesting_fault(std::string_view text, std::size_t most_keys = most_json_keys);

// Parses untrusted text.
JsonFault parse_json(std::string_view text, Json& value);
JsonFault parse_sorted_json(std::string_view text, std::size_t most_keys, SortedJson& value);

// Parses text of this program. Throws a Json::exception if it is no JSON.
Json parse_own_json(std::string_view text);

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
