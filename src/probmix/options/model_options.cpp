// The options of the predicted density and of the network.
#include "probmix/nn/limits.hpp"
#include "probmix/options/option_fields.hpp"

namespace probmix {

using namespace option_fields;
using namespace option_group;

namespace {

bool is_lstm(const FitOptions& o) { return o.architecture.kind == ArchitectureKind::lstm; }
bool is_transformer(const FitOptions& o) {
  return o.architecture.kind == ArchitectureKind::transformer;
}
bool is_sequence_network(const FitOptions& o) { return !is_mlp(o); }

}  // namespace

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

namespace {

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

}  // namespace

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

}  // namespace probmix
