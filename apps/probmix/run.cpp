#include "run.hpp"

#include <fmt/format.h>

#include <exception>

#include "help.hpp"
#include "probmix/base/error.hpp"
#include "terminal.hpp"

namespace probmix::app {

void set_help(CLI::App& root) {
  root.formatter_fn(help);
  root.set_help_flag("-h,--help", "Show this help and exit");
}

std::string command_names(const CLI::App& parent) {
  std::string names;
  for (const CLI::App* command : parent.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

namespace {

// Rewords CLI11's error in the style of this program.
std::string explain(const CLI::App& root, const CLI::ParseError& error) {
  const CLI::App* app = &root;
  std::string name = root.get_name();
  while (app->remaining_size() == 0 && !app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    name += " " + app->get_name();
  }
  const std::string see = fmt::format("; see {} --help", name);
  const std::string found = error.what();
  if (app->remaining_size() > 0) {
    const std::string first = app->remaining().front();
    if (first.starts_with('-')) return fmt::format("unknown option '{}'{}", first, see);
    const std::string commands = command_names(*app);
    return commands.empty() ? fmt::format("unexpected argument '{}'{}", first, see)
                            : fmt::format("unknown command '{}'; accepted: {}", first, commands);
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    const std::string option = found.substr(0, found.find_first_of(": "));
    if (found.ends_with("missing")) return option + " needs a value" + see;
    if (found.ends_with("override")) return "--" + option + " takes no value" + see;
    return option + " is given more than once";
  }
  return found + see;
}

}  // namespace

int run(CLI::App& root, int argc, char** argv, const std::function<void()>& body) {
  const auto fail = [&](int code, const std::string& message) {
    say(root.get_name() + ": " + message);
    return code;
  };
  try {
    try {
      root.parse(argc, argv);
      body();
    } catch (const CLI::CallForHelp&) {
      print(root.help());
    } catch (const CLI::CallForVersion& version) {
      print(version.what() + std::string("\n"));
    }
    return 0;
  } catch (const CLI::ParseError& error) {
    return fail(2, explain(root, error));
  } catch (const Interrupted& stopped) {
    return fail(130, stopped.what());
  } catch (const UsageError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "not enough memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}

}  // namespace probmix::app
