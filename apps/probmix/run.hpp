// Runs a command line: parses options, and turns errors into one line and an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace probmix::app {

// Sets the layout of --help. Call it before adding commands, which inherit it.
void set_help(CLI::App& root);

// The commands of an app, separated by commas.
std::string command_names(const CLI::App& parent);

// Parses, which runs the callbacks of commands, then calls `body`. Exit code 0: done; 2: wrong
// usage; 130: stopped by the user; 1: any other error. Errors print one line on stderr.
int run(
    CLI::App& root, int argc, char** argv, const std::function<void()>& body = [] {});

}  // namespace probmix::app
