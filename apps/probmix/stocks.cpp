// probmix reproduce stocks.
#include "probmix/report/stocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <thread>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/file.hpp"
#include "probmix/base/version.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct StockCommand {
  StockPlan plan{.runs = 3};
  std::string data;
  std::vector<std::string> stocks = {"GOOG", "GME", "NVDA", "RCL"};
  std::vector<std::string> architectures = {"lstm", "transformer"};
  std::string methods =  // the paper's: all but the star variants
      "erm,mix,loc-mix,m-mix,loc-m-mix,probmix,loc-probmix,m-probmix,loc-m-probmix";
  Index threads = std::max(1U, std::thread::hardware_concurrency());
  bool json = false;
  std::filesystem::path out;   // results, one line for each run; empty: none
  std::filesystem::path page;  // HTML; empty: none
};

// All but the first of architecture_names, the MLP, which knows nothing of steps.
constexpr std::span sequence_architectures = std::span(architecture_names).subspan<1>();

Json to_json(const StockSummary& s, Json configuration) {
  Json object = {{"dataset", s.dataset},
                 {"arch", s.architecture},
                 {"method", s.method->name},
                 {"runs", s.runs},
                 {"diverged", s.diverged}};
  const auto put = [&](const std::string& key, const MeanSe& value) {
    object[key] = value.mean;  // NaN becomes null
    object[key + "_se"] = value.se;
  };
  put("train_nll", s.train_nll);
  put("test_nll", s.test_nll);
  put("train_rmse", s.train_rmse);
  put("test_rmse", s.test_rmse);
  put("train_draws_nll", s.train_draws_nll);
  put("test_draws_nll", s.test_draws_nll);
  for (const char* const key : {"dataset", "arch", "method", "run"}) configuration.erase(key);
  for (auto& [name, value] : configuration.items()) {
    if (value.is_number_float() && std::isinf(value.get<double>())) value = "inf";
  }
  object["configuration"] = std::move(configuration);
  return object;
}

// What a table does not show: why runs diverged, and runs of another version of the program.
void tell_oddities(std::span<const RunRecord> records) {
  const auto others = std::ranges::count_if(
      records, [](const RunRecord& r) { return r.version != library_version(); });
  if (others > 0) {
    say(fmt::format("{} of another version of probmix: the arithmetic may differ",
                    counted(others, "run")));
  }
  const auto diverged = std::ranges::find(records, RunStatus::diverged, &RunRecord::status);
  if (diverged != records.end()) {
    const Json& run = diverged->configuration;
    say(fmt::format("{} {} {}, run {}: {}", run.at("dataset").get<std::string>(),
                    run.at("arch").get<std::string>(), run.at("method").get<std::string>(),
                    run.at("run").get<Index>() + 1, diverged->message));
  }
}

void prepare(StockCommand& command) {
  StockPlan& plan = command.plan;
  check_range("threads", command.threads, 1, 4096);
  plan.methods = parse_methods(command.methods);
  for (const std::string& name : command.architectures) {
    const std::size_t kind = check_choice("architecture", name, sequence_architectures);
    plan.architectures.push_back(static_cast<ArchitectureKind>(kind + 1));
  }
  if (!command.page.empty()) {
    check_usage(std::filesystem::weakly_canonical(command.page) !=
                    std::filesystem::weakly_canonical(command.out),
                "--page and --out are the same file, {}", command.page.string());
    check_writable(command.page);
  }
  for (const std::string& name : command.stocks) {
    plan.stocks.push_back(read_stock(command.data, name, plan.study));
  }
}

void run(StockCommand& command) {
  prepare(command);
  const StockPlan& plan = command.plan;
  const std::vector<Json> configurations = stock_configurations(plan);
  Sweep sweep("stocks", configurations, command.out);
  const std::size_t before = sweep.done();
  if (before > 0) {
    say(fmt::format("{} holds {} of {} runs", command.out.string(), before, sweep.total()));
  }
  const auto open = static_cast<Index>(sweep.total() - before);
  std::vector<RunRecord> records;
  double seconds = 0;
  {
    ProgressLine progress("stocks", sweep.total(), before);
    records = sweep.run(stock_execute(plan), command.threads, [&] { progress.finished(); });
    seconds = progress.elapsed_seconds();
  }
  tell_oddities(records);
  const std::vector<StockSummary> summaries = sum_up(records);
  if (command.json) {
    Json all = Json::array();
    for (std::size_t k = 0; k < summaries.size(); ++k) {
      all.push_back(to_json(summaries[k], configurations[k * to_size(plan.runs)]));
    }
    print(all.dump(2) + "\n");
  } else {
    print(
        fmt::format("Stock forecasts, {} rows ahead: mean ± standard error over {}, "
                    "standardised units, * best of its stock and network\n\n{}\n"
                    "{} in {:.1f} s on {}{}\n",
                    plan.study.windows.horizon, counted(plan.runs, "run"),
                    text_table(stock_table(summaries)), counted(open, "run"), seconds,
                    counted(std::clamp<Index>(open, 1, command.threads), "thread"),
                    before == 0 ? "" : fmt::format(", {} were there before", before)));
  }
  if (!command.page.empty()) {
    write_file_atomically(command.page, stock_page(plan, summaries));
    say("pictures: " + command.page.string());
  }
}

}  // namespace

void add_stocks(CLI::App& reproduce) {
  CLI::App* const command = reproduce.add_subcommand(
      "stocks", "Forecasts of stock prices from sliding windows, with LSTM and transformer");
  command->footer(
      "Examples:\n"
      "  probmix reproduce stocks --data DIR --stocks NVDA,RCL --arch lstm \\\n"
      "      --methods erm,mix,probmix,m-probmix --runs 2 --epochs 50\n"
      "  probmix reproduce stocks --data DIR --out stocks.jsonl --page stocks.html\n"
      "The second one is the whole study. Stopped, it goes on where it was when it is called "
      "again.");
  const auto stocks = std::make_shared<StockCommand>();
  StockStudy& study = stocks->plan.study;
  command
      ->add_option_function<std::string>(
          "--data",
          [&data = stocks->data](const std::string& text) {
            check_usage(!text.empty() && text[0] != '-', "--data needs a directory, not '{}'",
                        text);
            data = text;
          },
          "Directory with stocks/GOOG.csv and so on: Date,Open,High,Low,Close")
      ->type_name("DIR")
      ->default_str("the environment's PROBMIX_DATA");
  add_list(*command, "--stocks", stocks->stocks, "Stocks, as their files are named");
  add_list(*command, "--arch", stocks->architectures, "Networks: lstm, transformer");
  command
      ->add_option("--methods", stocks->methods,
                   "Methods to train, separated by commas, or all; 'probmix methods' lists them")
      ->type_name("NAME,...")
      ->default_str("the paper's nine: all but the star variants");
  add_number(*command, "--runs", stocks->plan.runs,
             "Runs of each method, each with a seed of its own");
  add_number(*command, "--threads", stocks->threads,
             "Runs at the same time; the results do not depend on it");
  add_number(*command, "--seed", study.seed, "Determines validation, initial weights and draws");
  add_flag(*command, "--json", stocks->json, "Print a JSON array, one object for each row");
  add_file(*command, "--out", stocks->out,
           "Write each finished run to this file (JSON lines), and go on from what it holds");
  add_file(*command, "--page", stocks->page, "Also write a page with pictures (HTML)");
  add_number(*command, "--members", study.members,
             "Draws of a random embedding that make a prediction; 0: its mean alone");
  add_series_options(*command, study.series);
  add_window_options(*command, study.windows, study.split);
  add_mix_options(*command, study.mix);
  add_train_options(*command, study.train);
  add_sequence_network_options(*command, study.architecture);
  add_variance_options(*command, study.family);
  command->callback([stocks] { run(*stocks); });
}

}  // namespace probmix::app
