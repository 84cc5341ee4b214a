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

// YYYY-MM-DD, also followed by a space or T and HH:MM or HH:MM:SS, with or without Z. Nothing if
// the text is something else, or no such day or time exists.
std::optional<std::int64_t> parse_date(std::string_view text);

// The same for tables of others: also with fractions of a second (up to nine digits), and with an
// offset from UTC (+02:00, +0200 or +02), which is applied.
std::optional<double> parse_instant(std::string_view text);

// Such a date and time, but followed by an offset from UTC: -05:00, +0100 or +01.
bool has_utc_offset(std::string_view text);

// YYYY-MM-DD, with HH:MM or HH:MM:SS where they are not zero.
std::string format_date(std::int64_t seconds);

}  // namespace probmix
