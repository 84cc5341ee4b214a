// Parts of a model as JSON, and back. What is read may be anything: sizes and values are checked,
// and the errors name the place.
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
// `custom` is the density of a program's own that the target was trained with, if it was.
Target read_target(const JsonObject& target, std::shared_ptr<const AnyDensity> custom = nullptr);
Architecture read_architecture(const JsonObject& network);

}  // namespace probmix
