// probmix: the command line. Exit code 0: done; 2: wrong usage; 1: anything else, with one line.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "probmix/base/error.hpp"

namespace {

int fail(int code, const char* message) {
  fmt::print(stderr, "probmix: {}\n", message);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace probmix;
  CLI::App app("Calibrated conditional densities with probabilistic mixup.", "probmix");
  app.set_version_flag("--version", std::string("probmix ") + PROBMIX_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);
  app.footer(
      "Examples:\n"
      "  probmix demo\n"
      "  probmix reproduce toy-regression --methods erm,probmix,m-probmix --runs 3\n"
      "  probmix reproduce toy-regression --help");
  app::add_demo(app);
  app::add_methods(app);
  CLI::App* const reproduce = app.add_subcommand("reproduce", "Run a study of the paper");
  reproduce->require_subcommand(1);
  reproduce->footer("Example:\n  probmix reproduce illustration --json");
  app::add_illustration(*reproduce);
  app::add_toy_regression(*reproduce);

  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::Success& asked_for) {  // --help and --version
    return app.exit(asked_for);
  } catch (const CLI::ParseError& error) {
    return fail(2, fmt::format("{}; see probmix --help", error.what()).c_str());
  } catch (const UsageError& error) {
    return fail(2, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "not enough memory");
  } catch (const std::exception& error) {
    return fail(1, error.what());
  }
}
