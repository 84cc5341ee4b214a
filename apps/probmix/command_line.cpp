#include "command_line.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/version.hpp"
#include "run.hpp"
#include "table_options.hpp"

namespace probmix::app {

namespace {

// CLI11's own check would hide an unknown command behind a missing one.
void require_command(CLI::App& parent, const std::string& name) {
  parent.require_subcommand(0, 1);
  parent.callback([&parent, name] {
    check_usage(!parent.get_subcommands().empty(), "no command given; accepted: {}; see {} --help",
                command_names(parent), name);
  });
}

}  // namespace

int run_command_line(int argc, char** argv, ReadOther read_other) {
  set_read_other(std::move(read_other));
  CLI::App root("Calibrated conditional densities with probabilistic mixup", "probmix");
  set_help(root);
  root.set_version_flag("--version", fmt::format("probmix {}", library_version()),
                        "Show the version and exit");
  root.footer(
      "Examples:\n"
      "  probmix demo\n"
      "  probmix train houses.csv --target price --out houses.safetensors\n"
      "  probmix predict houses.safetensors new.csv --out predictions.csv\n"
      "  probmix reproduce toy-regression --methods erm,probmix,m-probmix --runs 3\n"
      "  probmix reproduce toy-regression --help");
  require_command(root, "probmix");
  add_demo(root);
  add_train(root);
  add_predict(root);
  add_evaluate(root);
  add_compare(root);
  add_info(root);
  add_methods(root);
  CLI::App* const reproduce = root.add_subcommand("reproduce", "Run a study of the paper");
  reproduce->footer("Example:\n  probmix reproduce illustration --json");
  require_command(*reproduce, "probmix reproduce");
  add_illustration(*reproduce);
  add_studies(*reproduce);
  add_all(*reproduce);
  add_best(*reproduce);
  add_tables(*reproduce);
  add_report(root);

  return run(root, argc, argv);
}

}  // namespace probmix::app
