// The list of all options. The command line, files and documentation have no others. Defaults are
// those of FitOptions.
#include <array>
#include <limits>
#include <optional>
#include <type_traits>

#include "probmix/nn/limits.hpp"
#include "probmix/options/option.hpp"

namespace probmix {
namespace {

using Kind = Option::Kind;
using namespace option_group;

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr OptionRange from(double low) { return {.low = low}; }
constexpr OptionRange between(double low, double high) { return {.low = low, .high = high}; }
constexpr OptionRange above_0{.low = 0, .excludes_low = true};
constexpr OptionRange share{.low = 0, .high = 1, .excludes_high = true};

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

template <class T>
Json value_of(const T& field) {
  if constexpr (is_optional<T>) {
    return field ? value_of(*field) : Json();
  } else {
    return field;
  }
}

// An option stored in one field of FitOptions, which `at` returns.
template <class At>
Option field(Option option, At at) {
  option.get = [at](const FitOptions& options) { return value_of(at(options)); };
  using Field = std::remove_cvref_t<decltype(at(std::declval<FitOptions&>()))>;
  option.set = [at](FitOptions& options, const Json& value) {
    if constexpr (is_optional<Field>) {
      at(options) = value.get<typename Field::value_type>();
    } else {
      at(options) = value.get<Field>();
    }
  };
  return option;
}

// A field of enumeration type, with names for its values.
template <class At>
Option choice(Option option, std::span<const std::string_view> names, At at) {
  using Field = std::remove_cvref_t<decltype(at(std::declval<FitOptions&>()))>;
  option.kind = Kind::choice;
  option.choices = names;
  option.get = [at, names](const FitOptions& options) -> Json {
    const auto name = [&](auto value) { return names[static_cast<std::size_t>(value)]; };
    if constexpr (is_optional<Field>) {
      return at(options) ? Json(name(*at(options))) : Json();
    } else {
      return name(at(options));
    }
  };
  option.set = [at, names](FitOptions& options, const Json& value) {
    const auto position = check_choice("value", value.get<std::string>(), names);
    if constexpr (is_optional<Field>) {
      at(options) = static_cast<typename Field::value_type>(position);
    } else {
      at(options) = static_cast<Field>(position);
    }
  };
  return option;
}

Option used_if(bool (*is_used)(const FitOptions&), Option option) {
  option.is_used = is_used;
  return option;
}

bool mixes(const FitOptions& o) { return method_of(o).site != Site::none; }
bool is_probabilistic(const FitOptions& o) { return method_of(o).probabilistic; }
bool has_random_embedding(const FitOptions& o) {
  return method_of(o).embedding != Embedding::point;
}
bool predicts_by_draws(const FitOptions& o) { return method_of(o).predicts_by_draws(); }
bool may_wait_less(const FitOptions& o) {
  const auto& [most, least] = std::pair(o.train.patience, o.train.least_patience);
  return !most || least.value_or(*most) < *most;
}
bool is_series(const FitOptions& o) { return o.series.is_series(); }
bool is_adam(const FitOptions& o) { return o.train.optimiser.kind == OptimiserKind::adam; }
bool is_mlp(const FitOptions& o) { return o.architecture.kind == ArchitectureKind::mlp; }
bool is_lstm(const FitOptions& o) { return o.architecture.kind == ArchitectureKind::lstm; }
bool is_transformer(const FitOptions& o) {
  return o.architecture.kind == ArchitectureKind::transformer;
}
bool is_sequence_network(const FitOptions& o) { return !is_mlp(o); }

std::vector<Option> column_options() {
  return {
      field(
          {.name = "target",
           .group = columns,
           .kind = Kind::names,
           .help = "Column to predict; several give a joint density of real numbers"},
          [](auto& o) -> auto& { return o.targets; }),
      field(
          {.name = "inputs",
           .alias = "features",
           .group = columns,
           .kind = Kind::names,
           .help = "Columns to predict from; put a name with a comma in double quotes",
           .automatic = "all other columns"},
          [](auto& o) -> auto& { return o.inputs; }),
      used_if([](const FitOptions& o) { return !o.weights.empty(); },
              field(
                  {.name = "weights",
                   .group = columns,
                   .kind = Kind::name,
                   .help = "Column of row weights"},
                  [](auto& o) -> auto& { return o.weights; })),
      used_if([](const FitOptions& o) { return !o.series.group.empty(); },
              field(
                  {.name = "group",
                   .group = columns,
                   .kind = Kind::name,
                   .help = "Column of groups: rows of a group are all for training or all for "
                           "validation; windows of a series stay within a group"},
                  [](auto& o) -> auto& { return o.series.group; })),
      used_if([](const FitOptions& o) { return !o.series.time.empty(); },
              field(
                  {.name = "time",
                   .alias = "date-column",
                   .group = columns,
                   .kind = Kind::name,
                   .help = "Column of dates or numbers; the latest rows are for validation"},
                  [](auto& o) -> auto& { return o.series.time; })),
      field(
          {.name = "most-levels",
           .group = columns,
           .kind = Kind::whole,
           .help = "Most levels of a category that get their own input; rarer levels share one",
           .range = between(1, 100'000)},
          [](auto& o) -> auto& { return o.most_levels; }),
      used_if([](const FitOptions& o) { return o.embed_from > 0; },
              field(
                  {.name = "embed-categories",
                   .group = columns,
                   .kind = Kind::whole,
                   .help = "Learn an embedding for categories with at least this many levels; "
                           "0: never",
                   .range = between(0, 1'000'000)},
                  [](auto& o) -> auto& { return o.embed_from; })),
      choice(
          {.name = "limit-inputs",
           .group = columns,
           .help = "Clip inputs at the 0.1 % and 99.9 % quantiles of the training rows, or three "
                   "times their range beyond it (wide)"},
          limit_inputs_names, [](auto& o) -> auto& { return o.limit_inputs; }),
      used_if(
          is_mlp,
          choice(
              {.name = "encode",
               .group = columns,
               .help = "How an mlp sees numbers: as they are, or also piecewise linearly between "
                       "quantiles (ple)",
               .automatic = "ple for mlp, none with `preset` fast"},
              encode_names, [](auto& o) -> auto& { return o.encode; })),
      used_if([](const FitOptions& o) { return o.encode != Encode::none; },
              field(
                  {.name = "bins",
                   .group = columns,
                   .kind = Kind::whole,
                   .help = "Bins of an encoded number",
                   .automatic = "a sixtieth of the rows, from 16 to 64",
                   .range = between(2, NumberKnots::most - 1)},
                  [](auto& o) -> auto& { return o.bins; })),
      field(
          {.name = "validation",
           .group = columns,
           .kind = Kind::real,
           .help = "Share of rows held out to choose the best epoch; 0: none, keep the last epoch",
           .range = share},
          [](auto& o) -> auto& { return o.validation; }),
      used_if([](const FitOptions& o) { return o.validation > 0; },
              choice(
                  {.name = "validation-rows",
                   .alias = "validation-windows",
                   .group = columns,
                   .help = "Which rows or windows are for validation",
                   .automatic = "last with a time or window, else random"},
                  validation_rows_names, [](auto& o) -> auto& { return o.validation_rows; })),
  };
}

std::vector<Option> series_options() {
  constexpr double longest = SeriesShape::longest;
  return {
      field(
          {.name = "window",
           .group = series,
           .kind = Kind::whole,
           .help = "Number of rows, in file order, that a prediction sees",
           .range = between(1, longest)},
          [](auto& o) -> auto& { return o.series.window; }),
      field(
          {.name = "horizon",
           .group = series,
           .kind = Kind::whole,
           .help = "Rows from the end of the window to the row whose target is predicted",
           .range = between(0, longest)},
          [](auto& o) -> auto& { return o.series.horizon; }),
      used_if(is_series,
              choice(
                  {.name = "straddling",
                   .group = series,
                   .help = "Windows near the boundary of a held-out period: learn "
                           "only from what was known before its first forecast, "
                           "leave out held-out windows that begin before it, or "
                           "keep all"},
                  straddling_names, [](auto& o) -> auto& { return o.rules.straddling; })),
      used_if(is_series, choice(
                             {.name = "gaps",
                              .group = series,
                              .help = "Gaps between dates: no window reaches across, they are "
                                      "an error, or they are ignored"},
                             gap_rule_names, [](auto& o) -> auto& { return o.rules.gaps; })),
      used_if(is_series,
              field(
                  {.name = "max-gap-days",
                   .group = series,
                   .kind = Kind::real,
                   .help = "A longer time between two rows is a gap; 0: a few times the usual one",
                   .range = from(0)},
                  [](auto& o) -> auto& { return o.rules.max_gap_days; })),
      used_if(is_series,
              choice(
                  {.name = "scale-by",
                   .group = series,
                   .help = "Windows whose mean and deviation standardise the columns; all "
                           "includes held-out ones, which looks ahead"},
                  scale_by_names, [](auto& o) -> auto& { return o.rules.scale_by; })),
  };
}

std::vector<Option> response_options() {
  Option family{.name = "family",
                .group = responses,
                .kind = Kind::choice,
                .help = "Family of the predicted density",
                .automatic = "the one that suits the target",
                .choices = family_names()};
  family.get = [](const FitOptions& o) { return o.family.empty() ? Json() : Json(o.family); };
  family.set = [](FitOptions& o, const Json& value) { o.family = value.get<std::string>(); };
  return {
      family,
      used_if(
          [](const FitOptions& o) {
            return o.family.empty() || o.family == Gaussian::name || o.family == GaussianFull::name;
          },
          field(
              {.name = "homoscedastic",
               .group = responses,
               .kind = Kind::flag,
               .help = "One learned variance (or covariance) for all x"},
              [](auto& o) -> auto& { return o.family_options.homoscedastic; })),
      used_if([](const FitOptions& o) { return o.family == GaussianMixture::name; },
              field(
                  {.name = "components",
                   .group = responses,
                   .kind = Kind::whole,
                   .help = "Number of Gaussians in a gaussian-mixture density",
                   .range = {.low = 1, .high = FamilyOptions::most_components}},
                  [](auto& o) -> auto& { return o.family_options.components; })),
      used_if(
          [](const FitOptions& o) { return !o.family_options.censored_below.empty(); },
          field(
              {.name = "censored-below",
               .group = responses,
               .kind = Kind::name,
               .help = "Targets at or below this number, or the one in this column, are only known "
                       "to be at most that"},
              [](auto& o) -> auto& { return o.family_options.censored_below; })),
      used_if(
          [](const FitOptions& o) { return !o.family_options.censored_above.empty(); },
          field(
              {.name = "censored-above",
               .group = responses,
               .kind = Kind::name,
               .help = "Targets at or above this number, or the one in this column, are only known "
                       "to be at least that"},
              [](auto& o) -> auto& { return o.family_options.censored_above; })),
      choice(
          {.name = "variance-link",
           .group = responses,
           .help = "Maps a network output to a positive parameter (variance; gamma: mean and "
                   "shape; beta: precision; negative-binomial: size)"},
          Positive::kind_names, [](auto& o) -> auto& { return o.family_options.positive.kind; }),
      field(
          {.name = "variance-floor",
           .group = responses,
           .kind = Kind::real,
           .help = "Smallest variance (or other positive parameter)",
           .range = from(Positive::smallest_floor)},
          [](auto& o) -> auto& { return o.family_options.positive.floor; }),
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
                   .help = "How the learning rate changes over the `epochs`"},
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
           .automatic = "30 to 300, by rows; 0 without validation or if the rate falls",
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

// One option for two fields, of MLPs and of other networks: sets both, reads the one in use.
template <class Mlp, class Other>
Option shared_field(Option option, Mlp mlp, Other other) {
  const Option one = field(option, mlp), two = field(option, other);
  option.get = [one, two](const FitOptions& o) { return is_mlp(o) ? one.get(o) : two.get(o); };
  option.set = [one, two](FitOptions& o, const Json& value) {
    one.set(o, value);
    two.set(o, value);
  };
  return option;
}

std::vector<Option> network_options() {
  constexpr OptionRange width = between(1, limits::width), depth = between(1, limits::layers);
  Option activation{.name = "activation",
                    .group = networks,
                    .kind = Kind::choice,
                    .help = "Activation of the hidden layers",
                    .choices = activation_names};
  const auto of_mlp = choice(
      activation, activation_names, [](auto& o) -> auto& { return o.architecture.mlp.activation; });
  const auto of_others = choice(
      activation, activation_names,
      [](auto& o) -> auto& { return o.architecture.head.activation; });
  activation.get = [=](const FitOptions& o) {
    return is_mlp(o) ? of_mlp.get(o) : of_others.get(o);
  };
  activation.set = [=](FitOptions& o, const Json& value) {
    of_mlp.set(o, value);
    of_others.set(o, value);
  };
  Option units{.name = "units",
               .group = networks,
               .kind = Kind::whole,
               .help = "Hidden units of the LSTM, width of the transformer",
               .range = between(1, limits::units)};
  units.get = [](const FitOptions& o) {
    return is_transformer(o) ? o.architecture.transformer.width : o.architecture.lstm.hidden;
  };
  units.set = [](FitOptions& o, const Json& value) {
    o.architecture.lstm.hidden = o.architecture.transformer.width = value.get<Index>();
  };
  Option dropout{.name = "dropout",
                 .group = networks,
                 .kind = Kind::real,
                 .help =
                     "Dropout rate after the hidden layers of an MLP, between the layers of "
                     "an LSTM and in the transformer",
                 .automatic = "0.1 for mlp with `method` mc-dropout, else 0",
                 .range = share};
  dropout.get = [](const FitOptions& o) {
    if (is_mlp(o)) return value_of(o.architecture.mlp.dropout);
    return Json(is_transformer(o) ? o.architecture.transformer.dropout
                                  : o.architecture.lstm.dropout);
  };
  dropout.set = [](FitOptions& o, const Json& value) {
    const auto rate = value.get<double>();
    o.architecture.mlp.dropout = rate;
    o.architecture.lstm.dropout = o.architecture.transformer.dropout = rate;
  };
  return {
      choice(
          {.name = "arch",
           .group = networks,
           .help = "Network; lstm and transformer need `window`"},
          architecture_names, [](auto& o) -> auto& { return o.architecture.kind; }),
      shared_field(
          {.name = "hidden",
           .group = networks,
           .kind = Kind::wholes,
           .help = "Widths of the hidden layers; lstm and transformer: of the layers after "
                   "the embedding, or none",
           .automatic = "128,32 for mlp, else 64",
           .range = width},
          [](auto& o) -> auto& { return o.architecture.mlp.hidden; },
          [](auto& o) -> auto& { return o.architecture.head.hidden; }),
      activation,
      used_if(is_mlp, field(
                          {.name = "embedding-layer",
                           .group = networks,
                           .kind = Kind::whole,
                           .help = "Which hidden layer (1, 2, ...) of an MLP is the embedding",
                           .range = depth},
                          [](auto& o) -> auto& { return o.architecture.mlp.embedding_layer; })),
      used_if(is_sequence_network,
              field(
                  {.name = "embedding",
                   .group = networks,
                   .kind = Kind::whole,
                   .help = "Width of the embedding of lstm and transformer",
                   .range = width},
                  [](auto& o) -> auto& { return o.architecture.head.embedding; })),
      choice(
          {.name = "embedding-mean",
           .group = networks,
           .help =
               "Whether the embedding, or its mean if it is random, passes through the activation",
           .automatic = "activated for mlp, else linear"},
          embedding_mean_names, [](auto& o) -> auto& { return o.architecture.embedding_mean; }),
      used_if(is_sequence_network, units),
      used_if(is_lstm, field(
                           {.name = "lstm-layers",
                            .group = networks,
                            .kind = Kind::whole,
                            .help = "Layers of the LSTM",
                            .range = depth},
                           [](auto& o) -> auto& { return o.architecture.lstm.layers; })),
      used_if(is_lstm, field(
                           {.name = "forget-bias",
                            .group = networks,
                            .kind = Kind::real,
                            .help = "Added to the initial bias of the LSTM's forget gates",
                            .range = between(-limits::forget_bias, limits::forget_bias)},
                           [](auto& o) -> auto& { return o.architecture.lstm.forget_bias; })),
      used_if(is_transformer,
              field(
                  {.name = "heads",
                   .group = networks,
                   .kind = Kind::whole,
                   .help = "Attention heads of the transformer",
                   .range = between(1, limits::heads)},
                  [](auto& o) -> auto& { return o.architecture.transformer.heads; })),
      used_if(is_transformer,
              field(
                  {.name = "encoder-layers",
                   .group = networks,
                   .kind = Kind::whole,
                   .help = "Encoder layers of the transformer",
                   .range = depth},
                  [](auto& o) -> auto& { return o.architecture.transformer.encoder_layers; })),
      used_if(is_transformer,
              field(
                  {.name = "decoder-layers",
                   .group = networks,
                   .kind = Kind::whole,
                   .help = "Decoder layers of the transformer; 0: encoder only",
                   .range = between(0, limits::layers)},
                  [](auto& o) -> auto& { return o.architecture.transformer.decoder_layers; })),
      used_if(is_transformer,
              field(
                  {.name = "feedforward",
                   .group = networks,
                   .kind = Kind::whole,
                   .help = "Width of the transformer's feed-forward layers",
                   .range = width},
                  [](auto& o) -> auto& { return o.architecture.transformer.feedforward; })),
      used_if(is_transformer, choice(
                                  {.name = "feedforward-activation",
                                   .group = networks,
                                   .help = "Activation of the transformer's feed-forward layers"},
                                  activation_names, [](auto& o) -> auto& {
                                    return o.architecture.transformer.activation;
                                  })),
      used_if(
          [](const FitOptions& o) {
            if (is_mlp(o)) return has_dropout(o.architecture);
            return is_transformer(o) || o.architecture.lstm.layers > 1;
          },
          dropout),
  };
}

}  // namespace

std::span<const Option> fit_option_list() {
  static const std::vector<Option> list = [] {
    std::vector<Option> all;
    for (auto* const part : {column_options, series_options, training_options, mixing_options,
                             response_options, network_options}) {
      for (Option& option : part()) all.push_back(std::move(option));
    }
    return all;
  }();
  return list;
}

}  // namespace probmix
