#include "probmix/report/charts/spec.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/report/page/text.hpp"

namespace probmix::report {
namespace {

// Vega-Lite writes titles into expressions (for tooltips) and escapes only their quotes: a
// backslash or a line break would make the expression invalid.
std::string as_title(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view before = text;
    const char32_t c = take_code_point(text);
    if (c == U'\\') {
      out += "\u2216";  // looks the same
    } else if (c < 32 || c == U'\u2028' || c == U'\u2029') {
      out += ' ';
    } else {
      out += before.substr(0, before.size() - text.size());
    }
  }
  return out;
}

}  // namespace

std::string colour::category(std::size_t k) { return fmt::format("var(--c{})", k % 8); }

Json category_dash(std::size_t k) {
  const std::size_t round = k / 8 % 3;
  return round == 0 ? Json::array() : round == 1 ? Json::array({6, 3}) : Json::array({2, 4});
}

LegendItem category_item(std::size_t k, std::string label) {
  return {category_dash(k).empty() ? Swatch::line : Swatch::dashed, colour::category(k),
          std::move(label)};
}

Json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  if (value == std::trunc(value) && std::abs(value) < 9e15) return static_cast<long long>(value);
  return std::strtod(fmt::format("{:.7g}", value).c_str(), nullptr);
}

Json rows(std::initializer_list<Field> columns) {
  const std::size_t count = columns.size() == 0 ? 0 : columns.begin()->second.size();
  Json values = Json::array();
  for (const auto& [name, column] : columns) {
    check(column.size() == count, "column {} has {} values, but {} has {}", name, column.size(),
          columns.begin()->first, count);
  }
  for (std::size_t r = 0; r < count; ++r) {
    Json row = Json::object();
    for (const auto& [name, column] : columns) row[std::string(name)] = number(column[r]);
    values.push_back(std::move(row));
  }
  return values;
}

Json quantitative(std::string_view field, std::string_view title, Range domain) {
  domain = drawable(domain);
  return {{"field", field},
          {"type", "quantitative"},
          {"title", title.empty() ? Json(nullptr) : Json(as_title(title))},
          {"scale",
           {{"domain", Json::array({number(domain.low), number(domain.high)})},
            {"nice", false},
            {"zero", false}}}};
}

Json tip(std::string_view field, std::string_view title, std::string_view format) {
  return {
      {"field", field}, {"type", "quantitative"}, {"title", as_title(title)}, {"format", format}};
}

Json layer(Json mark, Json encoding, Json data) {
  Json out = Json::object();
  if (!data.is_null()) out["data"] = {{"values", std::move(data)}};
  out["mark"] = std::move(mark);
  out["encoding"] = std::move(encoding);
  return out;
}

Json nearest_tip(Json x, Json tooltip) {
  Json out =
      layer({{"type", "rule"}, {"color", colour::soft}},
            {{"x", std::move(x)},
             {"opacity",
              {{"condition", {{"param", "near"}, {"empty", false}, {"value", 0.7}}}, {"value", 0}}},
             {"tooltip", std::move(tooltip)}});
  out["params"] = Json::array({{{"name", "near"},
                                {"select",
                                 {{"type", "point"},
                                  {"on", "pointerover"},
                                  {"clear", "pointerout"},
                                  {"nearest", true},
                                  {"encodings", Json::array({"x"})}}}}});
  return out;
}

Json dashed_line(Json x, Json y, double x1, double y1, double x2, double y2) {
  x["field"] = "x";
  y["field"] = "y";
  return layer({{"type", "line"},
                {"color", colour::truth},
                {"strokeWidth", 1.2},
                {"strokeCap", "butt"},
                {"strokeDash", {4, 3}},
                {"clip", true}},
               {{"x", std::move(x)}, {"y", std::move(y)}},
               rows({{"x", std::vector{x1, x2}}, {"y", std::vector{y1, y2}}}));
}

Json chart(double height, Json layers, Json data) {
  Json out = {{"width", "container"},
              {"height", height},
              {"autosize", {{"type", "fit-x"}, {"contains", "padding"}}}};
  // Layers may have their own data; an empty table keeps Vega-Lite from looking elsewhere.
  out["data"] = {{"values", data.is_null() ? Json::array() : std::move(data)}};
  out["layer"] = std::move(layers);
  return out;
}

void check_length(std::string_view title, std::string_view what, std::size_t found,
                  std::string_view of, std::size_t wanted) {
  check(found == wanted, "picture '{}': {} has {} values, but {} has {}", title, what, found, of,
        wanted);
}

}  // namespace probmix::report
