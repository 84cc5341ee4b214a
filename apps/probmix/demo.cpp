// probmix demo: the toy regression with all methods, as a table and as pictures.
#include "commands.hpp"
#include "toy_regression.hpp"

namespace probmix::app {

void add_demo(CLI::App& app) {
  CLI::App* const command =
      app.add_subcommand("demo", "Train all methods on a toy problem, with pictures");
  command->footer("Example:\n  probmix demo --out demo.html");
  const auto toy = std::make_shared<ToyCommand>();
  toy->out = "probmix-demo.html";
  command->add_option("--out", toy->out, "The page with pictures (HTML)")->capture_default_str();
  command->add_option("--runs", toy->runs, "Runs of each method")->capture_default_str();
  command->add_option("--threads", toy->threads, "Runs at a time")->capture_default_str();
  command->callback([toy] { run(*toy); });
}

}  // namespace probmix::app
