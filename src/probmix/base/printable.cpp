#include "probmix/base/printable.hpp"

#include <fmt/format.h>

namespace probmix {
namespace {

constexpr std::size_t kLongestText = 80;
constexpr std::size_t kMostNames = 20;

struct HiddenCharacter {
  std::size_t length = 0;  // in bytes; 0: the text begins with something visible
  unsigned code = 0;
};

// UTF-8 of control characters (C0, DEL, C1), bidirectional controls, line and paragraph separators
// and the byte order mark.
HiddenCharacter hidden_at(std::string_view text) {
  const auto byte = [&](std::size_t k) -> unsigned {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : 0U;
  };
  if (byte(0) < 0x20 || byte(0) == 0x7F) return {1, byte(0)};
  if (byte(0) == 0xC2 && byte(1) >= 0x80 && byte(1) <= 0x9F) return {2, byte(1)};
  if (byte(0) == 0xD8 && byte(1) == 0x9C) return {2, 0x61C};
  if (byte(0) < 0xE0 || byte(0) > 0xEF || byte(1) < 0x80 || byte(2) < 0x80) return {};
  const unsigned code = (byte(0) & 0xFU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU);
  const auto within = [&](unsigned low, unsigned high) { return code >= low && code <= high; };
  const bool is_hidden =
      within(0x200E, 0x200F) || within(0x2028, 0x202E) || within(0x2066, 0x2069) || code == 0xFEFF;
  return is_hidden ? HiddenCharacter{3, code} : HiddenCharacter{};
}

}  // namespace

std::string printable(std::string_view text) {
  const std::string escaped = fmt::format("{:?}", text);
  return visible(std::string_view(escaped).substr(1, escaped.size() - 2));
}

std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const HiddenCharacter hidden = hidden_at(text);
    if (hidden.length == 0) {
      shown += text.front();
      text.remove_prefix(1);
    } else {
      shown += fmt::format("\\u{{{:x}}}", hidden.code);
      text.remove_prefix(hidden.length);
    }
  }
  return shown;
}

std::string in_quotes(std::string_view text) {
  const bool cut = text.size() > kLongestText;
  return fmt::format("'{}{}'", printable(text.substr(0, kLongestText)), cut ? "..." : "");
}

std::string names_in_quotes(std::span<const std::string> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size() && i < kMostNames; ++i) {
    if (i > 0) list += ", ";
    list += in_quotes(names[i]);
  }
  if (names.size() > kMostNames) list += fmt::format(" and {} more", names.size() - kMostNames);
  return list;
}

}  // namespace probmix
