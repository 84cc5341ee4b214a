#include "probmix/report/page/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "probmix/data/date.hpp"

namespace probmix::report {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

std::string with_minus_sign(std::string number) {
  if (!number.starts_with('-')) return number;
  const bool zero = number.find_first_not_of("-0.") == std::string::npos;
  return (zero ? "" : "−") + number.substr(1);
}

int exponent_of(double positive) { return static_cast<int>(std::floor(std::log10(positive))); }

}  // namespace

char32_t take_code_point(std::string_view& rest) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  bool valid = length > 0 && length <= rest.size();
  char32_t code = length <= 1 ? lead : lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; valid && i < length; ++i) {
    valid = (byte(i) & 0xC0U) == 0x80;
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  valid = valid && code >= smallest[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  rest.remove_prefix(valid ? length : 1);
  return valid ? code : kReplacement;
}

int display_width(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const char32_t c = take_code_point(text);
    const bool combining = (c >= 0x300 && c <= 0x36F) || c == 0x200B || c == 0xFE0F;
    const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                      (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                      (c >= 0xFF00 && c <= 0xFF60) || (c >= 0x1F300 && c <= 0x1FAFF) ||
                      (c >= 0x20000 && c <= 0x3FFFD);
    width += combining ? 0 : wide ? 2 : 1;
  }
  return width;
}

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_code_point(text);
    const bool forbidden = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0) ||
                           (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) ||
                           c == kReplacement || c == 0xFFFE || c == 0xFFFF;
    if (forbidden) {
      out += "\uFFFD";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += before.substr(0, before.size() - text.size());
    }
  }
  return out;
}

std::string day_text(double day) {
  if (!(day >= -719162 && day < 2932897)) return fmt::format("{:.6g}", day);
  return format_date(static_cast<std::int64_t>(std::floor(day)) * day_seconds);
}

std::string format_fixed(double value, int decimals) {
  return with_minus_sign(fmt::format("{:.{}f}", value, decimals));
}

std::string format_difference(double value) {
  if (std::isinf(value)) return value > 0 ? "+∞" : "−∞";
  return with_minus_sign(fmt::format("{:+.3g}", value));
}

std::string format_mean_difference(double mean, double se, double score) {
  const bool spread = std::isfinite(se);
  const double size = std::max(std::abs(mean), spread ? se : 0.0);
  if (size >= 1e6) {
    const std::string text = format_difference(mean);
    return spread ? fmt::format("{} ± {:.2g}", text, se) : text;
  }
  const int finest = score > 0 && score < 0.1 ? 2 - exponent_of(score) : 3;
  // Two digits of the error; without one, three of the difference.
  const double known = spread && se > 0 ? se : size;
  const int decimals =
      known == 0 ? finest : std::clamp((spread && se > 0 ? 1 : 2) - exponent_of(known), 0, finest);
  std::string text = with_minus_sign(fmt::format("{:+.{}f}", mean, decimals));
  if (text.find_first_not_of("+0.") == std::string::npos) text = format_fixed(0, decimals);
  return spread ? text + " ± " + format_fixed(se, decimals) : text;
}

std::string format_p(double p) {
  return p < 1e-4 ? std::string("p < 0.0001") : fmt::format("p {:.2g}", p);
}

std::string format_mean_se(double mean, double se) {
  if (!std::isfinite(mean)) return "diverged";
  const bool spread = std::isfinite(se) && se > 0;
  const double size = std::max(std::abs(mean), spread ? se : 0.0);
  std::string text;
  std::string error;
  if (size != 0 && (size >= 1e6 || size < 1e-4)) {
    text = with_minus_sign(fmt::format("{:.1e}", mean));
    error = fmt::format("{:.1e}", se);
  } else {
    const int e = size == 0 ? 0 : exponent_of(size);
    int decimals = e >= 3 ? 0 : e >= 1 ? 1 : e >= -1 ? 2 : 1 - e;
    if (spread) decimals = std::max(decimals, std::min(-exponent_of(se), decimals + 2));
    if (spread && se >= 10) decimals = 0;
    text = format_fixed(mean, decimals);
    error = format_fixed(se, decimals);
  }
  if (std::isnan(se)) return text;
  return text + " ± " + (std::isfinite(se) ? error : "∞");
}

}  // namespace probmix::report
