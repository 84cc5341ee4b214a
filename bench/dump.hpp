// One step as numbers, so that other implementations can recompute its loss and gradient.
#pragma once

#include <string>

#include "training_step.hpp"

namespace probmix::bench {

// Runs the first step of a new `training`, and returns its data, initial parameters, draw, loss and
// gradient as a JSON object.
std::string dump_first_step(TrainingStep& training);

}  // namespace probmix::bench
