// Text of others (files, options, the environment) inside a message of one line.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace probmix {

// Control characters and malformed UTF-8 are escaped.
std::string printable(std::string_view text);

// The same in quotes; a long text is cut.
std::string in_quotes(std::string_view text);

// 'a', 'b', 'c'; of many names the first ones and how many more there are.
std::string names_in_quotes(std::span<const std::string> names);

}  // namespace probmix
