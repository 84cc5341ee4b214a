#include "probmix/data/date.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace probmix {
namespace {

// Takes `count` digits off the front; -1 if it meets another character.
int take_digits(std::string_view& text, int count) {
  int value = 0;
  for (; count > 0; --count) {
    if (text.empty() || text.front() < '0' || text.front() > '9') return -1;
    value = 10 * value + (text.front() - '0');
    text.remove_prefix(1);
  }
  return value;
}

bool take(std::string_view& text, char c) {
  if (!text.starts_with(c)) return false;
  text.remove_prefix(1);
  return true;
}

// The seconds of HH:MM[:SS][Z], or -1.
int parse_time(std::string_view text) {
  const int hour = take_digits(text, 2);
  if (!take(text, ':')) return -1;
  const int minute = take_digits(text, 2);
  const int second = take(text, ':') ? take_digits(text, 2) : 0;
  take(text, 'Z');
  const bool valid = text.empty() && hour >= 0 && hour < 24 && minute >= 0 && minute < 60 &&
                     second >= 0 && second < 60;
  return valid ? (hour * 60 + minute) * 60 + second : -1;
}

// The seconds of HH, HHMM or HH:MM, or -1.
int parse_offset(std::string_view text) {
  const int hour = take_digits(text, 2);
  const bool is_whole = text.empty();
  if (hour >= 0) take(text, ':');
  const int minute = is_whole ? 0 : take_digits(text, 2);
  const bool valid = text.empty() && hour >= 0 && hour < 24 && minute >= 0 && minute < 60;
  return valid ? (hour * 60 + minute) * 60 : -1;
}

// Takes .5 or .123456 off the end of a time with seconds; 0 if there is no fraction.
double take_fraction(std::string_view& text) {
  constexpr std::size_t point = std::string_view("YYYY-MM-DD HH:MM:SS").size();
  constexpr std::size_t most_digits = 9;
  if (text.size() < point + 2 || text.size() > point + 1 + most_digits || text[point] != '.') {
    return 0;
  }
  std::string_view digits = text.substr(point + 1);
  const double power = std::pow(10.0, static_cast<double>(digits.size()));
  const int value = take_digits(digits, static_cast<int>(digits.size()));
  if (value < 0) return 0;
  text = text.substr(0, point);
  return value / power;
}

}  // namespace

std::optional<std::int64_t> parse_date(std::string_view text) {
  const int year = take_digits(text, 4);
  if (year < 0 || !take(text, '-')) return {};
  const int month = take_digits(text, 2);
  if (month < 0 || !take(text, '-')) return {};
  const int day = take_digits(text, 2);
  if (day < 0) return {};
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return {};
  const int time = text.empty() ? 0 : take(text, ' ') || take(text, 'T') ? parse_time(text) : -1;
  if (time < 0) return {};
  return std::chrono::sys_days(date).time_since_epoch().count() * day_seconds + time;
}

std::optional<double> parse_instant(std::string_view text) {
  if (const auto plain = parse_date(text)) return static_cast<double>(*plain);
  constexpr std::size_t shortest = std::string_view("YYYY-MM-DD HH:MM").size();
  const std::size_t sign = text.find_last_of("+-");
  int offset = 0;
  if (sign != text.npos && sign >= shortest) {
    offset = parse_offset(text.substr(sign + 1));
    if (offset < 0 || text[sign - 1] == 'Z') return {};
    if (text[sign] == '-') offset = -offset;
    text = text.substr(0, sign);
  } else if (text.ends_with('Z')) {
    text.remove_suffix(1);
  }
  const double fraction = take_fraction(text);
  const auto seconds = parse_date(text);
  if (!seconds || text.size() < shortest || text.ends_with('Z')) return {};
  return static_cast<double>(*seconds - offset) + fraction;
}

bool has_utc_offset(std::string_view text) {
  constexpr std::size_t date_size = std::string_view("YYYY-MM-DD").size();
  const std::size_t sign = text.find_last_of("+-");
  if (sign == text.npos || sign <= date_size || !parse_date(text.substr(0, sign))) return false;
  const std::string_view offset = text.substr(sign + 1);
  return offset.size() >= 2 && offset.size() <= 5 &&
         offset.find_first_not_of("0123456789:") == offset.npos;
}

std::string format_date(std::int64_t seconds) {
  const std::chrono::sys_seconds instant{std::chrono::seconds(seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(instant);
  const std::chrono::year_month_day date(midnight);
  const std::chrono::hh_mm_ss time(instant - midnight);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  if (instant == midnight) return text;
  text += fmt::format(" {:02}:{:02}", time.hours().count(), time.minutes().count());
  if (time.seconds().count() != 0) text += fmt::format(":{:02}", time.seconds().count());
  return text;
}

}  // namespace probmix
