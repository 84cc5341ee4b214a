#include "options.hpp"

#include <algorithm>
#include <optional>
#include <thread>

#include "probmix/base/parallel.hpp"

namespace probmix::app {

std::vector<std::string> split(std::string_view text, char delimiter) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(delimiter);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

namespace {

// As split, but a name in double quotes may contain commas; a quote inside it is written twice, as
// in CSV. Empty if a quote is not closed, or not followed by a comma.
std::optional<std::vector<std::string>> split_names(std::string_view text) {
  std::vector<std::string> names;
  for (;;) {
    const std::size_t first = std::min(text.find_first_not_of(' '), text.size());
    std::string name;
    if (first < text.size() && text[first] == '"') {
      text.remove_prefix(first + 1);
      for (;;) {
        const std::size_t quote = text.find('"');
        if (quote == text.npos) return {};
        name += text.substr(0, quote);
        text.remove_prefix(quote + 1);
        if (!text.starts_with('"')) break;
        name += '"';
        text.remove_prefix(1);
      }
      text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    } else {
      name = text.substr(0, text.find(','));
      text.remove_prefix(name.size());
    }
    names.push_back(std::move(name));
    if (text.empty()) return names;
    if (text.front() != ',') return {};
    text.remove_prefix(1);
  }
}

}  // namespace

std::string spelled(std::string_view option) { return fmt::format("--{}", option); }

std::vector<std::string> parse_names(const std::string& option, const std::string& text) {
  const auto names = split_names(text);
  const auto is_new = [&](const std::string& name) {
    return !name.empty() && std::ranges::count(*names, name) == 1;
  };
  check_usage(
      names && std::ranges::all_of(*names, is_new),
      "{} needs names separated by commas, without repeats, not '{}'; put a name that has a comma "
      "in double quotes",
      option, text);
  return *names;
}

CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& target,
                      const std::string& help, bool value) {
  return app
      .add_flag_callback(
          option, [&target, value] { target = value; }, help)
      ->disable_flag_override();
}

CLI::Option* add_duration(CLI::App& app, const std::string& option, double& seconds,
                          const std::string& help) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &seconds](const std::string& text) {
            constexpr std::array<std::pair<char, double>, 3> units = {
                {{'s', 1}, {'m', 60}, {'h', 3600}}};
            std::string number = text;
            double unit = 1;
            for (const auto& [letter, length] : units) {
              if (!text.ends_with(letter)) continue;
              number.pop_back();
              unit = length;
            }
            constexpr double longest = 1e8;  // three years
            seconds = 0;
            try {
              seconds = unit * parse_number<double>(option, number);
            } catch (const UsageError&) {
            }  // the message below says more
            check_usage(seconds > 0 && seconds <= longest,
                        "{} must be a time such as 90s, 10m or 1.5h, not '{}'", option, text);
          },
          help)
      ->type_name("TIME");
}

CLI::Option* add_threads(CLI::App& app, Index& threads, const std::string& help) {
  threads = std::max(1U, std::thread::hardware_concurrency());
  return app
      .add_option_function<std::string>(
          "--threads",
          [&threads](const std::string& text) {
            threads = parse_number<Index>("--threads", text);
            check_range("--threads", threads, 1, most_threads);
          },
          help)
      ->type_name("N")
      ->default_str(fmt::format("{}", threads));
}

CLI::Option* add_file(CLI::App& app, const std::string& option, std::filesystem::path& target,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &target](const std::string& text) {
            // CLI11 takes the next argument even if it is an option.
            check_usage(!text.empty() && text[0] != '-', "{} needs a file, not '{}'", option, text);
            target = text;
          },
          help)
      ->type_name("FILE")
      ->default_str(target.string());
}

CLI::Option* add_list(CLI::App& app, const std::string& option, std::vector<std::string>& target,
                      const std::string& help) {
  return app
      .add_option_function<std::string>(
          option,
          [option, &target](const std::string& text) { target = parse_names(option, text); }, help)
      ->type_name("NAME,...")
      ->default_str(fmt::format("{}", fmt::join(target, ",")));
}

namespace {

// Parses the text of an option; the value still has to be checked.
Json parse_value(const Option& option, const std::string& text) {
  const std::string name = fmt::format("--{}", option.name);
  switch (option.kind) {
    case Option::Kind::flag:
      return true;
    case Option::Kind::whole:
      return parse_number<long long>(name, text);
    case Option::Kind::real:
      return parse_number<double>(name, text);
    case Option::Kind::choice:
    case Option::Kind::name:
      return text;
    case Option::Kind::wholes: {
      Json list = Json::array();
      if (text == "none") return list;
      for (const std::string& part : split(text, ',')) {
        list.push_back(parse_number<long long>(name, part));
      }
      return list;
    }
    case Option::Kind::names:
      return text == "all" && !option.automatic.empty() ? Json::array()
                                                        : Json(parse_names(name, text));
  }
  return {};
}

std::string type_name(const Option& option) {
  switch (option.kind) {
    case Option::Kind::flag:
      return "";
    case Option::Kind::whole:
      return "N";
    case Option::Kind::real:
      return "X";
    case Option::Kind::choice:
    case Option::Kind::name:
      return "NAME";
    case Option::Kind::wholes:
      return "N,N,...";
    case Option::Kind::names:
      return "NAME,...";
  }
  return "";
}

// In words if the default depends on other options and the command has not set its own.
std::string default_text(const Option& option, const FitOptions& options) {
  const Json value = option.get(options);
  if (!option.automatic.empty() && value == option.get(FitOptions())) {
    return with_spelling(option.automatic, spelled);
  }
  return value.is_null() ? "" : as_text({{"", value}}).front().second;
}

std::string help_of(const Option& option) {
  std::string help = with_spelling(option.help, spelled);
  for (std::size_t k = 0; k < option.choices.size(); ++k) {
    help += k == 0 ? ": " : k + 1 == option.choices.size() ? " or " : ", ";
    help += option.choices[k];
  }
  return help;
}

std::string joined(const auto& list) { return fmt::format("{}", fmt::join(list, ",")); }

}  // namespace

void add_fit_options(CLI::App& app, FitOptions& options, const OptionFilter& is_wanted) {
  for (const Option& option : fit_option_list()) {
    if (!is_wanted(option)) continue;
    const auto set = [&option, &options](const std::string& text) {
      const Json value = parse_value(option, text);
      option.check(value);
      option.set(options, value);
    };
    std::string names = fmt::format("--{}", option.name);
    if (!option.alias.empty()) names += fmt::format(",--{}", option.alias);
    CLI::Option* const added =
        option.kind == Option::Kind::flag
            ? app.add_flag_callback(
                     names, [set] { set(""); }, help_of(option))
                  ->disable_flag_override()
            : app.add_option_function<std::string>(names, set, help_of(option))
                  ->type_name(type_name(option))
                  ->default_str(default_text(option, options));
    added->group(std::string(option.group));
  }
}

void add_grid_options(CLI::App& app, Grid& grid) {
  const auto add = [&]<class Value>(const char* name, std::vector<Value>& values,
                                    const std::string& default_values, const auto& read) {
    const Option& option = *find_option(name);
    app.add_option_function<std::string>(
           fmt::format("--{}", name),
           [&option, &values, read](const std::string& text) {
             values.clear();
             for (const std::string& part : split(text, ',')) {
               const Json value = parse_value(option, part);
               option.check(value);
               FitOptions one;
               option.set(one, value);
               const Value found = read(one.mix);
               check_usage(std::ranges::find(values, found) == values.end(),
                           "`{}` {} has a value twice", option.name, text);
               values.push_back(found);
             }
           },
           help_of(option))
        ->type_name(option.kind == Option::Kind::real ? "X,X,..." : "NAME,...")
        ->default_str(default_values)
        ->group(std::string(option.group));
  };
  std::vector<std::string_view> poolings;
  for (const Pooling pooling : grid.pooling) {
    poolings.push_back(pooling_names[static_cast<std::size_t>(pooling)]);
  }
  add("alpha", grid.alpha, joined(grid.alpha), [](const MixOptions& mix) { return mix.alpha; });
  add("beta", grid.beta, joined(grid.beta), [](const MixOptions& mix) { return mix.beta; });
  add("pooling", grid.pooling, joined(poolings), [](const MixOptions& mix) { return mix.pooling; });
}

std::vector<std::string> given_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* const given : app.get_options()) {
    if (given->count() == 0 || given->get_lnames().empty()) continue;
    const Option* const option = find_option(given->get_lnames().front());
    if (option != nullptr) names.emplace_back(option->name);
  }
  return names;
}

std::vector<std::string> unused_options(const CLI::App& app, const std::vector<FitOptions>& fits) {
  std::vector<std::string_view> methods, networks;
  for (const FitOptions& fit : fits) {
    const auto kind = static_cast<std::size_t>(fit.architecture.kind);
    for (auto [names, name] : {std::pair(&methods, method_of(fit).name),
                               std::pair(&networks, architecture_names[kind])}) {
      if (std::ranges::count(*names, name) == 0) names->push_back(name);
    }
  }
  std::vector<std::string> lines;
  for (const std::string& name : given_options(app)) {
    const Option* const option = find_option(name);
    if (std::ranges::any_of(fits, [&](const FitOptions& fit) { return option->is_used(fit); })) {
      continue;
    }
    const std::string reason =
        option->group == option_group::networks ? fmt::format("`arch` {}", joined(networks))
        : option->group == option_group::mixing || option->name == "select-by"
            ? fmt::format("{} {}", methods.size() == 1 ? "method" : "methods",
                          fmt::join(methods, ", "))
            : "the other options";
    lines.push_back(fmt::format("`{}` has no effect with {}", option->name, reason));
  }
  return lines;
}

std::vector<const Method*> parse_methods(const std::string& names) {
  std::vector<std::string_view> accepted{"all"};
  accepted.insert(accepted.end(), method_names.begin(), method_names.end());
  std::vector<const Method*> found;
  const auto add = [&](const Method& method) {
    check_usage(std::ranges::find(found, &method) == found.end(),
                "method '{}' is given twice in --methods {}", method.name, names);
    found.push_back(&method);
  };
  for (const std::string& name : split(names, ',')) {
    const std::size_t position = check_choice("method", name, accepted);
    if (position > 0) {
      add(methods[position - 1]);
    } else {
      for (const Method& method : paper_methods) add(method);
    }
  }
  return found;
}

}  // namespace probmix::app
