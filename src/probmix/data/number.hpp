// Parsing numbers in users' text.
#pragma once

#include <string_view>

namespace probmix {

// The text without leading and trailing spaces and tabs.
std::string_view without_blanks(std::string_view text);

// Reads a finite number into `value`; blanks around it are allowed. Returns an empty string on
// success, else what is wrong and the remedy, worded to follow the text in a message.
std::string_view read_number(std::string_view text, double& value);

// The position of the comma in a number with a decimal comma: 1 in "2,5". npos if the text is not
// such a number.
std::size_t find_decimal_comma(std::string_view text);

}  // namespace probmix
