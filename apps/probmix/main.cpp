// probmix: the command line. Exit code 0: done; 2: wrong usage; 1: anything else, with one line.
#include <exception>

#include "commands.hpp"
#include "help.hpp"
#include "probmix/base/error.hpp"
#include "terminal.hpp"

namespace {

using namespace probmix;

int fail(int code, const std::string& message) {
  app::say("probmix: " + message);
  return code;
}

std::string command_names(const CLI::App& parent) {
  std::string names;
  for (const CLI::App* command : parent.get_subcommands({})) {
    names += (names.empty() ? "" : ", ") + command->get_name();
  }
  return names;
}

// CLI11's own check would hide an unknown command behind a missing one.
void require_command(CLI::App& parent, const std::string& name) {
  parent.require_subcommand(0, 1);
  parent.callback([&parent, name] {
    check_usage(!parent.get_subcommands().empty(), "no command given; accepted: {}; see {} --help",
                command_names(parent), name);
  });
}

// What CLI11 found wrong, in the words of this program.
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

int main(int argc, char** argv) {
  CLI::App root("Calibrated conditional densities with probabilistic mixup", "probmix");
  root.formatter_fn(app::help);
  root.set_help_flag("-h,--help", "Show this help and exit");
  root.set_version_flag("--version", std::string("probmix ") + PROBMIX_VERSION,
                        "Show the version and exit");
  root.footer(
      "Examples:\n"
      "  probmix demo\n"
      "  probmix reproduce toy-regression --methods erm,probmix,m-probmix --runs 3\n"
      "  probmix reproduce toy-regression --help");
  require_command(root, "probmix");
  app::add_demo(root);
  app::add_methods(root);
  CLI::App* const reproduce = root.add_subcommand("reproduce", "Run a study of the paper");
  reproduce->footer("Example:\n  probmix reproduce illustration --json");
  require_command(*reproduce, "probmix reproduce");
  app::add_illustration(*reproduce);
  app::add_toy_regression(*reproduce);

  try {
    try {
      root.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      app::print(root.help());
    } catch (const CLI::CallForVersion& version) {
      app::print(version.what() + std::string("\n"));
    }
    return 0;
  } catch (const CLI::ParseError& error) {
    return fail(2, explain(root, error));
  } catch (const UsageError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "not enough memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
