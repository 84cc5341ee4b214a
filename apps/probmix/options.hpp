// Options that several commands share.
#pragma once

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/error.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/mix/options.hpp"
#include "probmix/nn/network.hpp"
#include "probmix/train/fit.hpp"

namespace probmix::app {

// An option whose values have names; `target` (an enumeration, or an optional of one) receives the
// value at the position of the name. Names and default stand in the help.
template <class Target, std::size_t N>
void add_choice(CLI::App& app, const std::string& option, Target& target,
                const std::array<std::string_view, N>& names, const std::string& help,
                const std::string& default_text) {
  std::string accepted;
  for (const std::string_view name : names) {
    accepted += accepted.empty() ? "" : "|";
    accepted += name;
  }
  app.add_option_function<std::string>(
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
      ->type_name(accepted)
      ->default_str(default_text);
}

template <class Enum, std::size_t N>
void add_choice(CLI::App& app, const std::string& option, Enum& target,
                const std::array<std::string_view, N>& names, const std::string& help) {
  add_choice(app, option, target, names, help,
             std::string(names[static_cast<std::size_t>(target)]));
}

// The objects must outlive the parse.
void add_mix_options(CLI::App& app, MixOptions& options);
void add_train_options(CLI::App& app, TrainOptions& options);
void add_network_options(CLI::App& app, MlpOptions& options);
void add_variance_options(CLI::App& app, Positive& positive);

// "all", or names separated by commas; throws a UsageError that lists what is accepted.
std::vector<const Method*> parse_methods(const std::vector<std::string>& names);

}  // namespace probmix::app
