// Writing fields of a CSV file.
#pragma once

#include <string>
#include <string_view>

namespace probmix {

// Quoted if necessary.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += c;
    field += c;
  }
  return field + '"';
}

}  // namespace probmix
