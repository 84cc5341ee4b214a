// probmix demo: the toy regression with all methods, as a table and as pictures.
#include "commands.hpp"
#include "options.hpp"
#include "toy_regression.hpp"

namespace probmix::app {

void add_demo(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("demo", "Train all methods on a toy problem: a table, and pictures");
  command->footer("Example:\n  probmix demo --out demo.html");
  const auto toy = std::make_shared<ToyCommand>();
  toy->out = "probmix-demo.html";
  add_file(*command, "--out", toy->out, "The page with pictures (HTML)");
  add_run_options(*command, *toy);
  command->callback([toy] { run(*toy); });
}

}  // namespace probmix::app
