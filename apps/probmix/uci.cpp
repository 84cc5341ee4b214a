// probmix reproduce uci.
#include "probmix/paper/uci.hpp"

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "study.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct UciCommand : StudyCommand {
  std::string data;
  std::vector<std::string> sets = {uci_names.begin(), uci_names.end()};
  std::vector<Index> splits = run_numbers(20);
  std::vector<Index> tuning = run_numbers(3);

  UciCommand() { fit = uci_options(); }
};

void run(const CLI::App& app, const UciCommand& command) {
  const auto methods = parse_methods(command.methods);
  const std::filesystem::path directory = data_directory(command.data, uci_files);
  std::vector<std::shared_ptr<const StudyData>> sets;
  for (const std::string& name : command.sets) {
    sets.push_back(read_uci(directory, name, command.fit));
  }
  run_study(command,
            {.name = "uci",
             .cells = study_cells(sets, methods),
             .repeats = command.splits,
             .tuning = command.tuning,
             .has_validation = command.fit.validation > 0},
            unused_options(app, with_methods({command.fit}, methods)));
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
      "The second first compares the settings of each method on the validation rows of the splits\n"
      "in --tune-splits, then runs the best on all splits.");
  const auto command = std::make_shared<UciCommand>();
  add_data_option(*app, command->data, "Directory with uci/yacht/data.txt and so on");
  add_list(*app, "--sets", command->sets, "Data sets, by the names of their folders")
      ->default_str("the paper's eight");
  add_ranges(*app, "--splits", command->splits, "Published splits, numbered from 0");
  add_ranges(*app, "--tune-splits", command->tuning,
             "Splits whose validation rows are used to compare settings");
  add_study_options(*app, *command);
  add_preset_options(*app, *command,
                     {"validation", "homoscedastic", "variance-link", "variance-floor"});
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace probmix::app
