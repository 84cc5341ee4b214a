// Writing fields of a CSV file.
#pragma once

#include <charconv>
#include <string>
#include <string_view>

namespace probmix {

// Whether a spreadsheet would take the text for a formula and run it: it begins with one of = + -
// @, and is not just a number.
inline bool is_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t\r").find(text.front()) == std::string_view::npos) {
    return false;
  }
  if (text.front() == '+') text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error != std::errc{} || end != text.data() + text.size();
}

// Quoted if necessary. If `safe`, an apostrophe before a formula makes it text.
inline std::string csv_field(std::string_view text, bool safe = false) {
  const bool is_disarmed = safe && is_formula(text);
  if (!is_disarmed && text.find_first_of(",\"\n\r") == std::string_view::npos) {
    return std::string(text);
  }
  std::string field = is_disarmed ? "\"'" : "\"";
  for (const char c : text) {
    if (c == '"') field += c;
    field += c;
  }
  return field + '"';
}

}  // namespace probmix
