// ISO dates of the Gregorian calendar as seconds since 1970-01-01 00:00, without time zones or leap
// seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace probmix {

inline constexpr std::string_view date_forms = "YYYY-MM-DD or YYYY-MM-DD HH:MM[:SS], UTC";

inline constexpr std::int64_t day_seconds = 86'400;

// YYYY-MM-DD, optionally followed by a space or T and HH:MM or HH:MM:SS, with or without Z. Empty
// if the text is anything else, or the day or time does not exist.
std::optional<std::int64_t> parse_date(std::string_view text);

// The same for users' tables: also accepts fractions of a second (up to nine digits) and an offset
// from UTC (+02:00, +0200 or +02), which is applied.
std::optional<double> parse_instant(std::string_view text);

// Whether the text is a date and time followed by an offset from UTC: -05:00, +0100 or +01.
bool has_utc_offset(std::string_view text);

// YYYY-MM-DD, with HH:MM or HH:MM:SS where they are not zero.
std::string format_date(std::int64_t seconds);

}  // namespace probmix
