// Options: how values are read, and those that several commands share.
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/base/json.hpp"
#include "probmix/data/window_split.hpp"
#include "probmix/experiment/grid.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/nn/architecture.hpp"
#include "probmix/train/fit.hpp"

namespace probmix::app {

// The parts between delimiters, empty ones too: at least one.
std::vector<std::string> split(std::string_view text, char delimiter);

// The whole text as a number: nothing is cut, rounded or wrapped to fit. The range that makes sense
// is for the library to check.
template <class Number>
Number parse_number(const std::string& option, std::string_view text) {
  constexpr std::string_view kind = std::is_floating_point_v<Number> ? "a number"
                                    : std::is_signed_v<Number>       ? "a whole number"
                                                                     : "a whole number from 0";
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

// An option whose values have names; `target` (an enumeration, or an optional of one) receives the
// value at the position of the name. Names and default stand in the help.
template <class Target, std::size_t N>
CLI::Option* add_choice(CLI::App& app, const std::string& option, Target& target,
                        const std::array<std::string_view, N>& names, std::string help,
                        const std::string& default_text) {
  for (std::size_t k = 0; k < N; ++k) {
    help += k == 0 ? ": " : k + 1 == N ? " or " : ", ";
    help += names[k];
  }
  return app
      .add_option_function<std::string>(
          option,
          [&target, &names, what = option.substr(2)](const std::string& text) {
            const std::size_t position = check_choice(what, text, names);
            if constexpr (std::is_enum_v<Target>) {
              target = static_cast<Target>(position);
            } else {
              target = static_cast<typename Target::value_type>(position);
            }
          },
          help)
      ->type_name("NAME")
      ->default_str(default_text);
}

template <class Enum, std::size_t N>
CLI::Option* add_choice(CLI::App& app, const std::string& option, Enum& target,
                        const std::array<std::string_view, N>& names, const std::string& help) {
  return add_choice(app, option, target, names, help,
                    std::string(names[static_cast<std::size_t>(target)]));
}

// A flag that takes no value and sets `target` to `value`.
CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& target,
                      const std::string& help, bool value = true);

// An option that takes a file.
CLI::Option* add_file(CLI::App& app, const std::string& option, std::filesystem::path& target,
                      const std::string& help);

// Numbers or names separated by commas; "none", or the word `all`, gives an empty list.
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
                      const std::string& help, std::string_view all = "");

// The objects must outlive the parse. The mix has settings, of which a study takes several, and
// other options.
void add_setting_options(CLI::App& app, MixOptions& options);
void add_grid_options(CLI::App& app, Grid& grid);
void add_mix_options(CLI::App& app, MixOptions& options);
void add_train_options(CLI::App& app, TrainOptions& options);
void add_network_options(CLI::App& app, MlpOptions& options);
void add_sequence_network_options(CLI::App& app, Architecture& options);
void add_series_options(CLI::App& app, SeriesOptions& options);
void add_window_options(CLI::App& app, WindowOptions& windows, WindowSplitOptions& split);
void add_family_options(CLI::App& app, std::string& name, FamilyOptions& options);
void add_variance_options(CLI::App& app, FamilyOptions& options);  // those of the Gaussian

// A line for each option that was given and that is not among those that are `used`, as none of the
// methods, or of the networks (in words), makes use of it. After the parse.
std::vector<std::string> unused_options(const CLI::App& app, const Json& used,
                                        const std::vector<const Method*>& methods,
                                        const std::string& networks);

// "all", or names separated by commas, each once; throws a UsageError that lists what is accepted.
std::vector<const Method*> parse_methods(const std::string& names);

}  // namespace probmix::app
