// The toy regression on the terminal, shared by `reproduce toy-regression` and `demo`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <thread>

#include "probmix/experiment/toy_study.hpp"

namespace probmix::app {

struct ToyCommand {
  ToyRegression study;
  std::string methods = "all";
  Index runs = 10;
  Index threads = std::max(1U, std::thread::hardware_concurrency());
  bool json = false;
  std::filesystem::path out;  // the HTML page; empty: none
};

// What both commands offer; the command must outlive the parse.
void add_run_options(CLI::App& app, ToyCommand& command);

void run(const ToyCommand& command);

}  // namespace probmix::app
