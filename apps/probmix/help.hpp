// The help of every command: usage, commands, options by group with their defaults, examples.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace probmix::app {

// For CLI::App::formatter_fn; `name` is the command with its parents, or empty for the root.
std::string help(const CLI::App* app, std::string name, CLI::AppFormatMode mode);

}  // namespace probmix::app
