// What commands on one's own tables share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/model/fit_model.hpp"

namespace probmix::app {

// The objects must outlive the parse.
void add_format_options(CLI::App& app, CsvFormat& format);
// What is learned, and how: all of FitOptions but the method.
void add_fit_options(CLI::App& app, FitOptions& options, std::vector<std::string>& categories);
// Options whose defaults depend on others. After the parse.
void complete_fit_options(const CLI::App& app, FitOptions& options);

// A line for each option that was given and of which none of the methods, or not the network, makes
// use. After the parse.
void tell_unused(const CLI::App& app, const FitOptions& options,
                 const std::vector<const Method*>& methods);

// Reads a table with what --separator and so on say, and shows progress.
Frame read_table(const std::string& path, const CsvFormat& format,
                 const std::vector<std::string>& categories);

// The positional argument of a file, or - for standard input.
CLI::Option* add_input_file(CLI::App& app, const std::string& name, std::string& target,
                            const std::string& help);

// A line for what was odd about rows; nothing if all was well.
void tell_oddities(const InputOddities& oddities);

}  // namespace probmix::app
