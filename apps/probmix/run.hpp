// Running a command line: options are read, errors become one line and an exit code.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

namespace probmix::app {

// Our look of --help; before commands are added, as they inherit it.
void set_help(CLI::App& root);

// The commands of an app, separated by commas.
std::string command_names(const CLI::App& parent);

// Parses, which runs the callbacks of commands, and then calls `body`. Exit code 0: done; 2: wrong
// usage; 130: the user stopped it; 1: anything else, with one line on stderr.
int run(
    CLI::App& root, int argc, char** argv, const std::function<void()>& body = [] {});

}  // namespace probmix::app
