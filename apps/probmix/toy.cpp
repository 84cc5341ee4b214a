// probmix demo, and probmix reproduce toy-regression, pooling, latent, toy-classification.
#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/paper/toys.hpp"
#include "study.hpp"

namespace probmix::app {

namespace {

struct ToyCommand : StudyCommand {
  std::string study;
  ToyData toy = {};
  Index runs = 10;
};

bool is_classification(const ToyCommand& command) { return command.study == "toy-classification"; }

std::shared_ptr<ToyCommand> make_command(std::string study) {
  auto command = std::make_shared<ToyCommand>();
  command->study = std::move(study);
  command->fit =
      is_classification(*command) ? toy_classification_options() : toy_regression_options();
  return command;
}

void run(const CLI::App& app, const ToyCommand& command) {
  const auto methods = parse_methods(command.methods);
  const auto data = is_classification(command) ? toy_classification_data(command.toy, command.fit)
                                               : toy_regression_data(command.toy, command.fit);
  run_study(command,
            {.name = command.study,
             .cells = study_cells({data}, methods),
             .repeats = run_numbers(command.runs)},
            unused_options(app, with_methods({command.fit}, methods)));
}

void add_options(CLI::App& app, const std::shared_ptr<ToyCommand>& command) {
  add_study_options(app, *command);
  add_number(app, "--runs", command->runs, "Runs of each method, each with its own seed");
  add_flag(app, "--new-data", command->toy.new_data,
           "A new data set for each run, instead of one for all");
  std::vector<std::string_view> others;
  if (!is_classification(*command)) others.push_back(option_group::responses);
  add_preset_options(app, *command, others);
  app.callback([command, &app] { run(app, *command); });
}

}  // namespace

void add_demo(CLI::App& app) {
  CLI::App* const demo =
      app.add_subcommand("demo", "Train all methods on a toy problem; shows a table and pictures");
  demo->footer("Example:\n  probmix demo --page demo.html");
  const auto command = make_command("toy-regression");
  command->page = "probmix-demo.html";
  add_file(*demo, "--page", command->page, "The page with pictures (HTML)");
  add_number(*demo, "--runs", command->runs, "Runs of each method, each with its own seed");
  add_fit_options(*demo, command->fit, [](const Option& o) { return o.name == "seed"; });
  add_threads(*demo, command->threads, "Number of parallel runs; does not change the results");
  add_flag(*demo, "--json", command->json, "Print a JSON array, one object for each method");
  demo->callback([command, demo] { run(*demo, *command); });
}

void add_toy_regression(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "toy-regression", "y = x³ + ε, in and out of the training distribution");
  app->footer(
      "Examples:\n"
      "  probmix reproduce toy-regression --methods erm,probmix,m-probmix --runs 3\n"
      "  probmix reproduce toy-regression --alpha 0.5 --pooling linear --page toy.html\n"
      "  probmix reproduce toy-regression --alpha 0.01,0.05,0.1,0.5,1 --beta 0,0.01 --out "
      "toy.jsonl\n"
      "The last is the paper's grid. If stopped, run it again to continue where it left off.");
  add_options(*app, make_command("toy-regression"));
}

void add_pooling(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "pooling", "Linear and log-linear pooling over α, on the toy regression");
  app->footer("Example:\n  probmix reproduce pooling --out pooling.jsonl --page pooling.html");
  const auto command = make_command("pooling");
  command->methods = "probmix,loc-probmix,m-probmix,loc-m-probmix";
  command->grid = {.alpha = {1e-32, 0.01, 0.05, 0.1, 0.5, 1},
                   .pooling = {Pooling::linear, Pooling::log_linear}};
  add_options(*app, command);
}

void add_latent(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "latent", "All methods from no mixing (α = 1e-32) to α = 1, on the toy regression");
  app->footer("Example:\n  probmix reproduce latent --out latent.jsonl --page latent.html");
  const auto command = make_command("latent");
  command->grid = {.alpha = {1e-32, 0.01, 0.05, 0.1, 0.25, 0.5, 1}};
  add_options(*app, command);
}

void add_toy_classification(CLI::App& reproduce) {
  CLI::App* const app =
      reproduce.add_subcommand("toy-classification", "Three noisy rings, one for each class");
  app->footer(
      "Examples:\n"
      "  probmix reproduce toy-classification --methods erm,probmix --runs 3 --page rings.html\n"
      "  probmix reproduce toy-classification --alpha 0.01,0.05,0.1,0.5,1 --beta 0,0.01 \\\n"
      "      --out rings.jsonl\n"
      "The last is the paper's grid.");
  add_options(*app, make_command("toy-classification"));
}

}  // namespace probmix::app
