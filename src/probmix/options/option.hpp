// An option of a training as a value: all that the command line, files, documentation and checks
// need to know about it. The one list of them is in option_list.cpp.
//
// Messages of the library name an option as `learning-rate`, in backquotes; each face (command
// line, Python) replaces that by its own spelling.
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

// What numbers are accepted. Infinity is not, unless `high` is infinite and included.
struct OptionRange {
  double low = -std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::max();
  bool excludes_low = false;
  bool excludes_high = false;

  bool contains(double value) const;
  std::string text() const;  // "from 1 to 64", "greater than 0"
};

// In the order of the help. Those of "Networks" are in model files too.
namespace option_group {
inline constexpr std::string_view columns = "Columns", series = "Series", responses = "Responses",
                                  mixing = "Mixing", training = "Training", networks = "Networks";
}  // namespace option_group

struct Option {
  enum class Kind { flag, whole, real, choice, wholes, name, names };

  std::string_view name = {};   // "learning-rate"
  std::string_view alias = {};  // an older or more special name
  std::string_view group = {};
  Kind kind = Kind::choice;
  std::string_view help = {};       // one line
  std::string_view automatic = {};  // the default, in words, where it depends on other options
  OptionRange range = {};           // of numbers
  std::span<const std::string_view> choices = {};
  std::function<Json(const FitOptions&)> get = {};         // null: left to depend on others
  std::function<void(FitOptions&, const Json&)> set = {};  // of a value that check() accepts
  // With these methods, networks and families it makes a difference.
  std::function<bool(const FitOptions&)> is_used = [](const FitOptions&) { return true; };

  // Throws a UsageError that names the option, the value and what is accepted.
  void check(const Json& value) const;
};

std::span<const Option> fit_option_list();

// By its name or alias; null if there is none.
const Option* find_option(std::string_view name);

// The options that make a difference and their values, by name: what a training is known by. Those
// of one group, or of all but the columns.
Json configuration_of(const FitOptions& options);
Json configuration_of(const FitOptions& options, std::string_view group);

// Sets the options of a group from what configuration_of wrote, which may have been anything since.
// Errors name the place.
void read_options(const JsonObject& json, std::string_view group, FitOptions& options);

// Names and values as text, for people.
std::vector<std::pair<std::string, std::string>> as_text(const Json& configuration);

// A message with every `name` in backquotes, which only names of options are, replaced by
// spell(name).
std::string with_spelling(std::string_view message,
                          const std::function<std::string(std::string_view)>& spell);

}  // namespace probmix
