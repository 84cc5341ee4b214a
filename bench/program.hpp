// What the benchmark programs share: the options of a step, and their output.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "probmix/base/json.hpp"
#include "training_step.hpp"

namespace probmix::bench {

void add_step_options(CLI::App& app, StepSettings& step);

// A line for each key.
std::string to_text(const Json& json);

}  // namespace probmix::bench
