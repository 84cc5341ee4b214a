#include "options.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace probmix::app {

std::vector<std::string> split(std::string_view text, char delimiter) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(delimiter);
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

CLI::Option* add_flag(CLI::App& app, const std::string& option, bool& target,
                      const std::string& help, bool value) {
  return app
      .add_flag_callback(
          option, [&target, value] { target = value; }, help)
      ->disable_flag_override();
}

void add_out(CLI::App& app, std::filesystem::path& target, const std::string& help) {
  app.add_option_function<std::string>(
         "--out",
         [&target](const std::string& text) {
           // CLI11 takes the next argument, even if it is an option.
           check_usage(!text.empty() && text[0] != '-', "--out needs a file, not '{}'", text);
           target = text;
         },
         help)
      ->type_name("FILE")
      ->default_str(target.string());
}

void add_mix_options(CLI::App& app, MixOptions& options) {
  constexpr auto group = "Mixing";
  add_number(app, "--alpha", options.alpha,
             "α > 0 of λ ~ Beta(α, α); 1e-32: λ is 0 or 1, inf: λ is ½")
      ->group(group);
  add_number(app, "--beta", options.beta, "β ≥ 0, the width of the response kernel")->group(group);
  add_choice(app, "--pooling", options.pooling, pooling_names, "How densities are fused")
      ->group(group);
  add_choice(app, "--target-pooling", options.target_pooling, pooling_names,
             "How targets are fused", "as --pooling, but soft labels for classes with β = 0")
      ->group(group);
  add_choice(app, "--expectation", options.expectation, expectation_names,
             "Expectation over the fused target", "exact for classes, else sampled")
      ->group(group);
  add_number(app, "--draws", options.draws, "K draws of (λ, target, embedding) for a pair")
      ->group(group);
  add_choice(app, "--criterion", options.criterion, criterion_names,
             "Over the K draws, the mean of log-likelihoods or the log of the mean likelihood")
      ->group(group);
  add_choice(app, "--lambda-per", options.lambda_per, lambda_per_names, "One λ for each")
      ->group(group);
  add_choice(app, "--pairing", options.pairing, pairing_names,
             "How the global methods draw partners")
      ->group(group);
  add_number(app, "--neighbours", options.neighbours,
             "Nearest neighbours among which the local methods draw partners")
      ->group(group);
  add_flag(app, "--propagate-mean", options.propagate_mean,
           "Train with the mean of a random embedding instead of a draw")
      ->group(group);
}

void add_train_options(CLI::App& app, TrainOptions& options) {
  constexpr auto group = "Training";
  add_number(app, "--epochs", options.epochs, "Passes over the training rows")->group(group);
  add_number(app, "--batch", options.batch, "Rows of a mini-batch; 0: all rows")->group(group);
  add_choice(app, "--optimiser", options.optimiser.kind, optimiser_names, "Update rule")
      ->group(group);
  add_number(app, "--learning-rate", options.optimiser.learning_rate, "Step size of the optimiser")
      ->group(group);
  add_number(app, "--clip", options.optimiser.clip, "Largest norm of a gradient; 0: any")
      ->group(group);
  add_number(app, "--patience", options.patience,
             "Stop after so many epochs without a better validation NLL; 0: never")
      ->group(group);
  add_flag(app, "--last", options.select_best,
           "Keep the last parameters, not those with the best validation NLL", false)
      ->group(group);
}

void add_network_options(CLI::App& app, MlpOptions& options) {
  constexpr auto group = "Network";
  app.add_option_function<std::string>(
         "--hidden",
         [&options](const std::string& text) {
           options.hidden.clear();
           for (const std::string& width : split(text, ',')) {
             options.hidden.push_back(parse_number<Index>("--hidden", width));
           }
         },
         "Widths of the hidden layers, separated by commas")
      ->type_name("N,N,...")
      ->default_str(fmt::format("{}", fmt::join(options.hidden, ",")))
      ->group(group);
  add_number(app, "--embedding-layer", options.embedding_layer,
             "The hidden layer (1, 2, ...) that is the embedding")
      ->group(group);
  add_choice(app, "--activation", options.activation, activation_names,
             "Activation of the hidden layers")
      ->group(group);
}

void add_family_options(CLI::App& app, std::string& name, FamilyOptions& options) {
  constexpr auto group = "Responses";
  app.add_option_function<std::string>(
         "--family",
         [&name](const std::string& text) {
           name = family_names()[check_choice("family", text, family_names())];
         },
         fmt::format("Family of their density: {}", fmt::join(family_names(), ", ")))
      ->type_name("NAME")
      ->default_str(name)
      ->group(group);
  add_flag(app, "--homoscedastic", options.homoscedastic, "One learned variance for all x")
      ->group(group);
  add_choice(app, "--variance-link", options.positive.kind, Positive::kind_names,
             "From an output of the network to a variance")
      ->group(group);
  add_number(app, "--variance-floor", options.positive.floor, "Smallest variance, at least 1e-12")
      ->group(group);
}

std::vector<const Method*> parse_methods(const std::string& names) {
  std::vector<std::string_view> accepted{"all"};
  accepted.insert(accepted.end(), method_names.begin(), method_names.end());
  std::vector<const Method*> found;
  const auto add = [&](const Method& method) {
    check_usage(std::ranges::find(found, &method) == found.end(),
                "method '{}' is given twice in --methods {}", method.name, names);
    found.push_back(&method);
  };
  for (const std::string& name : split(names, ',')) {
    const std::size_t position = check_choice("method", name, accepted);
    if (position > 0) {
      add(methods[position - 1]);
    } else {
      for (const Method& method : methods) add(method);
    }
  }
  return found;
}

}  // namespace probmix::app
