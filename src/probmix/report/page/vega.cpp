#include "probmix/report/page/vega.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "probmix/report/page/text.hpp"

namespace probmix::embedded {
std::string_view vega_js();
std::string_view charts_js();
}  // namespace probmix::embedded

namespace probmix::report {

std::string script_json(const Json& json) {
  const std::string plain = json_text(json);
  std::string safe;
  safe.reserve(plain.size());
  // These characters occur only inside strings, where an escape means the same.
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const char c = plain[i];
    const std::string_view three = std::string_view(plain).substr(i, 3);
    if (c == '<' || c == '>' || c == '&') {
      safe += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else if (three == "\u2028" || three == "\u2029") {  // ends a line of JavaScript
      safe += three == "\u2028" ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string legend_markup(std::span<const LegendItem> items) {
  if (items.empty()) return "";
  constexpr std::array<std::string_view, 6> classes{"line",   "dashed",  "area",
                                                    "points", "diamond", "marker"};
  std::string out = "<ul class=\"legend\">\n";
  for (const LegendItem& item : items) {
    out += fmt::format("<li><span class=\"swatch {}\" style=\"color:{}\"></span>{}</li>\n",
                       classes.at(static_cast<std::size_t>(item.swatch)),
                       escape_markup(item.colour), escape_markup(item.label));
  }
  return out + "</ul>\n";
}

std::string figure_markup(const Figure& figure, bool with_legend) {
  std::string out = "<figure>\n";
  if (!figure.title.empty()) {
    out += fmt::format("<p class=\"title\">{}</p>\n", escape_markup(figure.title));
  }
  if (with_legend) out += legend_markup(figure.legend);
  out += fmt::format(
      "<div class=\"chart\" role=\"img\" aria-label=\"{}\">"
      "<script type=\"application/json\">{}</script></div>\n",
      escape_markup(figure.alt), script_json(figure.spec));
  if (!figure.caption.empty()) {
    out += fmt::format("<figcaption>{}</figcaption>\n", escape_markup(figure.caption));
  }
  return out + "</figure>\n";
}

std::string chart_scripts() {
  return fmt::format("<script>\n{}\n</script>\n<script>\n{}</script>\n", embedded::vega_js(),
                     embedded::charts_js());
}

}  // namespace probmix::report
