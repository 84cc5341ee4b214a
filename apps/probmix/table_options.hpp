// What commands on one's own tables share.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "probmix/data/frame.hpp"
#include "probmix/model/inputs.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix::app {

// A table that a model learns from, and how it is read.
struct TableSource {
  std::string path = {};
  CsvFormat format = {};
  std::vector<std::string> categories = {};  // columns that are categories, though of numbers
  bool sort = false;                         // by the column of `time`
};

// The objects must outlive the parse.
void add_format_options(CLI::App& app, CsvFormat& format);
void add_sort_option(CLI::App& app, bool& sort);
void add_table_options(CLI::App& app, TableSource& source);  // those of the format too

// Shows progress.
Frame read_table(const TableSource& source, const FitOptions& options);

// The positional argument of a file, or - for standard input.
CLI::Option* add_input_file(CLI::App& app, const std::string& name, std::string& target,
                            const std::string& help);

// A line for what was odd about rows; nothing if all was well.
void tell_oddities(const InputOddities& oddities);

}  // namespace probmix::app
