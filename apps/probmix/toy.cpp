// probmix demo, and probmix reproduce toy-regression, pooling, latent, toy-classification.
#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/experiment/toy_classification.hpp"
#include "probmix/experiment/toy_regression.hpp"
#include "study.hpp"

namespace probmix::app {

namespace {

template <class Toy>
struct ToyCommand : StudyCommand {
  std::string study;
  Toy toy = {};
  Index runs = 10;
};

template <class Toy>
void run(const CLI::App& app, const ToyCommand<Toy>& command) {
  const auto methods = parse_methods(command.methods);
  run_study(command,
            {.name = command.study,
             .cells = toy_cells(command.toy, methods),
             .repeats = run_numbers(command.runs)},
            command.toy.trial.mix, {}, unused_options(app, command.toy.trial, methods));
}

template <class Toy>
void add_options(CLI::App& app, const std::shared_ptr<ToyCommand<Toy>>& command) {
  add_study_options(app, *command);
  add_number(app, "--runs", command->runs, "Runs of each method, each with a seed of its own");
  add_number(app, "--seed", command->toy.seed, "Determines data, initial weights and draws");
  add_flag(app, "--new-data", command->toy.new_data,
           "A new data set for each run, instead of one for all");
  add_trial_options(app, *command, command->toy.trial);
  add_network_options(app, command->toy.network);
  app.callback([command, &app] { run(app, *command); });
}

std::shared_ptr<ToyCommand<ToyRegression>> toy_regression_command(std::string study) {
  const auto command = std::make_shared<ToyCommand<ToyRegression>>();
  command->study = std::move(study);
  return command;
}

void add_regression(CLI::App& app, const std::shared_ptr<ToyCommand<ToyRegression>>& command) {
  add_options(app, command);
  add_family_options(app, command->toy.family, command->toy.family_options);
}

}  // namespace

void add_demo(CLI::App& app) {
  CLI::App* const demo =
      app.add_subcommand("demo", "Train all methods on a toy problem: a table, and pictures");
  demo->footer("Example:\n  probmix demo --page demo.html");
  const auto command = toy_regression_command("toy-regression");
  command->page = "probmix-demo.html";
  add_file(*demo, "--page", command->page, "The page with pictures (HTML)");
  add_number(*demo, "--runs", command->runs, "Runs of each method, each with a seed of its own");
  add_number(*demo, "--seed", command->toy.seed, "Determines data, initial weights and draws");
  add_number(*demo, "--threads", command->threads,
             "Runs at the same time; the results do not depend on it");
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
      "The last one is the paper's grid. Stopped, it goes on where it was when it is called "
      "again.");
  add_regression(*app, toy_regression_command("toy-regression"));
}

void add_pooling(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "pooling", "Linear and log-linear pooling over α, on the toy regression");
  app->footer("Example:\n  probmix reproduce pooling --out pooling.jsonl --page pooling.html");
  const auto command = toy_regression_command("pooling");
  command->methods = "probmix,loc-probmix,m-probmix,loc-m-probmix";
  command->grid = {.alpha = {1e-32, 0.01, 0.05, 0.1, 0.5, 1},
                   .pooling = {Pooling::linear, Pooling::log_linear}};
  add_regression(*app, command);
}

void add_latent(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "latent", "All methods from no mixing (α = 1e-32) to α = 1, on the toy regression");
  app->footer("Example:\n  probmix reproduce latent --out latent.jsonl --page latent.html");
  const auto command = toy_regression_command("latent");
  command->grid = {.alpha = {1e-32, 0.01, 0.05, 0.1, 0.25, 0.5, 1}};
  add_regression(*app, command);
}

void add_toy_classification(CLI::App& reproduce) {
  CLI::App* const app =
      reproduce.add_subcommand("toy-classification", "Three noisy rings, one for each class");
  app->footer(
      "Examples:\n"
      "  probmix reproduce toy-classification --methods erm,probmix --runs 3 --page rings.html\n"
      "  probmix reproduce toy-classification --alpha 0.01,0.05,0.1,0.5,1 --beta 0,0.01 \\\n"
      "      --out rings.jsonl\n"
      "The last one is the paper's grid.");
  const auto command = std::make_shared<ToyCommand<ToyClassification>>();
  command->study = "toy-classification";
  add_options(*app, command);
}

}  // namespace probmix::app
