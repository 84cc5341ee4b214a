// Describes a training option: everything that the command line, files, documentation and checks
// need to know about it. They are declared in data_options.cpp,
// training_options.cpp and model_options.cpp.
//
// Library messages name an option in backquotes, as in `learning-rate`; each interface (command
// line, Python) substitutes its own spelling.
#pragma once

#include <functional>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probmix/base/json.hpp"
#include "probmix/base/json_object.hpp"
#include "probmix/options/fit_options.hpp"

namespace probmix {

// The accepted numbers. Infinity is accepted only if `high` is infinite and included.
struct OptionRange {
  double low = -std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::max();
  bool excludes_low = false;
  bool excludes_high = false;

  bool contains(double value) const;
  std::string text() const;  // "from 1 to 64", "greater than 0"
};

// Groups of options. Those of "Networks" are stored in model files too.
namespace option_group {
inline constexpr std::string_view columns = "Columns", series = "Series", responses = "Responses",
                                  mixing = "Mixing", training = "Training", networks = "Networks";
}  // namespace option_group

struct Option {
  enum class Kind { flag, whole, real, choice, wholes, name, names };

  std::string_view name = {};   // "learning-rate"
  std::string_view alias = {};  // an older or more specific name
  std::string_view group = {};
  Kind kind = Kind::choice;
  std::string_view help = {};       // one line
  std::string_view automatic = {};  // the default in words, if it depends on other options
  OptionRange range = {};           // of numbers
  std::span<const std::string_view> choices = {};
  std::function<Json(const FitOptions&)> get = {};         // null: depends on other options
  std::function<void(FitOptions&, const Json&)> set = {};  // to a value that check() accepts
  // Whether it has an effect with these methods, networks and families.
  std::function<bool(const FitOptions&)> is_used = [](const FitOptions&) { return true; };

  // Throws a UsageError that names the option, the value and what is accepted.
  void check(const Json& value) const;
};

std::span<const Option> fit_option_list();

// Finds an option by name or alias; null if there is none.
const Option* find_option(std::string_view name);

// The options that have an effect, with their values, by name: they identify a training. All but
// those of "Columns", or those of one group.
Json configuration_of(const FitOptions& options);
Json configuration_of(const FitOptions& options, std::string_view group);

// Sets an option, or those of a group, from the (untrusted) output of configuration_of. Errors name
// the place.
void read_option(const JsonObject& json, const Option& option, FitOptions& options);
void read_options(const JsonObject& json, std::string_view group, FitOptions& options);

// Names and values as text, for display.
std::vector<std::pair<std::string, std::string>> as_text(const Json& configuration);

// The message with every `name` in backquotes replaced by spell(name). Only names of options are in
// backquotes.
std::string with_spelling(std::string_view message,
                          const std::function<std::string(std::string_view)>& spell);

}  // namespace probmix
