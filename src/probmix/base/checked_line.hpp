// A line of JSON whose last entry is a checksum of what stands before it:
// {...,"check":"0123456789abcdef"}. A flipped bit is noticed.
#pragma once

#include <string>
#include <string_view>

namespace probmix {

// The line with "check" appended; it must be an object that is not empty.
std::string with_checksum(std::string line);

bool has_right_checksum(std::string_view line);

}  // namespace probmix
