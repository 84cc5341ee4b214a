// Queries on this project's Vega-Lite specifications, for tests.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/report/page/vega.hpp"

namespace probmix::report {

// All layers, including nested ones.
inline std::vector<Json> layers_of(const Json& spec) {
  std::vector<Json> found;
  for (const Json& layer : spec.at("layer")) {
    if (!layer.contains("layer")) {
      found.push_back(layer);
      continue;
    }
    for (const Json& inner : layers_of(layer)) found.push_back(inner);
  }
  return found;
}

inline std::vector<std::string> marks(const Json& spec) {
  std::vector<std::string> types;
  for (const Json& layer : layers_of(spec)) types.push_back(layer.at("mark").at("type"));
  return types;
}

inline std::size_t count_marks(const Json& spec, std::string_view type) {
  std::size_t count = 0;
  for (const std::string& mark : marks(spec)) count += mark == type;
  return count;
}

// The first layer of this mark and colour (any, if empty); null if there is none.
inline Json find_layer(const Json& spec, std::string_view type, std::string_view colour = "") {
  for (const Json& layer : layers_of(spec)) {
    const Json& mark = layer.at("mark");
    if (mark.at("type") == type && (colour.empty() || mark.value("color", Json()) == colour)) {
      return layer;
    }
  }
  return nullptr;
}

// The rows that a layer draws: its own, or those of the chart.
inline Json rows_of(const Json& spec, const Json& layer) {
  return (layer.contains("data") ? layer : spec).at("data").at("values");
}

// Empty if every layer has a mark, its fields are in its data, and channels of one name share one
// domain and title; else what is wrong. A page needs more: tests/cli/page_test.py draws it.
inline std::string spec_error(const Json& spec) {
  if (spec.value("width", Json()) != "container") return "not as wide as its place";
  for (const Json& layer : layers_of(spec)) {
    const Json rows = rows_of(spec, layer);
    if (layer.contains("transform") && layer["transform"][0].contains("flatten")) continue;
    for (const auto& [channel, encoding] : layer.at("encoding").items()) {
      const Json all = encoding.is_array() ? encoding : Json::array({encoding});
      for (const Json& one : all) {
        if (!one.contains("field") || rows.empty()) continue;
        if (!rows.front().contains(one.at("field").get<std::string>())) {
          return channel + ": no field " + exact_json_text(one.at("field"));
        }
      }
    }
  }
  return "";
}

}  // namespace probmix::report
