// probmix reproduce all: runs every study of the paper, one command after another, and the report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <thread>

#include "commands.hpp"
#include "options.hpp"
#include "study.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

using Arguments = std::vector<std::string>;

// The grids are the paper's; small ones for the real data, where the paper states none.
const std::vector<Arguments> studies = {
    {"toy-regression", "--alpha", "0.01,0.05,0.1,0.5,1", "--beta", "0,0.01"},
    {"pooling"},
    {"latent"},
    {"toy-classification", "--alpha", "0.01,0.05,0.1,0.5,1", "--beta", "0,0.01"},
    {"uci", "--alpha", "0.1,1", "--beta", "0,0.01"},
    {"stocks", "--alpha", "0.1,1"},
};

struct AllCommand {
  std::string data;
  std::filesystem::path out = "results";
  Index threads = 1;
  bool quick = false;
};

// Options that make a study small enough for a first look.
Arguments quick_options(const std::string& study) {
  if (study == "uci") return {"--splits", "0-1", "--tune-splits", "0", "--epochs", "20"};
  if (study == "stocks") return {"--arch", "lstm", "--runs", "1", "--epochs", "2"};
  return {"--runs", "1", "--epochs", "20"};
}

void parse(void (*add)(CLI::App&), Arguments arguments) {
  CLI::App parser("", "probmix");
  add(parser);
  std::ranges::reverse(arguments);  // the order that CLI11 expects
  parser.parse(std::move(arguments));
}

void execute(void (*add)(CLI::App&), const Arguments& arguments) {
  say(fmt::format("probmix {}{}", arguments.front() == "report" ? "" : "reproduce ",
                  fmt::join(arguments, " ")));
  parse(add, arguments);
}

std::string results_of(const AllCommand& command, const std::string& study) {
  return (command.out / (study + ".jsonl")).string();
}

Arguments complete(const AllCommand& command, Arguments arguments) {
  const std::string study = arguments.front();
  const auto add = [&](const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (!command.data.empty() && (study == "uci" || study == "stocks")) {
    add({"--data", command.data});
  }
  if (command.quick) add(quick_options(study));
  add({"--threads", fmt::format("{}", command.threads), "--out", results_of(command, study)});
  return arguments;
}

void run(const AllCommand& command) {
  // Find missing data and results with other options now, not hours later.
  for (const Arguments& study : studies) {
    Arguments arguments = complete(command, study);
    arguments.emplace_back("--check-only");
    parse(add_studies, std::move(arguments));
  }
  std::filesystem::create_directories(command.out);
  execute(add_illustration, {"illustration"});
  Arguments report = {"report"};
  for (const Arguments& study : studies) {
    execute(add_studies, complete(command, study));
    report.push_back(results_of(command, study.front()));
  }
  report.insert(report.end(), {"--out", (command.out / "report.html").string(), "--tables",
                               (command.out / "tables").string()});
  execute(add_report, report);
}

}  // namespace

void add_studies(CLI::App& reproduce) {
  add_toy_regression(reproduce);
  add_pooling(reproduce);
  add_latent(reproduce);
  add_toy_classification(reproduce);
  add_uci(reproduce);
  add_stocks(reproduce);
}

void add_all(CLI::App& reproduce) {
  CLI::App* const app =
      reproduce.add_subcommand("all", "Every study of the paper with its grid, and the report");
  app->footer(
      "Examples:\n"
      "  probmix reproduce all --data DIR --out results\n"
      "  probmix reproduce all --data DIR --out look --quick\n"
      "The first takes hours, the second a minute. If stopped, run it again to continue where it\n"
      "left off. Each study is a command of its own, which is shown as it starts.");
  const auto command = std::make_shared<AllCommand>();
  add_data_option(*app, command->data,
                  "Directory with uci/yacht/data.txt, stocks/GOOG.csv and so on");
  add_file(*app, "--out", command->out, "Directory for the results, the report and its tables");
  add_threads(*app, command->threads, "Number of parallel runs; does not change the results");
  add_flag(*app, "--quick", command->quick, "Everything on a small scale, for a first look");
  app->callback([command] { run(*command); });
}

}  // namespace probmix::app
