// probmix info.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/model/describe.hpp"
#include "probmix/report/model/model_page.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::input_table;
using report::model_facts;
using report::model_options;
using report::Table;

namespace {

struct InfoCommand {
  std::string model;
  bool json = false;
};

void run(const InfoCommand& command) {
  const Model model = load_model(command.model);
  if (command.json) {
    print(exact_json_text(description_of(model), 2) + "\n");
    return;
  }
  const auto table = [](Table named, const auto& entries) {
    for (const auto& [name, value] : entries) named.add({name, value});
    return text_table(named);
  };
  Table facts, options;
  facts.columns = {{"model"}, {command.model}};
  options.columns = {{"option"}, {"value"}};
  print(table(facts, model_facts(model)) + "\n" + text_table(input_table(model)) + "\n" +
        table(options, model_options(model)));
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* const info =
      app.add_subcommand("info", "Show what a model is, what it reads and how it was trained");
  info->footer(
      "Examples:\n  probmix info houses.safetensors\n  probmix info houses.safetensors --json");
  const auto command = std::make_shared<InfoCommand>();
  add_input_file(*info, "MODEL", command->model, "Model written by 'probmix train'");
  add_flag(*info, "--json", command->json, "Print the whole description as JSON");
  info->callback([command] { run(*command); });
}

}  // namespace probmix::app
