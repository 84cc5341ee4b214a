// Reading the golden values that the scripts of tests/golden write.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "probmix/base/json.hpp"
#include "probmix/family/families.hpp"

namespace probmix::test {

nlohmann::json read_golden(const std::string& name);

// The constant of an enumeration whose name is entry[key].
template <class Enum, class Names>
Enum golden_choice(const nlohmann::json& entry, const char* key, const Names& names) {
  return static_cast<Enum>(check_choice(key, entry.at(key).get<std::string>(), names));
}

inline Family golden_family(const nlohmann::json& entry) {
  const nlohmann::json& given = entry.at("options");
  return make_family(
      entry.at("family").get<std::string>(),
      {.responses = given.at("responses"),
       .classes = given.at("classes"),
       .components = given.value("components", FamilyOptions().components),
       .homoscedastic = given.at("homoscedastic"),
       .positive = {golden_choice<Positive::Kind>(given, "positive", Positive::kind_names),
                    given.at("floor")}});
}

}  // namespace probmix::test
