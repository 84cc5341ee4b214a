// probmix reproduce stocks.
#include "probmix/paper/stocks.hpp"

#include <memory>
#include <span>

#include "commands.hpp"
#include "options.hpp"
#include "study.hpp"
#include "table_options.hpp"

namespace probmix::app {

namespace {

struct StockCommand : StudyCommand {
  std::string data;
  StockSplit split = {};
  std::vector<std::string> stocks = {"GOOG", "GME", "NVDA", "RCL"};
  std::vector<std::string> architectures = {"lstm", "transformer"};
  Index runs = 3;
  Index tuning = 1;

  StockCommand() {  // the paper's nine: all but the star variants
    fit = stock_options();
    methods = "erm,mix,loc-mix,m-mix,loc-m-mix,probmix,loc-probmix,m-probmix,loc-m-probmix";
  }
};

// All but the first of architecture_names: the MLP is not a sequence network.
constexpr std::span sequence_architectures = std::span(architecture_names).subspan<1>();

void run(const CLI::App& app, const StockCommand& command) {
  const auto methods = parse_methods(command.methods);
  const std::filesystem::path directory = data_directory(command.data, stock_files);
  std::vector<FitOptions> fits;
  std::vector<std::shared_ptr<const StudyData>> sets;
  for (const std::string& name : command.architectures) {
    FitOptions fit = command.fit;
    const std::size_t kind = check_choice("architecture", name, sequence_architectures);
    fit.architecture.kind = static_cast<ArchitectureKind>(kind + 1);
    for (const std::string& stock : command.stocks) {
      sets.push_back(read_stock(directory, stock, command.split, fit));
    }
    fits.push_back(std::move(fit));
  }
  run_study(command,
            {.name = "stocks",
             .cells = study_cells(sets, methods),
             .repeats = run_numbers(command.runs),
             .tuning = run_numbers(command.tuning, "--tune-runs"),
             .has_validation = command.fit.validation > 0},
            unused_options(app, with_methods(fits, methods)));
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
      "The second is the whole study. If stopped, run it again to continue where it left off.");
  const auto command = std::make_shared<StockCommand>();
  add_data_option(*app, command->data,
                  "Directory with stocks/GOOG.csv and so on: Date,Open,High,Low,Close");
  add_list(*app, "--stocks", command->stocks, "Stocks, by the names of their files");
  add_list(*app, "--arch", command->architectures, "Networks: lstm, transformer");
  add_study_options(*app, *command);
  app->get_option("--methods")->default_str("the paper's nine: all but the star variants");
  add_number(*app, "--runs", command->runs, "Runs of each method, each with its own seed");
  add_number(*app, "--tune-runs", command->tuning,
             "Runs whose validation windows are used to compare settings");
  add_number(*app, "--test", command->split.test,
             "Share of the rows, the last ones, that form the test period")
      ->group(std::string(option_group::series));
  add_sort_option(*app, command->split.sort);
  app->add_flag_callback(
         "--allow-gaps", [command] { command->fit.rules.gaps = GapRule::ignore; },
         "Same as --gaps ignore")
      ->disable_flag_override()
      ->group(std::string(option_group::series));
  add_preset_options(
      *app, *command,
      {"target", "inputs", "time", "validation", "validation-rows", "homoscedastic",
       "variance-link", "variance-floor", option_group::series, option_group::networks});
  app->callback([command, app] { run(*app, *command); });
}

}  // namespace probmix::app
