// What the studies of the paper share on the command line.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "probmix/options/option.hpp"
#include "probmix/sweep/grid.hpp"
#include "probmix/sweep/plan.hpp"

namespace probmix::app {

struct StudyCommand {
  FitOptions fit = {};  // the study's preset, and what the user wants otherwise
  std::string methods = "all";
  Grid grid = {};
  Index threads = std::max(1U, std::thread::hardware_concurrency());
  Shard shard = {};
  bool json = false;
  std::filesystem::path out = {};   // results, one line for each run; empty: none
  std::filesystem::path page = {};  // HTML; empty: none
  bool check_only = false;          // stop before the first run
};

// The objects must outlive the parse.
void add_study_options(CLI::App& app, StudyCommand& command);
// The grid, and the options of a training that the study leaves open: those of mixing, training and
// the preset's network, and whichever else are named.
void add_preset_options(CLI::App& app, StudyCommand& command,
                        const std::vector<std::string_view>& others = {});
void add_data_option(CLI::App& app, std::string& directory, const std::string& help);

// The directory of --data if that is given, else of the environment variable PROBMIX_DATA.
// `what_files` ends the message of the Error if there is none, or it does not exist.
std::filesystem::path data_directory(const std::string& option, std::string_view what_files);

// "0-4,7": 0, 1, 2, 3, 4 and 7.
void add_ranges(CLI::App& app, const std::string& option, std::vector<Index>& target,
                const std::string& help);

// 0, 1, ..., n - 1. `what` is the name of n in messages.
std::vector<Index> run_numbers(Index n, std::string_view what = "runs");

// The trainings that a command asks for: each of the methods with each of the options.
std::vector<FitOptions> with_methods(const std::vector<FitOptions>& fits,
                                     const std::vector<const Method*>& methods);

// Runs a plan (its name, cells, repeats and tuning; the settings are those of the command's grid,
// the cells those of its shard), then prints the results and writes the page. A file with runs that
// differ in options which the study does not vary is refused. Before the first run come the
// `notices`, one line each. `conclude` adds what it says of all records; as JSON the results are
// then an object of "results" and its own members.
struct Conclusion {
  std::string text = {};
  Json json = {};
};
using Conclude = std::function<Conclusion(std::span<const RunRecord>)>;
void run_study(const StudyCommand& command, StudyPlan plan, const std::vector<std::string>& notices,
               const Conclude& conclude = {});

}  // namespace probmix::app
