#include "probmix/base/json.hpp"

#include <array>

namespace probmix {

JsonFault nesting_fault(std::string_view text, std::size_t most_keys) {
  std::array<std::size_t, deepest_json + 1> keys{};  // seen so far, at each depth
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (in_string) {
      if (c == '\\') ++k;  // whatever it escapes
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (depth == deepest_json) return JsonFault::too_deep;
      keys[++depth] = 0;
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    } else if (c == ':' && ++keys[depth] > most_keys) {
      return JsonFault::too_many_keys;
    }
  }
  return JsonFault::none;
}

namespace {

template <class Value>
JsonFault parse_untrusted(std::string_view text, std::size_t most_keys, Value& value) {
  if (const JsonFault fault = nesting_fault(text, most_keys); fault != JsonFault::none)
    return fault;
  // Without a callback: nlohmann's callback parser is quadratic in the keys of an object.
  value = Value::parse(text, nullptr, /*allow_exceptions=*/false);
  return value.is_discarded() ? JsonFault::no_json : JsonFault::none;
}

}  // namespace

JsonFault parse_json(std::string_view text, Json& value) {
  return parse_untrusted(text, most_json_keys, value);
}

JsonFault parse_sorted_json(std::string_view text, std::size_t most_keys, SortedJson& value) {
  return parse_untrusted(text, most_keys, value);
}

Json parse_own_json(std::string_view text) { return Json::parse(text); }

std::string json_text(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string sorted_json_text(const SortedJson& value) {
  return value.dump(-1, ' ', false, SortedJson::error_handler_t::replace);
}

std::string text_with_sorted_keys(const Json& value) {
  return sorted_json_text(SortedJson::parse(json_text(value)));
}

std::string exact_json_text(const Json& value, int indent) { return value.dump(indent); }

}  // namespace probmix
