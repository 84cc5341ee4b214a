// Numbers written by others.
#pragma once

#include <string_view>

namespace probmix {

// Without spaces and tabs at both ends.
std::string_view without_blanks(std::string_view text);

// Reads a finite number into `value`, blanks around it allowed. Returns nothing if that went well;
// else what the text is instead and the remedy, to stand behind it in a message.
std::string_view read_number(std::string_view text, double& value);

}  // namespace probmix
