#include "probmix/report/svg_element.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "probmix/report/text.hpp"

namespace probmix {

std::string svg_coordinate(double pixel) {
  std::string text = fmt::format("{:.2f}", std::clamp(pixel, -1e4, 1e4));
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string svg_point(char command, double x, double y) {
  return fmt::format("{}{} {}", command, svg_coordinate(x), svg_coordinate(y));
}

std::string svg_text(double x, double y, std::string_view css_class, std::string_view text,
                     std::string_view attributes) {
  return fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}>{}</text>\n", svg_coordinate(x),
                     svg_coordinate(y), escape_markup(css_class), attributes, escape_markup(text));
}

std::string svg_path(std::string_view shape, std::string_view css_class, std::string_view path) {
  if (path.empty()) return "";
  return fmt::format("<path class=\"{} {}\" d=\"{}\"/>\n", shape, escape_markup(css_class), path);
}

std::vector<std::string> wrap_words(std::string_view text, double width, double advance) {
  const auto fits = [&](std::string_view line) { return advance * display_width(line) <= width; };
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string word(text.substr(0, text.find(' ')));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (!fits(word)) return {};
    if (!lines.empty() && fits(lines.back() + ' ' + word)) {
      lines.back() += ' ' + word;
    } else {
      lines.push_back(word);
    }
  }
  return lines;
}

}  // namespace probmix
