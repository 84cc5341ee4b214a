// Command line parts shared by the studies of the paper.
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
#include "probmix/report/page/table.hpp"
#include "probmix/sweep/grid.hpp"
#include "probmix/sweep/plan.hpp"

namespace probmix::app {

struct StudyCommand {
  FitOptions fit = {};  // the study's preset with the user's changes
  std::string methods = "all";
  Grid grid = {};
  Index threads = 1;
  Shard shard = {};
  bool json = false;
  std::filesystem::path out = {};   // results, one line per run; empty: none
  std::filesystem::path page = {};  // HTML; empty: none
  bool check_only = false;          // stop before the first run
};

// The objects must outlive the parse.
void add_study_options(CLI::App& app, StudyCommand& command);
// Adds the grid and the training options that the study leaves open: those of mixing, training and
// the preset's network, and the options or groups named in `others`.
void add_preset_options(CLI::App& app, StudyCommand& command,
                        const std::vector<std::string_view>& others = {});
void add_data_option(CLI::App& app, std::string& directory, const std::string& help);

// The directory given by --data, else by the environment variable PROBMIX_DATA. Throws an Error
// that ends with `what_files` if neither is given, or it does not exist.
std::filesystem::path data_directory(const std::string& option, std::string_view what_files);

// "0-4,7": 0, 1, 2, 3, 4 and 7.
void add_ranges(CLI::App& app, const std::string& option, std::vector<Index>& target,
                const std::string& help);

// 0, 1, ..., n - 1. Messages call n `what`.
std::vector<Index> run_numbers(Index n, std::string_view what = "runs");

// All combinations of these options and methods.
std::vector<FitOptions> with_methods(const std::vector<FitOptions>& fits,
                                     const std::vector<const Method*>& methods);

// Runs a plan, then prints the results and writes the page. The plan gives name, cells, repeats and
// tuning; the settings come from the command's grid, and only the cells of its shard run. A file
// with runs that differ in options that the study does not vary is refused. The `notices` are
// printed before the first run, one line each. `conclude` adds a conclusion from all records; with
// members for the JSON, this is an object of "results" and these instead of an array.
struct Conclusion {
  std::string text = {};
  Json json = {};
  std::vector<report::Table> tables = {};  // printed after the results, with their captions
};
using Conclude = std::function<Conclusion(std::span<const RunRecord>)>;
void run_study(const StudyCommand& command, StudyPlan plan, const std::vector<std::string>& notices,
               const Conclude& conclude = {});

}  // namespace probmix::app
