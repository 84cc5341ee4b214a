// JSON whose objects keep the order of their keys.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

namespace probmix {

using Json = nlohmann::ordered_json;

// To five significant digits: enough for a picture, a third of the characters.
inline double rounded(double value) {
  if (value == 0 || !std::isfinite(value)) return value;
  const double unit = std::pow(10.0, 4 - std::floor(std::log10(std::abs(value))));
  return std::isfinite(unit) && unit > 0 ? std::round(value * unit) / unit : value;
}

// For JSON that others read: infinities of an object's values as the texts "inf" and "-inf".
inline Json without_infinities(Json object) {
  for (auto& [name, value] : object.items()) {
    if (!value.is_number_float() || !std::isinf(value.get<double>())) continue;
    value = value.get<double>() > 0 ? "inf" : "-inf";
  }
  return object;
}

}  // namespace probmix
