// The options of the training and of what it mixes.
#include "probmix/options/option_fields.hpp"

namespace probmix {

using namespace option_fields;
using namespace option_group;

namespace {

bool mixes(const FitOptions& o) { return method_of(o).site != Site::none; }
bool is_probabilistic(const FitOptions& o) { return method_of(o).probabilistic; }
bool has_random_embedding(const FitOptions& o) {
  return method_of(o).embedding != Embedding::point;
}
bool may_wait_less(const FitOptions& o) {
  const auto& [most, least] = std::pair(o.train.patience, o.train.least_patience);
  return !most || least.value_or(*most) < *most;
}
bool is_adam(const FitOptions& o) { return o.train.optimiser.kind == OptimiserKind::adam; }

}  // namespace

std::vector<Option> training_options() {
  Option method{.name = "method",
                .group = training,
                .kind = Kind::choice,
                .help = "Training method; 'probmix methods' describes them",
                .automatic = "probmix and, by preset and rows, others",
                .choices = method_names};
  method.get = [](const FitOptions& o) { return o.method ? Json(o.method->name) : Json(); };
  method.set = [](FitOptions& o, const Json& value) {
    o.method = find_method(value.get<std::string>());
  };
  Option last{.name = "last",
              .group = training,
              .kind = Kind::flag,
              .help = "Keep the last epoch, not the one with the best validation NLL"};
  last.get = [](const FitOptions& o) { return !o.train.select_best; };
  last.set = [](FitOptions& o, const Json& value) { o.train.select_best = !value.get<bool>(); };
  return {
      choice(
          {.name = "preset",
           .group = training,
           .help = "Defaults of the other options: one network, an ensemble of a few variants, "
                   "or of many"},
          preset_names, [](auto& o) -> auto& { return o.preset; }),
      method,
      field(
          {.name = "epochs",
           .group = training,
           .kind = Kind::whole,
           .help = "Passes over the training rows",
           .automatic = "1000; if the rate falls, 50 to 500 by the number of rows",
           .range = between(1, TrainOptions::most_epochs)},
          [](auto& o) -> auto& { return o.train.epochs; }),
      field(
          {.name = "batch",
           .group = training,
           .kind = Kind::whole,
           .help = "Rows per mini-batch; 0: all rows",
           .automatic = "32 to 256, by the number of rows; 128 with `preset` fast",
           .range = between(0, TrainOptions::largest_batch)},
          [](auto& o) -> auto& { return o.train.batch; }),
      choice(
          {.name = "optimiser", .group = training, .help = "Update rule"}, optimiser_names,
          [](auto& o) -> auto& { return o.train.optimiser.kind; }),
      field(
          {.name = "learning-rate",
           .group = training,
           .kind = Kind::real,
           .help = "Step size of the optimiser",
           .automatic = "0.005 for mlp, else 0.0005",
           .range = above_0},
          [](auto& o) -> auto& { return o.train.optimiser.learning_rate; }),
      used_if([](const FitOptions& o) { return o.train.schedule.kind != Schedule::constant; },
              choice(
                  {.name = "schedule",
                   .group = training,
                   .help = "How the learning rate changes: not, over the `epochs`, or whenever "
                           "`patience` runs out (plateau)",
                   .automatic = "plateau, or constant with `preset` fast or without `patience`"},
                  schedule_names, [](auto& o) -> auto& { return o.train.schedule.kind; })),
      used_if([](const FitOptions& o) { return o.train.schedule.has_length(); },
              field(
                  {.name = "warm-up",
                   .group = training,
                   .kind = Kind::real,
                   .help = "Share of the `epochs` in which the learning rate rises",
                   .automatic = "0.3 with `schedule` one-cycle, else 0",
                   .range = share},
                  [](auto& o) -> auto& { return o.train.schedule.warm_up; })),
      used_if([](const FitOptions& o) { return o.train.optimiser.weight_decay > 0; },
              field(
                  {.name = "weight-decay",
                   .group = training,
                   .kind = Kind::real,
                   .help = "Each step shrinks the weights by this times the learning rate (AdamW)",
                   .range = from(0)},
                  [](auto& o) -> auto& { return o.train.optimiser.weight_decay; })),
      used_if([](const FitOptions& o) { return o.train.average > 0; },
              field(
                  {.name = "average",
                   .group = training,
                   .kind = Kind::real,
                   .help = "Predict with a moving average of the parameters over the steps; its "
                           "decay, such as 0.99; 0: none",
                   .range = share},
                  [](auto& o) -> auto& { return o.train.average; })),
      used_if(is_adam, field(
                           {.name = "beta1",
                            .group = training,
                            .kind = Kind::real,
                            .help = "Decay rate of Adam's mean of gradients",
                            .range = share},
                           [](auto& o) -> auto& { return o.train.optimiser.beta1; })),
      used_if(is_adam, field(
                           {.name = "beta2",
                            .group = training,
                            .kind = Kind::real,
                            .help = "Decay rate of Adam's mean of squared gradients",
                            .range = share},
                           [](auto& o) -> auto& { return o.train.optimiser.beta2; })),
      used_if(is_adam, field(
                           {.name = "epsilon",
                            .group = training,
                            .kind = Kind::real,
                            .help = "Added to the denominator of Adam's step",
                            .range = from(0)},
                           [](auto& o) -> auto& { return o.train.optimiser.epsilon; })),
      field(
          {.name = "clip",
           .group = training,
           .kind = Kind::real,
           .help = "Largest gradient norm; 0: no limit",
           .range = from(0)},
          [](auto& o) -> auto& { return o.train.optimiser.clip; }),
      field(
          {.name = "patience",
           .group = training,
           .kind = Kind::whole,
           .help = "Stop after this many epochs without a better validation NLL; 0: never",
           .automatic = "15 to 300, by rows and `schedule`; 0 without validation",
           .range = between(0, TrainOptions::most_epochs)},
          [](auto& o) -> auto& { return o.train.patience; }),
      used_if(may_wait_less,
              field(
                  {.name = "least-patience",
                   .group = training,
                   .kind = Kind::whole,
                   .help = "Wait less long after an early best epoch: twice the epochs it took, "
                           "but at least this many",
                   .automatic = "a fifth of `patience`, or all of it if that is given",
                   .range = between(0, TrainOptions::most_epochs)},
                  [](auto& o) -> auto& { return o.train.least_patience; })),
      last,
      used_if(predicts_by_draws,
              choice(
                  {.name = "select-by",
                   .group = training,
                   .help = "Validation NLL that chooses the epoch: with the mean of a random "
                           "embedding (or no dropout), or of the mixture over draws"},
                  select_by_names, [](auto& o) -> auto& { return o.select_by; })),
      field(
          {.name = "ensemble",
           .group = training,
           .kind = Kind::whole,
           .help = "Networks of each variant; each holds out other rows, and all are mixed",
           .automatic = "5, or 1 with `preset` fast",
           .range = between(1, limits::networks)},
          [](auto& o) -> auto& { return o.ensemble; }),
      used_if([](const FitOptions& o) { return o.trials > 0; },
              field(
                  {.name = "trials",
                   .group = training,
                   .kind = Kind::whole,
                   .help = "Also try this many random settings of options that are not given; "
                           "the best join the mixture",
                   .range = between(0, FitOptions::most_trials)},
                  [](auto& o) -> auto& { return o.trials; })),
      field(
          {.name = "seed",
           .group = training,
           .kind = Kind::whole,
           .help = "Determines validation rows, initial weights and draws",
           .range = between(0, 0x1p63)},
          [](auto& o) -> auto& { return o.seed; }),
  };
}

std::vector<Option> mixing_options() {
  return {
      used_if(mixes, field(
                         {.name = "alpha",
                          .group = mixing,
                          .kind = Kind::real,
                          .help = "α of λ ~ Beta(α, α); 1e-32: λ is 0 or 1, inf: λ is ½",
                          .range = {.low = 0, .high = infinity, .excludes_low = true}},
                         [](auto& o) -> auto& { return o.mix.alpha; })),
      used_if(is_probabilistic, field(
                                    {.name = "beta",
                                     .group = mixing,
                                     .kind = Kind::real,
                                     .help = "β, the width of the response kernel",
                                     .range = from(0)},
                                    [](auto& o) -> auto& { return o.mix.beta; })),
      used_if(is_probabilistic,
              choice(
                  {.name = "pooling", .group = mixing, .help = "How densities are fused"},
                  pooling_names, [](auto& o) -> auto& { return o.mix.pooling; })),
      used_if(is_probabilistic,
              choice(
                  {.name = "target-pooling",
                   .group = mixing,
                   .help = "How targets are fused",
                   .automatic = "as `pooling`, but soft labels for classes with β = 0"},
                  pooling_names, [](auto& o) -> auto& { return o.mix.target_pooling; })),
      used_if(mixes, choice(
                         {.name = "expectation",
                          .group = mixing,
                          .help = "Expectation over the fused target",
                          .automatic = "exact for classes, else sampled"},
                         expectation_names, [](auto& o) -> auto& { return o.mix.expectation; })),
      field(
          {.name = "draws",
           .group = mixing,
           .kind = Kind::whole,
           .help = "Draws per pair (K)",
           .range = between(1, MixOptions::most_draws)},
          [](auto& o) -> auto& { return o.mix.draws; }),
      used_if([](const FitOptions& o) { return has_random_embedding(o) && o.mix.draws > 1; },
              choice(
                  {.name = "draws-of",
                   .group = mixing,
                   .help = "What the K draws differ in: λ, target and embedding, or the "
                           "embedding alone"},
                  draws_of_names, [](auto& o) -> auto& { return o.mix.draws_of; })),
      choice(
          {.name = "criterion",
           .group = mixing,
           .help = "Mean of the K log-likelihoods, or log of their mean likelihood"},
          criterion_names, [](auto& o) -> auto& { return o.mix.criterion; }),
      used_if(mixes, choice(
                         {.name = "lambda-per", .group = mixing, .help = "One λ for each"},
                         lambda_per_names, [](auto& o) -> auto& { return o.mix.lambda_per; })),
      used_if([](const FitOptions& o) { return mixes(o) && !method_of(o).local; },
              choice(
                  {.name = "pairing",
                   .group = mixing,
                   .help = "How methods without neighbours draw partners"},
                  pairing_names, [](auto& o) -> auto& { return o.mix.pairing; })),
      used_if([](const FitOptions& o) { return method_of(o).local; },
              field(
                  {.name = "neighbours",
                   .group = mixing,
                   .kind = Kind::whole,
                   .help = "Number of nearest neighbours from which local methods draw partners",
                   .range = between(1, MixOptions::most_neighbours)},
                  [](auto& o) -> auto& { return o.mix.neighbours; })),
      used_if(has_random_embedding,
              field(
                  {.name = "propagate-mean",
                   .group = mixing,
                   .kind = Kind::flag,
                   .help = "Train with the mean of a random embedding instead of a draw"},
                  [](auto& o) -> auto& { return o.mix.propagate_mean; })),
      used_if(predicts_by_draws,
              field(
                  {.name = "members",
                   .group = mixing,
                   .kind = Kind::whole,
                   .help = "Draws of a random embedding, or of dropout masks, per prediction; 0: "
                           "use the mean embedding, or no dropout",
                   .automatic = "100, or 10 for each network of an ensemble",
                   .range = between(0, most_members)},
                  [](auto& o) -> auto& { return o.members; })),
  };
}

}  // namespace probmix
