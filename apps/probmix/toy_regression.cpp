// probmix reproduce toy-regression.
#include "toy_regression.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "probmix/base/file.hpp"
#include "probmix/report/toy.hpp"
#include "terminal.hpp"

namespace probmix::app {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const ToyCommand& command, const ToySummary& s) {
  const MixOptions& mix = command.study.mix;
  Json object = {{"method", s.method->name},
                 {"alpha", std::isinf(mix.alpha) ? Json("inf") : Json(mix.alpha)},
                 {"beta", mix.beta},
                 {"pooling", pooling_names[static_cast<std::size_t>(mix.pooling)]}};
  const auto put = [&](const std::string& key, const MeanSe& value) {
    object[key] = value.mean;  // NaN becomes null
    object[key + "_se"] = value.se;
  };
  put("id_nll", s.id_nll);
  put("ood_nll", s.ood_nll);
  put("train_nll", s.train_nll);
  put("id_mse", s.id_mse);
  put("ood_mse", s.ood_mse);
  put("id_draws_nll", s.id_draws_nll);
  put("ood_draws_nll", s.ood_draws_nll);
  put("train_draws_nll", s.train_draws_nll);
  object["configuration"] = Json::object();
  for (const auto& [name, value] : toy_configuration(command.study, command.runs)) {
    object["configuration"][name] = value;
  }
  return object;
}

}  // namespace

void add_run_options(CLI::App& app, ToyCommand& command) {
  add_number(app, "--runs", command.runs, "Runs of each method, each with a seed of its own");
  add_number(app, "--threads", command.threads,
             "Runs at the same time; the results do not depend on it");
  add_number(app, "--seed", command.study.seed, "Determines data, initial weights and draws");
  add_flag(app, "--json", command.json, "Print a JSON array, one object for each method");
}

void run(const ToyCommand& command) {
  const auto chosen = parse_methods(command.methods);
  if (!command.out.empty()) check_writable(command.out);
  std::vector<ToySummary> summaries;
  double seconds = 0;
  {
    ProgressLine progress("toy regression", chosen.size() * static_cast<std::size_t>(command.runs));
    summaries = run_toy_study(command.study, chosen, command.runs, command.threads,
                              [&] { progress.finished(); });
    seconds = progress.elapsed_seconds();
  }
  if (command.json) {
    Json all = Json::array();
    for (const ToySummary& s : summaries) all.push_back(to_json(command, s));
    print(all.dump(2) + "\n");
  } else {
    const Index count = command.runs * std::ssize(chosen);
    print(fmt::format(
        "Toy regression, y = x³ + ε: mean ± standard error over {}, standardised units, * best\n\n"
        "{}\n{} in {:.1f} s on {}\n",
        counted(command.runs, "run"), text_table(toy_table(summaries)), counted(count, "run"),
        seconds, counted(std::min(command.threads, count), "thread")));
  }
  if (!command.out.empty()) {
    write_file_atomically(command.out, toy_page(command.study, command.runs, summaries));
    say("pictures: " + command.out.string());
  }
}

void add_toy_regression(CLI::App& reproduce) {
  CLI::App* const command = reproduce.add_subcommand(
      "toy-regression", "y = x³ + ε, in and out of the training distribution");
  command->footer(
      "Examples:\n"
      "  probmix reproduce toy-regression --methods erm,probmix,m-probmix --runs 3\n"
      "  probmix reproduce toy-regression --alpha 0.5 --pooling linear --out toy.html\n"
      "  probmix reproduce toy-regression --methods all --seed 1 --json > toy.json");
  const auto toy = std::make_shared<ToyCommand>();
  ToyRegression& study = toy->study;
  command
      ->add_option("--methods", toy->methods,
                   "Methods to train, separated by commas, or all; 'probmix methods' lists them")
      ->type_name("NAME,...")
      ->capture_default_str();
  add_run_options(*command, *toy);
  add_file(*command, "--out", toy->out, "Also write a page with pictures (HTML)");
  add_flag(*command, "--new-data", study.new_data,
           "A new data set for each run, instead of one for all");
  add_number(*command, "--members", study.members,
             "Draws of a random embedding that make a prediction; 0: its mean alone");
  add_mix_options(*command, study.mix);
  add_train_options(*command, study.train);
  add_network_options(*command, study.network);
  add_family_options(*command, study.family, study.family_options);
  command->callback([toy] { run(*toy); });
}

}  // namespace probmix::app
