// Parsing of option values, and options shared by several commands.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/base/json.hpp"
#include "probmix/options/option.hpp"
#include "probmix/sweep/grid.hpp"

namespace probmix::app {

// The parts between delimiters, including empty ones; at least one part.
std::vector<std::string> split(std::string_view text, char delimiter);

// The whole text as a number: a number is never truncated, rounded or wrapped to fit. The library
// checks whether it makes sense.
template <class Number>
Number parse_number(const std::string& option, std::string_view text) {
  constexpr std::string_view kind = std::is_floating_point_v<Number> ? "a number"
                                    : std::is_signed_v<Number>       ? "a whole number"
                                                               : "a whole number of at least 0";
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  const bool complete = rest == end && !text.empty();
  check_usage(!complete || error != std::errc::result_out_of_range, "{} is out of range: {}",
              option, text);
  check_usage(complete && error == std::errc{}, "{} must be {}, not '{}'", option, kind, text);
  return value;
}

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& option, Number& target,
                        const std::string& help) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &target](const std::string& text) {
            target = parse_number<Number>(option, text);
          },
          help)
      ->type_name(std::is_floating_point_v<Number> ? "X" : "N")
      ->default_str(fmt::format("{}", target));
}

// A time in seconds, or with a unit: 90, 90s, 10m, 1.5h.
CLI::Option* add_duration(CLI::App& app, const std::string& option, double& seconds,
                          const std::string& help);

// A flag that takes no value and sets `target` to `value`.
CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& target,
                      const std::string& help, bool value = true);

// --threads: all processors by default.
CLI::Option* add_threads(CLI::App& app, Index& threads, const std::string& help);

// An option that takes a file.
CLI::Option* add_file(CLI::App& app, const std::string& option, std::filesystem::path& target,
                      const std::string& help);

// The command line's spelling of an option: --learning-rate.
std::string spelled(std::string_view option);

// Different names separated by commas; a name with a comma is in double quotes.
std::vector<std::string> parse_names(const std::string& option, const std::string& text);

// Numbers or names separated by commas; "none" means an empty list of numbers.
template <class Number>
CLI::Option* add_list(CLI::App& app, const std::string& option, std::vector<Number>& target,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &target](const std::string& text) {
            target.clear();
            if (text == "none") return;
            for (const std::string& part : split(text, ',')) {
              target.push_back(parse_number<Number>(option, part));
            }
          },
          help)
      ->type_name(std::is_floating_point_v<Number> ? "X,X,..." : "N,N,...")
      ->default_str(fmt::format("{}", fmt::join(target, ",")));
}
CLI::Option* add_list(CLI::App& app, const std::string& option, std::vector<std::string>& target,
                      const std::string& help);

// Adds the training options (options/option.hpp) that the filter accepts; by default all.
// `options` must outlive the parse.
using OptionFilter = std::function<bool(const Option&)>;
void add_fit_options(
    CLI::App& app, FitOptions& options,
    const OptionFilter& is_wanted = [](const Option&) { return true; });

// Adds lists of values for the settings that a study varies: alpha, beta and pooling.
void add_grid_options(CLI::App& app, Grid& grid);

// The names of the training options that were given. Call it after the parse, like the next one.
std::vector<std::string> given_options(const CLI::App& app);
// A line for each training option that was given but has no effect on any of these trainings.
std::vector<std::string> unused_options(const CLI::App& app, const std::vector<FitOptions>& fits);

// "all" (of the paper), or different names separated by commas. Throws a UsageError that lists the
// accepted ones.
std::vector<const Method*> parse_methods(const std::string& names);

}  // namespace probmix::app
