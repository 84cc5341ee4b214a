// Untrusted text (from files, options, the environment) made safe for a one-line message.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace probmix {

// Control characters and malformed UTF-8 are escaped.
std::string printable(std::string_view text);

// For a terminal or a page: escapes control characters and characters that reorder or hide text
// (bidirectional controls, byte order marks, line separators), as \u{202e}.
std::string visible(std::string_view text);

// printable() in quotes; long text is cut.
std::string in_quotes(std::string_view text);

// 'a', 'b', 'c'; of a long list, the first names and "and N more".
std::string names_in_quotes(std::span<const std::string> names);

}  // namespace probmix
