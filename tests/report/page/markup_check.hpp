// A tiny well-formedness check for the markup this project writes: tags nest and close, attributes
// are quoted and unique, every '&' starts an entity. HTML is held to the same (XML) rules, except
// that scripts may hold anything.
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace probmix::report {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline bool letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Every '&' starts one of the entities that escape_markup writes.
inline bool entities_valid(std::string_view text) {
  constexpr std::array<std::string_view, 5> known{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  for (std::size_t at = 0; (at = text.find('&', at)) != std::string_view::npos; ++at) {
    const std::string_view rest = text.substr(at);
    if (std::ranges::none_of(known, [&](auto entity) { return rest.starts_with(entity); })) {
      return false;
    }
  }
  return true;
}

// What follows the name of a tag: any number of ` name="value"`, no name twice.
inline bool attributes_valid(std::string_view rest) {
  std::set<std::string_view> names;
  while (!rest.empty()) {
    const std::size_t equals = rest.find("=\"");
    if (rest[0] != ' ' || equals == std::string_view::npos) return false;
    const std::string_view name = rest.substr(1, equals - 1);
    const std::size_t end = rest.find('"', equals + 2);
    if (name.empty() || end == std::string_view::npos || !names.insert(name).second) return false;
    if (!std::ranges::all_of(name, [](char c) { return letter(c) || c == '-'; })) return false;
    const std::string_view value = rest.substr(equals + 2, end - equals - 2);
    if (contains(value, "<") || !entities_valid(value)) return false;
    rest.remove_prefix(end + 1);
  }
  return true;
}

// Empty if well formed, else what is wrong and where.
inline std::string markup_error(std::string_view text) {
  if (text.starts_with("<!DOCTYPE html>")) text.remove_prefix(15);
  std::vector<std::string_view> open;
  int roots = 0;
  while (!text.empty()) {
    const std::string here = " near '" + std::string(text.substr(0, 60)) + "'";
    const std::size_t start = std::min(text.find('<'), text.size());
    const std::string_view content = text.substr(0, start);
    const bool css = !open.empty() && open.back() == "style";  // where selectors may have a '>'
    if (!entities_valid(content) || (!css && contains(content, ">"))) return "bare & or >" + here;
    text.remove_prefix(start);
    if (text.empty()) break;

    std::size_t end = 1;
    for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
      if (text[end] == '"') quoted = !quoted;
    }
    if (end == text.size()) return "unfinished tag" + here;
    std::string_view tag = text.substr(1, end - 1);
    text.remove_prefix(end + 1);
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return "closes what is not open" + here;
      open.pop_back();
      continue;
    }
    const bool empty_element = tag.ends_with('/');
    if (empty_element) tag.remove_suffix(1);
    const std::string_view name = tag.substr(0, tag.find(' '));
    if (name.empty() || !letter(name[0])) return "no tag name" + here;
    if (!attributes_valid(tag.substr(name.size()))) return "bad attributes" + here;
    if (open.empty() && ++roots > 1) return "second root" + here;
    if (!empty_element) open.push_back(name);
    if (name == "script") {
      const std::size_t last = text.find("</script");
      if (last == std::string_view::npos) return "unfinished script" + here;
      if (contains(text.substr(0, last), "<!--")) return "comment in a script" + here;
      text.remove_prefix(last);
    }
  }
  return open.empty() ? "" : "<" + std::string(open.back()) + "> is never closed";
}

}  // namespace probmix::report
