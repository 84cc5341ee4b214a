#include "options.hpp"

namespace probmix::app {

void add_mix_options(CLI::App& app, MixOptions& options) {
  constexpr auto group = "Mixing";
  CLI::App& mix = *app.add_option_group(group);
  mix.add_option("--alpha", options.alpha, "λ ~ Beta(α, α); from 1e-32 to inf")
      ->capture_default_str();
  mix.add_option("--beta", options.beta, "Width β of the response kernel, at least 0")
      ->capture_default_str();
  add_choice(mix, "--pooling", options.pooling, pooling_names, "How densities are fused");
  add_choice(mix, "--target-pooling", options.target_pooling, pooling_names,
             "How targets are fused", "as --pooling; soft labels for classes with β = 0");
  add_choice(mix, "--expectation", options.expectation, expectation_names,
             "Expectation over the fused target", "exact for classes, else sampled");
  add_choice(mix, "--criterion", options.criterion, criterion_names,
             "Mean of log-likelihoods, or log of the mean likelihood");
  mix.add_option("--draws", options.draws, "K draws of (λ, target, embedding) for a pair")
      ->capture_default_str();
  add_choice(mix, "--lambda-per", options.lambda_per, lambda_per_names,
             "One λ for a step, or for each pair");
  add_choice(mix, "--pairing", options.pairing, pairing_names, "Partners of the global methods");
  mix.add_option("--neighbours", options.neighbours, "K nearest neighbours of the local methods")
      ->capture_default_str();
  mix.add_flag("--propagate-mean", options.propagate_mean,
               "Train with the mean of a random embedding instead of a draw");
}

void add_train_options(CLI::App& app, TrainOptions& options) {
  CLI::App& train = *app.add_option_group("Training");
  train.add_option("--epochs", options.epochs, "Passes over the training rows")
      ->capture_default_str();
  train.add_option("--batch", options.batch, "Rows of a mini-batch; 0: all rows")
      ->capture_default_str();
  add_choice(train, "--optimiser", options.optimiser.kind, optimiser_names, "Update rule");
  train.add_option("--learning-rate", options.optimiser.learning_rate, "Its step size")
      ->capture_default_str();
  train.add_option("--clip", options.optimiser.clip, "Largest norm of a gradient; 0: any")
      ->capture_default_str();
  train
      .add_option("--patience", options.patience,
                  "Stop after so many epochs without a better one; 0: never")
      ->capture_default_str();
  train.add_flag("--last{false}", options.select_best,
                 "Keep the last parameters, not those with the best validation NLL");
}

void add_network_options(CLI::App& app, MlpOptions& options) {
  CLI::App& network = *app.add_option_group("Network");
  network.add_option("--hidden", options.hidden, "Widths of the hidden layers")
      ->delimiter(',')
      ->capture_default_str();
  network
      .add_option("--embedding-layer", options.embedding_layer,
                  "The hidden layer (1, 2, ...) that is the embedding")
      ->capture_default_str();
  add_choice(network, "--activation", options.activation, activation_names, "Of hidden layers");
}

void add_variance_options(CLI::App& app, Positive& positive) {
  CLI::App& network = *app.get_option_group("Network");
  add_choice(network, "--variance-link", positive.kind, Positive::kind_names,
             "From the network's output to a variance");
  network.add_option("--variance-floor", positive.floor, "Smallest variance")
      ->capture_default_str();
}

std::vector<const Method*> parse_methods(const std::vector<std::string>& names) {
  std::vector<const Method*> found;
  for (const std::string& name : names) {
    if (name == "all") {
      for (const Method& method : methods) found.push_back(&method);
    } else {
      found.push_back(&find_method(name));
    }
  }
  return found;
}

}  // namespace probmix::app
