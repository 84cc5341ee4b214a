// probmix reproduce stocks.
#include "probmix/experiment/stocks.hpp"

#include <memory>
#include <span>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/error.hpp"
#include "study.hpp"

namespace probmix::app {

namespace {

struct StockCommand : StudyCommand {
  StockStudy study = {};
  std::string data;
  std::vector<std::string> stocks = {"GOOG", "GME", "NVDA", "RCL"};
  std::vector<std::string> architectures = {"lstm", "transformer"};
  Index runs = 3;
  Index tuning = 1;

  StockCommand() {  // the paper's nine: all but the star variants
    methods = "erm,mix,loc-mix,m-mix,loc-m-mix,probmix,loc-probmix,m-probmix,loc-m-probmix";
  }
};

// All but the first of architecture_names, the MLP, which knows nothing of steps.
constexpr std::span sequence_architectures = std::span(architecture_names).subspan<1>();

void run(const CLI::App& app, const StockCommand& command) {
  const auto methods = parse_methods(command.methods);
  std::vector<ArchitectureKind> architectures;
  std::vector<Architecture> networks;
  for (const std::string& name : command.architectures) {
    const std::size_t kind = check_choice("architecture", name, sequence_architectures);
    architectures.push_back(static_cast<ArchitectureKind>(kind + 1));
    networks.push_back(command.study.architecture);
    networks.back().kind = architectures.back();
  }
  std::vector<StockData> stocks;
  for (const std::string& name : command.stocks) {
    stocks.push_back(read_stock(command.data, name, command.study));
  }
  run_study(command,
            {.name = "stocks",
             .cells = stock_cells(command.study, architectures, stocks, methods),
             .repeats = run_numbers(command.runs),
             .tuning = run_numbers(command.tuning, "--tune-runs"),
             .has_validation = command.study.split.validation > 0},
            command.study.trial.mix, {},
            unused_options(app, command.study.trial, methods, networks));
}

}  // namespace

void add_stocks(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "stocks", "Forecasts of stock prices from sliding windows, with LSTM and transformer");
  app->footer(
      "Examples:\n"
      "  probmix reproduce stocks --data DIR --stocks NVDA,RCL --arch lstm \\\n"
      "      --methods erm,mix,probmix,m-probmix --runs 2 --epochs 50\n"
      "  probmix reproduce stocks --data DIR --out stocks.jsonl --page stocks.html\n"
      "The second one is the whole study. Stopped, it goes on where it was when it is called "
      "again.");
  const auto command = std::make_shared<StockCommand>();
  StockStudy& study = command->study;
  add_data_option(*app, command->data,
                  "Directory with stocks/GOOG.csv and so on: Date,Open,High,Low,Close");
  add_list(*app, "--stocks", command->stocks, "Stocks, as their files are named");
  add_list(*app, "--arch", command->architectures, "Networks: lstm, transformer");
  add_study_options(*app, *command);
  app->get_option("--methods")->default_str("the paper's nine: all but the star variants");
  add_number(*app, "--runs", command->runs, "Runs of each method, each with a seed of its own");
  add_number(*app, "--tune-runs", command->tuning,
             "Runs on whose validation windows several settings are compared");
  add_number(*app, "--seed", study.seed, "Determines validation, initial weights and draws");
  add_series_options(*app, study.series);
  add_window_options(*app, study.windows, study.split);
  add_choice(
      *app, "--scale-by", study.scale_by, scale_by_names,
      "Windows whose mean and deviation standardise prices (all: those of the test period too)")
      ->group("Windows");
  add_trial_options(*app, *command, study.trial);
  add_sequence_network_options(*app, study.architecture);
  add_variance_options(*app, study.family);
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace probmix::app
