// Parts of a model as JSON, and back. What is read may be anything: sizes and values are checked,
// and the errors name the place.
#pragma once

#include "probmix/base/json_object.hpp"
#include "probmix/model/inputs.hpp"
#include "probmix/model/target.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix {

Json describe(const Inputs& inputs);
Json describe(const Target& target);
// As configuration_of, but whole: read_architecture gives the same back.
Json describe(const Architecture& architecture);

Inputs read_inputs(const JsonObject& model);
Target read_target(const JsonObject& target);
Architecture read_architecture(const JsonObject& network);

}  // namespace probmix
