#include "probmix/data/field.hpp"

#include <algorithm>
#include <array>

#include "probmix/data/date.hpp"
#include "probmix/data/number.hpp"

namespace probmix {

bool is_missing(std::string_view field) {
  field = without_blanks(field);
  if (field.empty()) return true;
  constexpr std::size_t longest = 4;  // word below
  if (field.size() > longest || (field.front() >= '0' && field.front() <= '9')) return false;
  const auto is = [&](std::string_view word) {
    return std::ranges::equal(field, word, {}, [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
  };
  constexpr std::array<std::string_view, 8> words = {"na",   "n/a",  "#n/a", "nan",
                                                     "null", "none", "?",    "-"};
  return std::ranges::any_of(words, is);
}

bool is_number(std::string_view field) {
  double value = 0;
  return read_number(field, value).empty();
}

bool is_date(std::string_view field) { return parse_instant(without_blanks(field)).has_value(); }

}  // namespace probmix
