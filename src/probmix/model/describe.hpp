// Converts parts of a model to JSON and back. The JSON is untrusted: sizes and values are checked,
// and errors name the place.
#pragma once

#include <memory>

#include "probmix/base/json_object.hpp"
#include "probmix/model/inputs.hpp"
#include "probmix/model/target.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix {

Json describe(const Inputs& inputs);
Json describe(const Target& target);
Json describe(const Architecture& architecture);

Inputs read_inputs(const JsonObject& model);
// `custom` is the program's own density that the target was trained with, if any.
Target read_target(const JsonObject& target, std::shared_ptr<const AnyDensity> custom = nullptr);
Architecture read_architecture(const JsonObject& network);

}  // namespace probmix
