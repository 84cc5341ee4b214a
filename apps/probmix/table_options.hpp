// Shared by the commands that read a user's table.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "command_line.hpp"
#include "probmix/data/table_rows.hpp"
#include "probmix/model/inputs.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix::app {

// A training table, and how to read it.
struct TableSource {
  std::string path = {};
  CsvFormat format = {};
  std::vector<std::string> categories = {};  // columns to read as categories even if numeric
  bool sort = false;                         // by the column `time`
};

// The objects must outlive the parse.
void add_format_options(CLI::App& app, CsvFormat& format);
void add_sort_option(CLI::App& app, bool& sort);
void add_table_options(CLI::App& app, TableSource& source);  // includes add_format_options

// Reads the table, showing progress.
Frame read_table(const TableSource& source, const FitOptions& options);

// The rows of a table one after another; "-" means standard input.
std::unique_ptr<TableRows> open_rows(const std::string& path, const CsvFormat& format);

// Both read files that are not CSV with this, if it is not empty.
void set_read_other(ReadOther read_other);

// A required positional argument: a file, or - for standard input.
CLI::Option* add_input_file(CLI::App& app, const std::string& name, std::string& target,
                            const std::string& help);

// Prints a line for each kind of oddity in the rows; nothing if there is none.
void tell_oddities(const InputOddities& oddities);

}  // namespace probmix::app
