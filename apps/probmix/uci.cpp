// probmix reproduce uci.
#include "probmix/experiment/uci.hpp"

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "study.hpp"

namespace probmix::app {

namespace {

struct UciCommand : StudyCommand {
  UciStudy study = {};
  std::string data;
  std::vector<std::string> sets = {uci_names.begin(), uci_names.end()};
  std::vector<Index> splits = run_numbers(20);
  std::vector<Index> tuning = run_numbers(3);
};

void run(const CLI::App& app, const UciCommand& command) {
  const auto methods = parse_methods(command.methods);
  std::vector<UciData> data;
  for (const std::string& name : command.sets) data.push_back(read_uci(command.data, name));
  run_study(command,
            {.name = "uci",
             .cells = uci_cells(command.study, data, methods),
             .repeats = command.splits,
             .tuning = command.tuning,
             .has_validation = command.study.validation > 0},
            command.study.trial.mix, {}, unused_options(app, command.study.trial, methods));
}

}  // namespace

void add_uci(CLI::App& reproduce) {
  CLI::App* const app =
      reproduce.add_subcommand("uci", "Eight tables of the UCI repository with 20 splits each");
  app->footer(
      "Examples:\n"
      "  probmix reproduce uci --data DIR --sets yacht,bostonHousing --splits 0-4 \\\n"
      "      --methods erm,mix,probmix,m-probmix,loc-m-probmix --out r.jsonl\n"
      "  probmix reproduce uci --data DIR --alpha 0.1,1 --beta 0,0.01 --out uci.jsonl\n"
      "The second one first compares the settings of each method on the validation rows of the\n"
      "splits of --tune-splits, and then runs the best on all splits.");
  const auto command = std::make_shared<UciCommand>();
  UciStudy& study = command->study;
  add_data_option(*app, command->data, "Directory with uci/yacht/data.txt and so on");
  add_list(*app, "--sets", command->sets, "Data sets, as their folders are named")
      ->default_str("the paper's eight");
  add_ranges(*app, "--splits", command->splits, "Published splits, from 0 on");
  add_ranges(*app, "--tune-splits", command->tuning,
             "Splits on whose validation rows several settings are compared");
  add_study_options(*app, *command);
  add_number(*app, "--seed", study.seed, "Determines validation, initial weights and draws");
  add_number(*app, "--validation", study.validation, "Share of the training rows of a split");
  add_trial_options(*app, *command, study.trial);
  add_network_options(*app, study.network);
  add_variance_options(*app, study.family);
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace probmix::app
