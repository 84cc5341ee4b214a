// probmix compare.
#include "probmix/sweep/compare.hpp"

#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/sweep/recommend.hpp"
#include "study.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct CompareCommand : StudyCommand {
  TableSource table = {};
  Index folds = CompareOptions().folds;
  Index repeats = CompareOptions().repeats;
};

void run(const CLI::App& app, const CompareCommand& command) {
  const auto methods = parse_methods(command.methods);
  for (const auto& [option, file] :
       {std::pair("--out", command.out), std::pair("--page", command.page)}) {
    if (!file.empty()) check_other_file(option, file, {command.table.path});
  }
  const auto table = std::make_shared<const Frame>(read_table(command.table, command.fit));
  const Comparison comparison = make_comparison(
      table, {.fit = command.fit, .folds = command.folds, .repeats = command.repeats});
  std::vector<std::string> notices = unused_options(app, with_methods({command.fit}, methods));
  notices.insert(notices.end(), comparison.remarks.begin(), comparison.remarks.end());
  const auto conclude = [&](std::span<const RunRecord> records) -> Conclusion {
    if (command.shard.count > 1) return {"", {{"recommendation", nullptr}}};
    const StudyLayout& layout = study_layout(comparison.study);
    const Recommendation found = recommend(layout, sum_up(layout, records), comparison.test_share);
    return {to_text(found), {{"recommendation", to_json(found)}}};
  };
  run_study(command,
            {.name = comparison.study,
             .cells = study_cells({comparison.data}, methods),
             .repeats = run_numbers(comparison.data->repeats)},
            notices, conclude);
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
  add_input_file(*compare, "DATA", command->table.path,
                 "Table: CSV, plain or packed by gzip or zstd; - for standard input");
  add_study_options(*compare, *command);
  compare->get_option("--json")->description("Print JSON: results and recommendation");
  add_number(*compare, "--folds", command->folds,
             "Number of parts; each is judged by models trained on the others, or with --time or "
             "--window on the parts before it");
  add_number(*compare, "--repeats", command->repeats,
             "Number of cross-validations, each with different parts");
  add_fit_options(*compare, command->fit,
                  [](const Option& o) { return o.name != "method" && o.name != "trials"; });
  compare->get_option("--target")->required();
  add_table_options(*compare, command->table);
  compare->callback([command, compare] {
    const MixOptions& mix = command->fit.mix;
    command->grid = {.alpha = {mix.alpha}, .beta = {mix.beta}, .pooling = {mix.pooling}};
    run(*compare, *command);
  });
}

}  // namespace probmix::app
