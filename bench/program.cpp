#include "program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "options.hpp"
#include "probmix/base/error.hpp"

namespace probmix::bench {

void add_step_options(CLI::App& app, StepSettings& step) {
  const auto add_name = [&](const std::string& option, std::string& target, auto accepted,
                            const std::string& help) {
    app.add_option_function<std::string>(
           option,
           [&target, accepted, what = option.substr(2)](const std::string& text) {
             target = accepted[check_choice(what, text, accepted)];
           },
           fmt::format("{}: {}", help, fmt::join(accepted, ", ")))
        ->type_name("NAME")
        ->default_str(target);
  };
  app::add_choice(app, "--arch", step.network.kind, architecture_names, "Kind of network");
  add_name("--method", step.method, method_names, "Training method");
  app::add_number(app, "--rows", step.rows, "Rows of the synthetic data");
  app::add_number(app, "--steps", step.steps, "Steps of a row that is a sequence");
  app::add_number(app, "--features", step.features, "Features of a row, or of each of its steps");
  app::add_number(app, "--batch", step.batch, "Rows of a mini-batch; 0: all rows");
  app::add_number(app, "--threads", step.threads, "Number of threads");
  app::add_number(app, "--seed", step.seed, "Seed of data, parameters and draws");
  app::add_network_options(app, step.network.mlp);
  // Of a network for sequences these are its head's.
  app.parse_complete_callback([&app, &step] {
    const auto given = [&](const char* option) { return app.count(option) > 0; };
    if (given("--hidden")) step.network.head.hidden = step.network.mlp.hidden;
    if (given("--activation")) step.network.head.activation = step.network.mlp.activation;
    check_usage(step.network.kind == ArchitectureKind::mlp || !given("--embedding-layer"),
                "--embedding-layer is of an MLP only");
  });
  app::add_family_options(app, step.family, step.family_options);
  app::add_number(app, "--classes", step.family_options.classes,
                  "Classes of a categorical response")
      ->group("Responses");
  app::add_setting_options(app, step.mix);
  app::add_mix_options(app, step.mix);
}

std::string to_text(const Json& json) {
  std::string out;
  for (const auto& [key, value] : json.items()) {
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.5g}", value.get<double>())
                                                       : value.dump();
    out += fmt::format("{:<22} {}\n", key, text);
  }
  return out;
}

}  // namespace probmix::bench
