// What the benchmark programs share: the options of a step, and their output.
#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "training_step.hpp"

namespace probmix::bench {

using Json = nlohmann::ordered_json;

void add_step_options(CLI::App& app, StepSettings& step);

// A line for each key.
std::string to_text(const Json& json);

}  // namespace probmix::bench
