// probmix compare.
#include "probmix/experiment/compare.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "study.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct CompareCommand : StudyCommand {
  std::string data;
  CompareOptions compare = {};
  std::vector<std::string> categories = {};
  CsvFormat format = {};
};

void run(const CompareCommand& command) {
  const auto methods = parse_methods(command.methods);
  for (const auto& [option, file] :
       {std::pair("--out", command.out), std::pair("--page", command.page)}) {
    if (!file.empty()) check_other_file(option, file, {command.data});
  }
  const Frame frame = read_table(command.data, command.format, command.categories);
  const Comparison comparison(frame, command.compare);
  for (const std::string& remark : comparison.remarks()) say(remark);
  const auto conclude = [&](std::span<const RunRecord> records) -> Conclusion {
    if (command.shard.count > 1) return {"", {{"recommendation", nullptr}}};
    const StudyView& view = study_view(comparison.study());
    const Recommendation found = recommend(view, sum_up(view, records), comparison.test_share());
    return {to_text(found), {{"recommendation", to_json(found)}}};
  };
  run_study(command,
            {.name = comparison.study(),
             .cells = comparison.cells(methods),
             .repeats = run_numbers(comparison.runs())},
            command.compare.fit.mix, conclude);
}

}  // namespace

void add_compare(CLI::App& app) {
  CLI::App* const compare = app.add_subcommand(
      "compare", "Compare methods on a CSV file by cross-validation, and recommend one");
  compare->footer(
      "Examples:\n"
      "  probmix compare houses.csv --target price\n"
      "  probmix compare houses.csv --target price --methods erm,probmix,m-probmix --page p.html\n"
      "  probmix compare visits.csv --target visits --group patient --folds 10 --out r.jsonl");
  const auto command = std::make_shared<CompareCommand>();
  add_input_file(*compare, "DATA", command->data,
                 "Table: CSV, also packed by gzip or zstd; - for standard input");
  add_study_options(*compare, *command);
  compare->get_option("--json")->description("Print JSON: results and recommendation");
  add_number(*compare, "--folds", command->compare.folds,
             "Parts, each of which is judged by models that learn from the others; with --time or "
             "--window by those that learn from the parts before");
  add_number(*compare, "--repeats", command->compare.repeats,
             "Cross-validations, each with other parts");
  add_fit_options(*compare, command->compare.fit, command->categories);
  add_format_options(*compare, command->format);
  compare->callback([command, compare] {
    complete_fit_options(*compare, command->compare.fit);
    tell_unused(*compare, command->compare.fit, parse_methods(command->methods));
    const MixOptions& mix = command->compare.fit.mix;
    command->grid = {.alpha = {mix.alpha}, .beta = {mix.beta}, .pooling = {mix.pooling}};
    run(*command);
  });
}

}  // namespace probmix::app
