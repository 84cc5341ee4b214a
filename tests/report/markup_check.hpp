// A tiny well-formedness check for the markup this project writes: tags nest and close, attributes
// are quoted and unique, every '&' starts an entity. HTML is held to the same (XML) rules.
#pragma once

#include <cctype>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace probmix {

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// Empty if well formed, else what is wrong and where.
inline std::string markup_error(std::string text) {
  if (text.starts_with("<!DOCTYPE html>")) text.erase(0, 15);
  static const std::regex entity("&(amp|lt|gt|quot|#39);");
  static const std::regex attribute(R"(\s+([A-Za-z][-A-Za-z]*)=\"([^\"<]*)\")");
  std::vector<std::string> open;
  std::size_t roots = 0;
  for (std::size_t i = 0; i < text.size();) {
    const std::string here = " near '" + text.substr(i, 60) + "'";
    if (text[i] == '&') {
      std::smatch match;
      const std::string rest = text.substr(i, 8);
      if (!std::regex_search(rest, match, entity, std::regex_constants::match_continuous)) {
        return "bare &" + here;
      }
      ++i;
    } else if (text[i] == '>') {
      // Allowed in CSS selectors only.
      if (open.empty() || open.back() != "style") return "bare >" + here;
      ++i;
    } else if (text[i] == '<') {
      std::size_t end = i + 1;
      for (bool quoted = false; end < text.size() && (quoted || text[end] != '>'); ++end) {
        if (text[end] == '"') quoted = !quoted;
      }
      if (end == text.size()) return "unfinished tag" + here;
      std::string tag = text.substr(i + 1, end - i - 1);
      i = end + 1;
      if (tag.starts_with('/')) {
        if (open.empty() || open.back() != tag.substr(1)) return "closes what is not open" + here;
        open.pop_back();
        continue;
      }
      const bool empty_element = tag.ends_with('/');
      if (empty_element) tag.pop_back();
      std::size_t name_end = 0;
      while (name_end < tag.size() && std::isalnum(static_cast<unsigned char>(tag[name_end]))) {
        ++name_end;
      }
      if (name_end == 0) return "no tag name" + here;
      std::set<std::string> names;
      std::string attributes = tag.substr(name_end);
      std::smatch match;
      while (
          std::regex_search(attributes, match, attribute, std::regex_constants::match_continuous)) {
        if (!names.insert(match[1]).second) return "attribute twice" + here;
        const std::string value = match[2];
        if (value.find('&') != std::string::npos &&
            std::regex_replace(value, entity, "").find('&') != std::string::npos) {
          return "bare & in attribute" + here;
        }
        attributes = match.suffix();
      }
      if (!attributes.empty()) return "bad attributes '" + attributes + "'" + here;
      if (open.empty() && ++roots > 1) return "second root" + here;
      if (!empty_element) open.push_back(tag.substr(0, name_end));
    } else {
      ++i;
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

// Numbers in attributes and text must be finite; words such as "training" or "info" may stay.
inline bool mentions_non_finite(const std::string& text) {
  static const std::regex non_finite(R"((^|[^A-Za-z])(nan|inf|infinity)([^A-Za-z]|$))",
                                     std::regex_constants::icase);
  return std::regex_search(text, non_finite);
}

}  // namespace probmix
