// JSON whose objects keep the order of their keys.
#pragma once

#include <nlohmann/json.hpp>

namespace probmix {

using Json = nlohmann::ordered_json;

}  // namespace probmix
