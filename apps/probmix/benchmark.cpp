// probmix reproduce best, probmix reproduce tables: the default recipe of `train`, judged.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/json.hpp"
#include "probmix/paper/tables.hpp"
#include "probmix/paper/uci.hpp"
#include "probmix/report/study/published.hpp"
#include "study.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct BenchmarkCommand : StudyCommand {
  std::string data;
  std::vector<std::string> sets;
  std::vector<Index> splits;
  std::string export_to = {};  // a directory for the splits; empty: train and judge
};

using Sets = std::vector<std::shared_ptr<const StudyData>>;

// Each table and split once, with the one recipe.
void run_benchmark(const CLI::App& app, const BenchmarkCommand& command, const std::string& study,
                   const Sets& sets, const Conclude& conclude) {
  run_study(command,
            {.name = study,
             .cells = study_cells(sets, {&find_method(method_of(command.fit).name)}),
             .repeats = command.splits},
            unused_options(app, {command.fit}), conclude);
}

std::shared_ptr<const StudyData> as_benchmark(const std::shared_ptr<const StudyData>& data) {
  auto copy = std::make_shared<StudyData>(*data);
  copy->is_benchmark = true;
  return copy;
}

// NAME.csv and NAME.json for each table (paper/tables.hpp).
void export_splits(const BenchmarkCommand& command, const Sets& sets,
                   TableKind (*kind_of)(const StudyData&)) {
  const std::filesystem::path folder = command.export_to;
  std::filesystem::create_directories(folder);
  for (const auto& data : sets) {
    const Json splits = benchmark_splits(*data, kind_of(*data), command.splits);
    write_file_atomically(folder / (data->name + ".csv"), benchmark_csv(*data->at(0).table));
    write_file_atomically(folder / (data->name + ".json"), exact_json_text(splits) + "\n");
  }
  say(fmt::format("splits of {} in {}", counted(std::ssize(sets), "table"), folder.string()));
}

void run_best(const CLI::App& app, const BenchmarkCommand& command) {
  const std::filesystem::path directory = data_directory(command.data, uci_files);
  Sets sets;
  for (const std::string& name : command.sets) {
    sets.push_back(as_benchmark(read_uci(directory, name, command.fit)));
  }
  if (!command.export_to.empty()) {
    export_splits(command, sets, [](const StudyData&) { return TableKind::regression; });
    return;
  }
  run_benchmark(app, command, "best", sets, [](std::span<const RunRecord> records) -> Conclusion {
    const StudyLayout& layout = study_layout("best");
    const std::vector<CellSummary> cells = sum_up(layout, records);
    Conclusion conclusion{.text = report::published_verdict(layout, cells)};
    for (std::size_t k = 0; k < layout.scores.size(); ++k) {
      if (auto table = report::published_table(layout, cells, k)) {
        conclusion.tables.push_back(std::move(*table));
      }
    }
    return conclusion;
  });
}

void run_tables(const CLI::App& app, const BenchmarkCommand& command) {
  const std::filesystem::path directory = data_directory(command.data, table_files);
  Sets sets;
  for (const std::string& name : command.sets) {
    sets.push_back(as_benchmark(read_benchmark(directory, benchmark_table(name), command.fit)));
  }
  if (!command.export_to.empty()) {
    export_splits(command, sets,
                  [](const StudyData& data) { return benchmark_table(data.name).kind; });
    return;
  }
  run_benchmark(app, command, "tables", sets, [](std::span<const RunRecord> records) -> Conclusion {
    const StudyLayout& layout = study_layout("tables");
    return {.text = report::marginal_verdict(layout, sum_up(layout, records))};
  });
}

// The options that both have. Those of training are for ablations: without any, it is the recipe.
void add_benchmark_options(CLI::App& app, BenchmarkCommand& command) {
  app.add_option("--export-splits", command.export_to,
                 "Write tables and splits to this directory, and stop")
      ->type_name("DIR");
  add_study_options(app, command);
  app.remove_option(app.get_option("--methods"));
  constexpr std::array fixed = {"target", "inputs", "weights", "group",
                                "time",   "window", "horizon", "trials"};
  add_fit_options(app, command.fit, [&](const Option& option) {
    return std::ranges::count(fixed, option.name) == 0;
  });
}

// The settings of the mix are those of the recipe: one value each.
void set_grid(BenchmarkCommand& command) {
  const MixOptions& mix = command.fit.mix;
  command.grid = {.alpha = {mix.alpha}, .beta = {mix.beta}, .pooling = {mix.pooling}};
}

}  // namespace

void add_best(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "best", "The default recipe of 'probmix train' on the UCI sets, beside published figures");
  app->footer(
      "Examples:\n"
      "  probmix reproduce best --data DIR --sets yacht,bostonHousing --splits 0-1\n"
      "  probmix reproduce best --data DIR --out best.jsonl --page best.html\n"
      "  probmix reproduce best --data DIR --preset fast --out fast.jsonl\n"
      "The second is the whole study. If stopped, run it again to continue where it left off.\n"
      "The third changes the recipe: 'probmix report best.jsonl --variants fast.jsonl' shows what\n"
      "that does.");
  const auto command = std::make_shared<BenchmarkCommand>();
  command->sets = {uci_names.begin(), uci_names.end()};
  command->splits = run_numbers(20);
  add_data_option(*app, command->data, "Directory with uci/yacht/data.txt and so on");
  add_list(*app, "--sets", command->sets, "Data sets, by the names of their folders")
      ->default_str("the paper's eight");
  add_ranges(*app, "--splits", command->splits, "Published splits, numbered from 0");
  add_benchmark_options(*app, *command);
  app->callback([command, app] {
    set_grid(*command);
    run_best(*app, *command);
  });
}

void add_tables(CLI::App& reproduce) {
  CLI::App* const app = reproduce.add_subcommand(
      "tables", "The default recipe of 'probmix train' on tables of many kinds");
  app->footer(
      "Examples:\n"
      "  probmix reproduce tables --data DIR --sets autompg,glass,airline-passengers\n"
      "  probmix reproduce tables --data DIR --out tables.jsonl --page tables.html\n"
      "  probmix reproduce tables --data DIR --export-splits FOLDER\n"
      "The last writes each table as CSV and its splits as JSON, for other programs\n"
      "(bench/quality).");
  const auto command = std::make_shared<BenchmarkCommand>();
  command->sets = benchmark_names();
  command->splits = run_numbers(3);
  add_data_option(*app, command->data, "Directory with tables/autompg.csv.gz and so on");
  add_list(*app, "--sets", command->sets, "Tables, by name")->default_str("all");
  add_ranges(
      *app, "--splits", command->splits,
      "Splits into 80 % for training and 20 % for testing, numbered from 0; of a series 0-3");
  add_benchmark_options(*app, *command);
  app->callback([command, app] {
    set_grid(*command);
    run_tables(*app, *command);
  });
}

}  // namespace probmix::app
