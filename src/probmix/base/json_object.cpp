#include "probmix/base/json_object.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/base/printable.hpp"

namespace probmix {

JsonObject::JsonObject(const Json& value, std::string where)
    : value_(value), where_(std::move(where)) {
  check(value.is_object(), "{}: {} is not a JSON object", where_, in_quotes(json_text(value)));
}

const Json& JsonObject::at(std::string_view key) const {
  const auto found = value_.find(key);
  check(found != value_.end(), "{}: {} is missing", where_, in_quotes(key));
  return *found;
}

void JsonObject::fail(std::string_view key, const Json& value, const std::string& what) const {
  throw Error(fmt::format("{}: {} must be {}, but it is {}", where_, in_quotes(key), what,
                          in_quotes(json_text(value))));
}

double JsonObject::number(std::string_view key, double low, double high) const {
  const Json& value = at(key);
  // JSON has no NaN; a number too large for a double is read as infinity.
  const double found = value.is_number() ? value.get<double>() : high + 1;
  if (!value.is_number() || !(found >= low && found <= high)) {
    fail(key, value, fmt::format("a number from {:g} to {:g}", low, high));
  }
  return found;
}

namespace {

bool is_integer(const Json& value, long long low, long long high) {
  if (value.is_number_unsigned()) {
    return value.get<unsigned long long>() <=
               static_cast<unsigned long long>(std::max(high, 0LL)) &&
           value.get<long long>() >= low;
  }
  return value.is_number_integer() && value.get<long long>() >= low &&
         value.get<long long>() <= high;
}

}  // namespace

long long JsonObject::integer(std::string_view key, long long low, long long high) const {
  const Json& value = at(key);
  if (!is_integer(value, low, high)) {
    fail(key, value, fmt::format("a whole number from {} to {}", low, high));
  }
  return value.get<long long>();
}

bool JsonObject::flag(std::string_view key) const {
  const Json& value = at(key);
  if (!value.is_boolean()) fail(key, value, "true or false");
  return value.get<bool>();
}

std::string JsonObject::text(std::string_view key) const {
  const Json& value = at(key);
  if (!value.is_string()) fail(key, value, "a string");
  return value.get<std::string>();
}

std::size_t JsonObject::choice(std::string_view key,
                               std::span<const std::string_view> names) const {
  const std::string found = text(key);
  const auto place = std::ranges::find(names, found);
  if (place == names.end()) fail(key, at(key), fmt::format("one of {}", fmt::join(names, ", ")));
  return static_cast<std::size_t>(place - names.begin());
}

const Json& JsonObject::list(std::string_view key) const {
  const Json& value = at(key);
  if (!value.is_array()) fail(key, value, "a list");
  return value;
}

std::vector<double> JsonObject::numbers(std::string_view key) const {
  std::vector<double> found;
  for (const Json& value : list(key)) {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      fail(key, value, "a list of numbers");
    }
    found.push_back(value.get<double>());
  }
  return found;
}

std::vector<long long> JsonObject::integers(std::string_view key, long long low,
                                            long long high) const {
  std::vector<long long> found;
  for (const Json& value : list(key)) {
    if (!is_integer(value, low, high)) {
      fail(key, value, fmt::format("a list of whole numbers from {} to {}", low, high));
    }
    found.push_back(value.get<long long>());
  }
  return found;
}

std::vector<std::string> JsonObject::texts(std::string_view key) const {
  std::vector<std::string> found;
  for (const Json& value : list(key)) {
    if (!value.is_string()) fail(key, value, "a list of strings");
    found.push_back(value.get<std::string>());
  }
  return found;
}

JsonObject JsonObject::object(std::string_view key) const {
  return {at(key), fmt::format("{}, {}", where_, key)};
}

std::vector<JsonObject> JsonObject::objects(std::string_view key) const {
  std::vector<JsonObject> found;
  std::size_t number = 1;
  for (const Json& value : list(key)) {
    found.emplace_back(value, fmt::format("{}, {} {}", where_, key, number++));
  }
  return found;
}

}  // namespace probmix
