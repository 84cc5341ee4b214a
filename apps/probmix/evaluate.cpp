// probmix evaluate.
#include <fmt/format.h>

#include <memory>
#include <thread>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/atomic_file.hpp"
#include "probmix/base/error.hpp"
#include "probmix/model/beside_baseline.hpp"
#include "probmix/model/model_rows.hpp"
#include "probmix/model/slices.hpp"
#include "probmix/model/worst_rows.hpp"
#include "probmix/report/model/model_page.hpp"
#include "probmix/report/model/verdict.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::evaluation_table;
using report::model_page;
using report::slices_table;
using report::verdict;
using report::worst_table;

namespace {

struct EvaluateCommand {
  std::string model, data;
  RowOptions rows{.wants_targets = true};
  CsvFormat format = {};
  Index threads = 1;
  bool json = false;
  std::filesystem::path page = {};
  std::string by = {};  // a column
  Index worst = 0;      // rows to show
};

// {"column", "parts": [{"part", then its scores}]}.
Json to_json(const std::vector<SlicedEvaluator::Part>& found, const std::string& column,
             const Target& target) {
  Json parts = Json::array();
  for (const auto& [name, evaluation] : found) {
    parts.push_back({{"part", printable(name)}});
    parts.back().update(to_json(evaluation, target));
  }
  return {{"column", column}, {"parts", std::move(parts)}};
}

Json to_json(const std::vector<WorstRow>& rows, const Target& target) {
  Json all = Json::array();
  for (const WorstRow& row : rows) {
    Json json = {{"row", row.number}, {"nll", row.nll}};
    if (target.has_classes()) {
      const auto name = [&](double c) { return target.classes[static_cast<std::size_t>(c)]; };
      json.update({{"observed", name(row.observed)},
                   {"predicted", name(row.predicted)},
                   {"probability", row.probability}});
    } else {
      json.update({{"observed", row.is_censored ? Json(nullptr) : Json(row.observed)},
                   {"predicted", row.predicted},
                   {"low90", row.low},
                   {"high90", row.high}});
    }
    all.push_back(std::move(json));
  }
  return all;
}

void run(const EvaluateCommand& command) {
  check_usage(command.model != "-" || command.data != "-",
              "only one of MODEL and DATA can be standard input");
  if (!command.page.empty()) {
    check_other_file("--page", command.page, {command.model, command.data});
    check_writable(command.page);
  }
  check_range("`worst`", command.worst, 0, 1000);
  const Model model = load_model(command.model);
  EvaluatorBeside evaluator(model, command.threads);
  const std::unique_ptr<TableRows> data = open_rows(command.data, command.format);
  RowOptions options = command.rows;
  options.block = evaluator.block_rows();
  if (!command.by.empty()) options.keep = {command.by};
  ModelRows rows(model, *data, options);
  const SliceNames names(model, command.by);
  SlicedEvaluator slices(model.target, evaluator.members());
  std::vector<std::string> parts;
  WorstRows worst(model.target, command.worst);
  Index done = 0;
  {
    CountLine progress("rows");
    while (rows.next()) {
      const View<const float> outputs = evaluator.add(rows.x(), rows.y());
      for (Index r = 0; command.worst > 0 && r < rows.rows(); ++r) {
        worst.add(rows.number(r), evaluator.density(r), {rows.y().row(r), 1, rows.y().cols});
      }
      if (!command.by.empty()) {
        parts.clear();
        for (Index r = 0; r < rows.rows(); ++r) {
          parts.push_back(names.name(rows.kept(r).front()));
        }
        slices.add(outputs, rows.y(), parts);
      }
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
  const EvaluationBeside found = evaluator.result();
  const Evaluation& evaluation = found.model;
  const std::vector<std::string> sentences = verdict(found, model.target);
  if (evaluation.censored > 0) {
    say(fmt::format("{} with a censored target: in the NLL, but in no other score",
                    counted(evaluation.censored, "row")));
  }
  if (command.json) {
    Json json = to_json(evaluation, model.target);
    json["verdict"] = sentences;
    if (!command.by.empty()) json["by"] = to_json(slices.result(), command.by, model.target);
    if (found.linear) json["linear"] = to_json(*found.linear, model.target);
    if (found.marginal) json["marginal"] = to_json(*found.marginal, model.target);
    if (command.worst > 0) json["worst"] = to_json(worst.rows(), model.target);
    json["left_out"] = {{"missing_target", odd.missing}, {"unknown_target", odd.unknown}};
    print(exact_json_text(json, 2) + "\n");
  } else {
    print(fmt::format("{} on {}: {}\n{}\n\n{}", command.model, data->file(),
                      counted(evaluation.rows, "row"), fmt::join(sentences, "\n"),
                      text_table(evaluation_table(found, model.target))));
    if (!command.by.empty()) {
      print("\n" + text_table(slices_table(slices.result(), command.by, model.target)));
    }
    if (command.worst > 0) print("\n" + text_table(worst_table(worst.rows(), model.target)));
  }
  if (command.page.empty()) return;
  write_file_atomically(command.page, model_page(model, found, command.model, data->file()));
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
  evaluate
      ->add_option(
          "--by", command->by,
          "Also the scores of the rows of each value of this column, or of four ranges of a "
          "number that is an input")
      ->type_name("NAME");
  add_number(*evaluate, "--worst", command->worst, "Also the rows with the largest NLL, this many");
  add_flag(*evaluate, "--fill-columns", command->rows.fills_columns,
           "Treat an input column that the table lacks as missing in every row");
  add_threads(*evaluate, command->threads, "Number of threads; does not change the result");
  add_format_options(*evaluate, command->format);
  evaluate->callback([command] { run(*command); });
}

}  // namespace probmix::app
