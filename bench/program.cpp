#include "program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "options.hpp"
#include "probmix/base/error.hpp"

namespace probmix::bench {

void add_step_options(CLI::App& app, StepSettings& step) {
  const auto fit = std::make_shared<FitOptions>();
  fit->architecture = step.network;
  fit->method = find_method(step.method);
  fit->mix = step.mix;
  fit->train.batch = step.batch;
  fit->seed = step.seed;
  fit->family = step.family;
  fit->family_options = step.family_options;
  app::add_number(app, "--rows", step.rows, "Rows of the synthetic data");
  app::add_number(app, "--steps", step.steps, "Steps of a row that is a sequence");
  app::add_number(app, "--features", step.features, "Features of a row, or of each of its steps");
  app::add_number(app, "--bins", step.bins, "Bins of each feature, which an mlp encodes; 0: none");
  app::add_number(app, "--threads", step.threads, "Number of threads");
  app::add_number(app, "--classes", step.family_options.classes,
                  "Classes of a categorical response")
      ->group(std::string(option_group::responses));
  constexpr std::array names = {"arch",   "method",     "batch",           "seed",
                                "hidden", "activation", "embedding-layer", "embedding-mean"};
  app::add_fit_options(app, *fit, [&](const Option& option) {
    return std::ranges::count(names, option.name) > 0 || option.group == option_group::responses ||
           (option.group == option_group::mixing && option.name != "members");
  });
  app.parse_complete_callback([&app, &step, fit] {
    step.network = fit->architecture;
    step.method = method_of(*fit).name;
    step.mix = fit->mix;
    step.batch = fit->train.batch.value_or(0);
    step.seed = fit->seed;
    step.family = fit->family;
    const int classes = step.family_options.classes;
    step.family_options = fit->family_options;
    step.family_options.classes = classes;
    check_usage(step.network.kind == ArchitectureKind::mlp || app.count("--embedding-layer") == 0,
                "--embedding-layer is of an MLP only");
  });
}

std::string to_text(const Json& json) {
  std::string out;
  for (const auto& [key, value] : json.items()) {
    const std::string text = value.is_string()         ? value.get<std::string>()
                             : value.is_number_float() ? fmt::format("{:.5g}", value.get<double>())
                                                       : exact_json_text(value);
    out += fmt::format("{:<22} {}\n", key, text);
  }
  return out;
}

}  // namespace probmix::bench
