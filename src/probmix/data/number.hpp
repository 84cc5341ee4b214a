// Numbers written by others.
#pragma once

#include <string_view>

namespace probmix {

// Without spaces and tabs at both ends.
std::string_view without_blanks(std::string_view text);

// Reads a finite number into `value`, blanks around it allowed. Returns nothing if that went well;
// else what the text is instead and the remedy, to stand behind it in a message.
std::string_view read_number(std::string_view text, double& value);

// Where the comma is of a number that has one for its point: 1 of "2,5". npos if it is no such
// number.
std::size_t find_decimal_comma(std::string_view text);

}  // namespace probmix
