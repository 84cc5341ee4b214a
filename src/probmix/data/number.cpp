#include "probmix/data/number.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

namespace probmix {
namespace {

constexpr std::size_t most_digits = 15;  // below 2^53
constexpr auto powers = [] {
  std::array<double, most_digits + 1> table{};
  double power = 1;
  for (double& entry : table) {
    entry = power;
    power *= 10;
  }
  return table;
}();

// A number without its sign: its digits, the last `places` of them after the point.
struct Digits {
  std::uint64_t all = 0;
  std::size_t places = 0;
};

// Reads 4 to 8 characters at once, as the bytes of a word: digits with at most one point. False for
// anything else. (The arithmetic on all bytes of a word follows Lemire 2021.)
bool read_word(const char* text, std::size_t size, Digits& digits) {
  constexpr std::uint64_t each = 0x0101010101010101;
  std::uint32_t first = 0, last = 0;  // four characters each, which may overlap
  std::memcpy(&first, text, sizeof first);
  std::memcpy(&last, text + size - sizeof last, sizeof last);
  std::uint64_t word = first | std::uint64_t{last} << 8 * (size - sizeof last);
  if (size < 8) word = word << 8 * (8 - size) | (each * '0') >> 8 * size;  // pad with leading zeros
  const std::uint64_t apart = word ^ (each * '.');
  if (const std::uint64_t points = (apart - each) & ~apart & (each << 7)) {
    const int before = std::countr_zero(points) / 8 * 8;  // bits before the point
    const std::uint64_t lower = (std::uint64_t{1} << before) - 1;
    digits.places = static_cast<std::size_t>(7 - before / 8);
    word = (word & ~(lower << 8 | 0xFF)) | (word & lower) << 8 | '0';
  }
  word ^= each * '0';
  if (((word + each * 0x76) | word) & (each << 7)) return false;  // some byte is above 9
  word = word * 10 + (word >> 8);                                 // pairs of digits
  constexpr std::uint64_t pair = 0x000000FF000000FF;
  digits.all =
      ((word & pair) * 0x000F424000000064 + (word >> 16 & pair) * 0x0000271000000001) >> 32;
  return true;
}

// Reads up to 15 digits one by one.
bool read_one_by_one(const char* at, const char* end, Digits& digits) {
  const auto take_digits = [&] {
    const char* const first = at;
    for (; at != end; ++at) {
      const unsigned digit = static_cast<unsigned char>(*at) - unsigned{'0'};
      if (digit > 9) break;
      digits.all = 10 * digits.all + digit;  // may wrap if there are too many; then rejected below
    }
    return static_cast<std::size_t>(at - first);
  };
  const std::size_t whole = take_digits();
  if (at != end && *at == '.') {
    ++at;
    digits.places = take_digits();
  }
  const std::size_t count = whole + digits.places;
  return at == end && count > 0 && count <= most_digits;
}

// The common case: an optional minus and up to 15 digits with at most one point. The digits and the
// power of ten are exact, so the one division rounds correctly (Clinger 1990), in a fraction of the
// time of from_chars. False for any other number.
bool read_plain(std::string_view text, double& value) {
  if (text.empty()) return false;
  // 1 for '-', without a branch, which would be unpredictable.
  const unsigned negative = ((static_cast<unsigned char>(text.front()) ^ unsigned{'-'}) - 1U) >> 31;
  const char* const at = text.data() + negative;
  const char* const end = text.data() + text.size();
  const auto size = static_cast<std::size_t>(end - at);
  constexpr bool has_words = std::endian::native == std::endian::little;
  Digits digits;
  const bool is_plain = has_words && size >= 4 && size <= 8 ? read_word(at, size, digits)
                                                            : read_one_by_one(at, end, digits);
  if (!is_plain) return false;
  const auto amount =
      std::bit_cast<std::uint64_t>(static_cast<double>(digits.all) / powers[digits.places]);
  value = std::bit_cast<double>(amount | std::uint64_t{negative} << 63);
  return true;
}

}  // namespace

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view read_number(std::string_view text, double& value) {
  text = without_blanks(text);
  if (read_plain(text, value)) return {};
  if (text.empty()) return "is not a number: the value is missing; fill it in, or remove the row";
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    return find_decimal_comma(text) != text.npos
               ? "is not a number; write numbers as 1234.5, or read the table with `decimal-comma`"
               : "is not a number; write numbers as 1234.5 or 1.2345e3";
  }
  if (error == std::errc::result_out_of_range) {
    return "is too large or too small; change its unit";
  }
  if (!std::isfinite(value)) return "is not a finite number; correct it, or remove the row";
  return {};
}

std::size_t find_decimal_comma(std::string_view text) {
  constexpr std::size_t longest = 64;
  const std::size_t comma = text.find(',');
  if (comma == text.npos || text.size() > longest || text.find('.') != text.npos) return text.npos;
  std::string with_point(text);
  with_point[comma] = '.';
  double ignored = 0;
  return read_number(with_point, ignored).empty() ? comma : text.npos;
}

}  // namespace probmix
