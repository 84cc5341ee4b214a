#include "probmix/options/option.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/nn/limits.hpp"
#include "probmix/options/candidates.hpp"

namespace probmix {
namespace {

constexpr std::size_t most_layers = limits::layers;  // of a list of widths

std::string accepted(const Option& option) {
  switch (option.kind) {
    case Option::Kind::flag:
      return "true or false";
    case Option::Kind::whole:
      return fmt::format("a whole number {}", option.range.text());
    case Option::Kind::real:
      return fmt::format("a number {}", option.range.text());
    case Option::Kind::choice:
      return fmt::format("one of {}", fmt::join(option.choices, ", "));
    case Option::Kind::wholes:
      return fmt::format("at most {} whole numbers {}", most_layers, option.range.text());
    case Option::Kind::name:
      return "the name of a column";
    case Option::Kind::names:
      return "names of columns";
  }
  return "";
}

bool accepts(const Option& option, const Json& value) {
  const auto is_whole = [&](const Json& number) {
    return number.is_number_integer() && option.range.contains(number.get<double>());
  };
  const auto is_text = [](const Json& text) { return text.is_string(); };
  switch (option.kind) {
    case Option::Kind::flag:
      return value.is_boolean();
    case Option::Kind::whole:
      return is_whole(value);
    case Option::Kind::real:
      return value.is_number() && option.range.contains(value.get<double>());
    case Option::Kind::choice:
      return value.is_string() &&
             std::ranges::count(option.choices, value.get_ref<const std::string&>()) == 1;
    case Option::Kind::wholes:
      return value.is_array() && value.size() <= most_layers &&
             std::ranges::all_of(value, is_whole);
    case Option::Kind::name:
      return value.is_string();
    case Option::Kind::names:
      return value.is_array() && std::ranges::all_of(value, is_text);
  }
  return false;
}

// As a user would type it, lists separated by commas.
std::string plain_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  if (!value.is_array()) return exact_json_text(value);
  std::vector<std::string> items;
  for (const Json& item : value) items.push_back(plain_text(item));
  return fmt::format("{}", fmt::join(items, ","));
}

}  // namespace

bool OptionRange::contains(double value) const {
  return (excludes_low ? value > low : value >= low) &&
         (excludes_high ? value < high : value <= high);
}

std::string OptionRange::text() const {
  if (high >= 0x1p62) {
    return fmt::format("{} {:.15g}", excludes_low ? "greater than" : "of at least", low);
  }
  const std::string lower = fmt::format("{} {:.15g}", excludes_low ? "greater than" : "from", low);
  return excludes_high ? fmt::format("{} to below {:.15g}", lower, high)
                       : fmt::format("{} to {:.15g}", lower, high);
}

void Option::check(const Json& value) const {
  if (kind == Kind::choice && value.is_string()) {
    check_choice(fmt::format("`{}`", name), value.get<std::string>(), choices);
  }
  check_usage(
      accepts(*this, value), "`{}` must be {}, not {}", name, accepted(*this),
      value.is_string() ? fmt::format("'{}'", value.get<std::string>()) : plain_text(value));
}

const Option* find_option(std::string_view name) {
  for (const Option& option : fit_option_list()) {
    if (option.name == name || (!option.alias.empty() && option.alias == name)) return &option;
  }
  return nullptr;
}

namespace {

template <class IsWanted>
Json values_of(const FitOptions& options, const IsWanted& is_wanted) {
  const FitOptions filled = resolved(options);
  Json json = Json::object();
  for (const Option& option : fit_option_list()) {
    if (!is_wanted(option) || !option.is_used(filled)) continue;
    Json value = option.get(filled);
    json[std::string(option.name)] = value.is_null() ? Json("default") : std::move(value);
  }
  return json;
}

}  // namespace

Json configuration_of(const FitOptions& options) {
  return values_of(options,
                   [](const Option& option) { return option.group != option_group::columns; });
}

Json configuration_of(const FitOptions& options, std::string_view group) {
  return values_of(options, [&](const Option& option) { return option.group == group; });
}

void read_option(const JsonObject& json, const Option& option, FitOptions& options) {
  const Json& value = json.value(option.name);
  check(accepts(option, value), "{}: {} must be {}, not {}", json.where(), option.name,
        accepted(option), json_text(value).substr(0, 100));
  option.set(options, value);
}

void read_options(const JsonObject& json, std::string_view group, FitOptions& options) {
  for (const Option& option : fit_option_list()) {
    if (option.group == group && option.is_used(options)) read_option(json, option, options);
  }
}

std::vector<std::pair<std::string, std::string>> as_text(const Json& configuration) {
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [name, value] : configuration.items()) {
    entries.emplace_back(name, plain_text(value));
  }
  return entries;
}

std::string with_spelling(std::string_view message,
                          const std::function<std::string(std::string_view)>& spell) {
  const auto is_name_like = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  std::string spelled;
  for (;;) {
    const std::size_t first = message.find('`');
    const std::size_t last = first == message.npos ? first : message.find('`', first + 1);
    if (last == message.npos) return spelled.append(message);
    const std::string_view name = message.substr(first + 1, last - first - 1);
    const bool is_name = !name.empty() && std::ranges::all_of(name, is_name_like);
    spelled += message.substr(0, first);
    spelled += is_name ? spell(name) : std::string(message.substr(first, last - first));
    message.remove_prefix(is_name ? last + 1 : last);
  }
}

const Method& method_of(const FitOptions& options) {
  return options.method ? *options.method : find_method("probmix");
}

FitOptions resolved(FitOptions options) {
  const bool is_mlp = options.architecture.kind == ArchitectureKind::mlp;
  const bool is_fast = options.preset == Preset::fast;
  options.method = method_of(options);
  if (!options.ensemble) options.ensemble = is_fast ? 1 : 5;
  if (!options.members) options.members = *options.ensemble == 1 ? 100 : 10;
  if (!options.encode) options.encode = !is_fast && is_mlp ? Encode::ple : Encode::none;
  auto& rate = options.train.optimiser.learning_rate;
  if (!rate) rate = is_mlp ? 0.005 : 0.0005;
  TrainOptions& train = options.train;
  const bool selects = train.select_best && options.validation > 0;
  const bool can_wait = selects && train.patience.value_or(1) > 0;
  auto& schedule = train.schedule.kind;
  if (!schedule) schedule = !is_fast && can_wait ? Schedule::plateau : Schedule::constant;
  const bool has_length = *schedule == Schedule::cosine || *schedule == Schedule::one_cycle;
  if (!train.epochs && !has_length) train.epochs = 1000;
  train.schedule.warm_up = train.schedule.warm_up_share();
  // The best epochs of a rate that falls with the steps are its last ones.
  if (!train.patience && (!selects || has_length)) train.patience = 0;
  if (is_fast) {
    if (!train.batch) train.batch = 128;
    if (!train.patience) train.patience = 300;
  }
  if (!options.validation_rows) {
    options.validation_rows =
        is_split_in_time(options.series) ? ValidationRows::last : ValidationRows::random;
  }
  std::optional<double>& dropout = options.architecture.mlp.dropout;
  if (!dropout) dropout = options.method->drops ? 0.1 : 0;
  options.architecture.embedding_mean = embedding_mean_of(options.architecture);
  const bool by_mixture = options.select_by == SelectBy::mixture;
  options.train.selection_members =
      by_mixture && options.method->predicts_by_draws() ? *options.members : 0;
  return options;
}

FitOptions resolved(FitOptions options, Index rows) {
  options = resolved(std::move(options));
  if (options.encode == Encode::ple && !options.bins) {
    options.bins = std::clamp<Index>(rows / 60, 16, 64);
  }
  TrainOptions& train = options.train;
  if (!train.batch) train.batch = rows < 300 ? 32 : rows < 600 ? 64 : rows < 8000 ? 128 : 256;
  // A number of steps, not of epochs: a large table needs few of these.
  const Index batch = *train.batch == 0 ? rows : *train.batch;
  const Index steps_per_epoch = std::max<Index>(1, rows / std::max<Index>(1, batch));
  const auto epochs_of = [&](Index steps, Index least, Index most) {
    return std::clamp(steps / steps_per_epoch, least, most);
  };
  if (!train.patience) {
    const bool falls = train.schedule.kind == Schedule::plateau;
    train.patience = falls ? epochs_of(1500, 15, 150) : epochs_of(3000, 30, 300);
    if (!train.least_patience) train.least_patience = *train.patience / 5;
  }
  if (!train.least_patience) train.least_patience = *train.patience;
  if (!train.epochs) train.epochs = epochs_of(5000, 50, 500);
  return options;
}

void check_options(const FitOptions& options) {
  for (const Option& option : fit_option_list()) {
    const Json value = option.get(options);
    const bool is_own_density = option.name == "family" && options.family_options.custom != nullptr;
    if (!value.is_null() && !is_own_density) option.check(value);
  }
  check_usage(!options.targets.empty(), "a model needs a target: name its column with `target`");
  check_usage(options.train.patience.value_or(0) == 0 ||
                  (options.validation > 0 && options.train.select_best),
              "`patience` waits for a better validation NLL: give `validation` above 0 and omit "
              "`last`, or give `patience` 0");
  check_usage(options.train.schedule.kind != Schedule::plateau ||
                  resolved(options).train.patience.value_or(1) > 0,
              "with `schedule` plateau the rate falls when patience runs out: give `patience` and "
              "`validation` above 0, and omit `last`");
  check_usage(options.budget >= 0 && std::isfinite(options.budget),
              "a budget must be a number of seconds of at least 0, not {}", options.budget);
  check_usage((options.trials == 0 && options.budget == 0) || held_out_rows_choose(options),
              "trials and a budget need held-out rows that choose: omit `last`, give `validation` "
              "above 0 and `preset` default or best");
  check_usage(!method_of(options).drops || has_dropout(resolved(options).architecture),
              "method {} needs dropout: give `dropout` above 0, and `lstm-layers` above 1 for an "
              "lstm",
              method_of(options).name);
  check_usage(options.architecture.kind == ArchitectureKind::mlp ||
                  options.encode.value_or(Encode::none) == Encode::none,
              "only an mlp encodes numbers: give `encode` none, or `arch` mlp");
  check_usage(options.architecture.kind == ArchitectureKind::mlp || options.series.is_series(),
              "the {} reads windows of a series: give `window` and `horizon`",
              architecture_names[static_cast<std::size_t>(options.architecture.kind)]);
  const SeriesShape& series = options.series;
  check_usage(series.is_series() || series.time.empty() || series.group.empty(),
              "the rows of a table are split by time or by group: give `time` or `group`, not "
              "both");
  check_usage(
      series.is_series() || series.group.empty() || options.validation_rows != ValidationRows::last,
      "`validation-rows` last would divide groups: omit it, or `group`");
}

}  // namespace probmix
