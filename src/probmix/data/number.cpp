#include "probmix/data/number.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace probmix {

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

std::string_view read_number(std::string_view text, double& value) {
  text = without_blanks(text);
  if (text.empty()) return "is no number, the value is missing; fill it in or remove the row";
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return "is not a number; write numbers as 1234.5 or 1.2345e3";
  }
  if (error == std::errc::result_out_of_range) {
    return "is too large or too small a number; change its unit";
  }
  if (!std::isfinite(value)) return "is not a finite number; fill it in or remove the row";
  return {};
}

}  // namespace probmix
