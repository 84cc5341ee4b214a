// The elements a chart is made of, as SVG text. Coordinates must be finite; text is escaped.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace probmix {

// At most two decimals; far outside of the picture all directions look alike, so huge values are
// pulled near and stay out of the SVG.
std::string svg_coordinate(double pixel);

// One command of a path: 'M' or 'L' and its point.
std::string svg_point(char command, double x, double y);

std::string svg_text(double x, double y, std::string_view css_class, std::string_view text,
                     std::string_view attributes = "");

// Nothing for an empty path. `shape` and `css_class` are both classes of the element.
std::string svg_path(std::string_view shape, std::string_view css_class, std::string_view path);

// Words in lines of at most `width` pixels, `advance` per character; none if a word is wider.
std::vector<std::string> wrap_words(std::string_view text, double width, double advance);

}  // namespace probmix
