// probmix methods: what --method accepts.
#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/json.hpp"
#include "probmix/mix/method.hpp"
#include "probmix/report/page/table.hpp"
#include "terminal.hpp"

namespace probmix::app {

using report::Align;
using report::Table;

namespace {

std::string mixes(const Method& method) {
  if (method.site == Site::none) {
    return method.drops ? "nothing; predictions of random dropout masks" : "nothing";
  }
  if (method.site == Site::input) return "inputs";
  if (method.site == Site::response) return "response densities";
  switch (method.embedding) {
    case Embedding::point:
      return "embeddings";
    case Embedding::gaussian:
      return "embedding densities";
    case Embedding::gaussian_separate:
      return "embedding densities, separate variance network";
  }
  return "";
}

}  // namespace

void add_methods(CLI::App& app) {
  CLI::App* const command = app.add_subcommand("methods", "List the training methods");
  command->footer("Example:\n  probmix methods --json");
  const auto json = std::make_shared<bool>(false);
  add_flag(*command, "--json", *json, "Print a JSON array of the names");
  command->callback([json] {
    if (*json) {
      print(exact_json_text(Json(method_names)) + "\n");
      return;
    }
    Table table;
    table.columns = {{"method"}, {"mixes"}, {"partners"}};
    for (const Method& method : methods) {
      const char* const partners = method.site == Site::none ? "none"
                                   : method.local            ? "nearest neighbours"
                                                             : "all rows";
      table.add({std::string(method.name), mixes(method), partners});
    }
    print(text_table(table));
  });
}

}  // namespace probmix::app
