// What a field's text can mean.
#pragma once

#include <string_view>

namespace probmix {

// Empty, or a common word for a missing value: NA, N/A, #N/A, NaN, null, none, ? or -, in upper or
// lower case. Blanks around it are allowed.
bool is_missing(std::string_view field);

// A finite number (read_number).
bool is_number(std::string_view field);

// A date (parse_instant).
bool is_date(std::string_view field);

}  // namespace probmix
