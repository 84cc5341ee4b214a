// probmix: the command line.
#include <fmt/format.h>

#include "commands.hpp"
#include "probmix/base/error.hpp"
#include "probmix/base/version.hpp"
#include "run.hpp"

namespace {

using namespace probmix;

// CLI11's own check would hide an unknown command behind a missing one.
void require_command(CLI::App& parent, const std::string& name) {
  parent.require_subcommand(0, 1);
  parent.callback([&parent, name] {
    check_usage(!parent.get_subcommands().empty(), "no command given; accepted: {}; see {} --help",
                app::command_names(parent), name);
  });
}

}  // namespace

int main(int argc, char** argv) {
  app::prepare_process();
  CLI::App root("Calibrated conditional densities with probabilistic mixup", "probmix");
  app::set_help(root);
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
  app::add_demo(root);
  app::add_train(root);
  app::add_predict(root);
  app::add_evaluate(root);
  app::add_compare(root);
  app::add_info(root);
  app::add_methods(root);
  CLI::App* const reproduce = root.add_subcommand("reproduce", "Run a study of the paper");
  reproduce->footer("Example:\n  probmix reproduce illustration --json");
  require_command(*reproduce, "probmix reproduce");
  app::add_illustration(*reproduce);
  app::add_studies(*reproduce);
  app::add_all(*reproduce);
  app::add_report(root);

  return app::run(root, argc, argv);
}
