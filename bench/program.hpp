// What the benchmark programs share: options of a step, output, errors as one line.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "training_step.hpp"

namespace probmix::bench {

using Json = nlohmann::ordered_json;

void add_step_options(CLI::App& app, StepSettings& step);

// A line for each key.
std::string to_text(const Json& json);

// Reads the options and runs. Exit code 0: done; 2: wrong usage; 1: anything else.
int run_program(CLI::App& app, int argc, char** argv, const std::function<void()>& run);

}  // namespace probmix::bench
