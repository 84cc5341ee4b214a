// An untrusted JSON object: each value is checked when it is read.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/json.hpp"

namespace probmix {

class JsonObject {
 public:
  // Messages begin with `where`: "'m.safetensors', inputs". Throws an Error if not an object.
  JsonObject(const Json& value, std::string where);

  const std::string& where() const { return where_; }
  bool has(std::string_view key) const { return value_.contains(key); }
  // The value, whatever its type; throws an Error if the key is missing.
  const Json& value(std::string_view key) const { return at(key); }

  // All throw an Error that names the place, the key, the value and what is accepted.
  double number(std::string_view key, double low = -largest, double high = largest) const;
  long long integer(std::string_view key, long long low, long long high) const;
  bool flag(std::string_view key) const;
  std::string text(std::string_view key) const;
  std::size_t choice(std::string_view key, std::span<const std::string_view> names) const;
  std::vector<double> numbers(std::string_view key) const;
  std::vector<long long> integers(std::string_view key, long long low, long long high) const;
  std::vector<std::string> texts(std::string_view key) const;
  JsonObject object(std::string_view key) const;
  std::vector<JsonObject> objects(std::string_view key) const;

 private:
  static constexpr double largest = std::numeric_limits<double>::max();

  const Json& at(std::string_view key) const;
  const Json& list(std::string_view key) const;
  [[noreturn]] void fail(std::string_view key, const Json& value, const std::string& what) const;

  const Json& value_;  // must outlive this
  std::string where_;
};

}  // namespace probmix
