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

#include "probmix/experiment/grid.hpp"
#include "probmix/experiment/plan.hpp"
#include "probmix/experiment/trial.hpp"
#include "probmix/nn/architecture.hpp"

namespace probmix::app {

struct StudyCommand {
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
void add_trial_options(CLI::App& app, StudyCommand& command, TrialOptions& trial);
void add_data_option(CLI::App& app, std::string& directory, const std::string& help);

// "0-4,7": 0, 1, 2, 3, 4 and 7.
void add_ranges(CLI::App& app, const std::string& option, std::vector<Index>& target,
                const std::string& help);

// 0, 1, ..., n - 1. `what` is the name of n in messages.
std::vector<Index> run_numbers(Index n, std::string_view what = "runs");

// A line for each option of the mix that none of the methods makes use of, and of networks that are
// not asked for. After the parse.
std::vector<std::string> unused_options(const CLI::App& app, const TrialOptions& trial,
                                        const std::vector<const Method*>& methods,
                                        const std::vector<Architecture>& networks = {});

// Runs what is left of a plan (its name, cells, repeats and tuning; the settings are those of the
// command's grid, the cells those of its shard), then prints the results and writes the page. A
// file with runs that differ in options which the study does not vary is refused. Before the first
// run come the `notices`, one line each.
// All have what `conclude` says of all records; as JSON they are then an object of "results" and
// its own members.
struct Conclusion {
  std::string text = {};
  Json json = {};
};
using Conclude = std::function<Conclusion(std::span<const RunRecord>)>;
void run_study(const StudyCommand& command, StudyPlan plan, const MixOptions& mix,
               const Conclude& conclude = {}, const std::vector<std::string>& notices = {});

}  // namespace probmix::app
