// What the text of a field may stand for.
#pragma once

#include <string_view>

namespace probmix {

// Nothing at all, or one of the words that tables write for it: NA, N/A, #N/A, NaN, null, none, ?
// and -, in upper or lower case. Blanks around it are allowed.
bool is_missing(std::string_view field);

// A finite number (read_number).
bool is_number(std::string_view field);

// A date (parse_instant).
bool is_date(std::string_view field);

}  // namespace probmix
