// probmix info.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/model/describe.hpp"
#include "probmix/report/model_page.hpp"
#include "table_options.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

struct InfoCommand {
  std::string model;
  bool json = false;
};

void run(const InfoCommand& command) {
  const Model model = load_model(command.model);
  if (command.json) {
    print(description_of(model).dump(2) + "\n");
    return;
  }
  Table facts;
  facts.columns = {{"model"}, {command.model}};
  for (const auto& [name, value] : model_facts(model)) facts.add({name, value});
  print(text_table(facts) + "\n" + text_table(input_table(model)));
}

}  // namespace

void add_info(CLI::App& app) {
  CLI::App* const info = app.add_subcommand("info", "What a model is, reads and was trained with");
  info->footer(
      "Examples:\n  probmix info houses.safetensors\n  probmix info houses.safetensors --json");
  const auto command = std::make_shared<InfoCommand>();
  add_input_file(*info, "MODEL", command->model, "What 'probmix train' wrote");
  add_flag(*info, "--json", command->json, "Print the whole description as JSON");
  info->callback([command] { run(*command); });
}

}  // namespace probmix::app
