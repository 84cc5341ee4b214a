// probmix evaluate.
#include <fmt/format.h>

#include <memory>
#include <thread>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/model/evaluation.hpp"
#include "probmix/model/model_predictor.hpp"
#include "probmix/model/model_rows.hpp"
#include "probmix/report/model/model_page.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::evaluation_table;
using report::model_page;

namespace {

struct EvaluateCommand {
  std::string model, data;
  RowOptions rows{.wants_targets = true};
  CsvFormat format = {};
  Index threads = 1;
  bool json = false;
  std::filesystem::path page = {};
};

void run(const EvaluateCommand& command) {
  check_usage(command.model != "-" || command.data != "-",
              "only one of MODEL and DATA can be standard input");
  if (!command.page.empty()) {
    check_other_file("--page", command.page, {command.model, command.data});
    check_writable(command.page);
  }
  const Model model = load_model(command.model);
  ModelPredictor predict(model, command.threads);
  const std::unique_ptr<TableRows> data = open_rows(command.data, command.format);
  RowOptions options = command.rows;
  options.block = predict.block_rows();
  ModelRows rows(model, *data, options);
  Evaluator evaluator(model.target, predict.all_members(), command.threads);
  Index done = 0;
  {
    CountLine progress("rows");
    while (rows.next()) {
      evaluator.add(predict.outputs(rows.x()), rows.y());
      progress.set(done += rows.rows());
    }
  }
  const TargetOddities& odd = rows.target_oddities();
  check(done > 0 || odd.unknown == 0, "{}", odd.first_unknown);
  check(done > 0, "'{}' has no row with a target to evaluate on", data->file());
  tell_oddities(rows.oddities());
  if (odd.missing > 0) {
    say(fmt::format("{} without a target, left out", counted(odd.missing, "row")));
  }
  if (odd.unknown > 0) {
    say(fmt::format("{} with a target unknown to the model, left out; the first: {}",
                    counted(odd.unknown, "row"), odd.first_unknown));
  }
  const Evaluation evaluation = evaluator.result();
  if (evaluation.censored > 0) {
    say(fmt::format("{} with a censored target: in the NLL, but in no other score",
                    counted(evaluation.censored, "row")));
  }
  if (command.json) {
    Json json = to_json(evaluation, model.target);
    json["left_out"] = {{"missing_target", odd.missing}, {"unknown_target", odd.unknown}};
    print(exact_json_text(json, 2) + "\n");
  } else {
    print(fmt::format("{} on {}: {}\n\n{}", command.model, data->file(),
                      counted(evaluation.rows, "row"),
                      text_table(evaluation_table(evaluation, model.target))));
  }
  if (command.page.empty()) return;
  write_file_atomically(command.page, model_page(model, evaluation, command.model, data->file()));
  say("report: " + command.page.string());
}

}  // namespace

void add_evaluate(CLI::App& app) {
  CLI::App* const evaluate = app.add_subcommand(
      "evaluate", "Evaluate a model's predictions on rows whose targets are known");
  evaluate->footer(
      "Examples:\n"
      "  probmix evaluate houses.safetensors test.csv\n"
      "  probmix evaluate houses.safetensors test.csv --page houses.html\n"
      "  probmix evaluate houses.safetensors test.csv --json");
  const auto command = std::make_shared<EvaluateCommand>();
  add_input_file(*evaluate, "MODEL", command->model, "Model written by 'probmix train'");
  add_input_file(*evaluate, "DATA", command->data,
                 "Table: CSV, plain or packed by gzip or zstd; - for standard input");
  add_flag(*evaluate, "--json", command->json, "Print JSON");
  add_file(*evaluate, "--page", command->page, "Also write a report with pictures (HTML)");
  add_flag(*evaluate, "--fill-columns", command->rows.fills_columns,
           "Treat an input column that the table lacks as missing in every row");
  add_threads(*evaluate, command->threads, "Number of threads; does not change the result");
  add_format_options(*evaluate, command->format);
  evaluate->callback([command] { run(*command); });
}

}  // namespace probmix::app
