#include "probmix/base/printable.hpp"

#include <fmt/format.h>

namespace probmix {
namespace {

constexpr std::size_t kLongestText = 80;
constexpr std::size_t kMostNames = 20;

}  // namespace

std::string printable(std::string_view text) {
  const std::string escaped = fmt::format("{:?}", text);
  return escaped.substr(1, escaped.size() - 2);
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
