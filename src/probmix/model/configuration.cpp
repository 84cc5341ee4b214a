#include "probmix/model/configuration.hpp"

#include <fmt/format.h>

#include <optional>

namespace probmix {

namespace {

template <class Names, class Enum>
std::string name_of(const Names& names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

template <class Names, class Enum>
std::string name_of(const Names& names, const std::optional<Enum>& value) {
  return value ? name_of(names, *value) : "default";
}

}  // namespace

Json configuration_of(const MixOptions& options, const Method& method) {
  Json json = {{"criterion", name_of(criterion_names, options.criterion)},
               {"draws", options.draws}};
  if (method.site == Site::none) return json;
  json.update({{"alpha", options.alpha},
               {"lambda-per", name_of(lambda_per_names, options.lambda_per)},
               {"expectation", name_of(expectation_names, options.expectation)}});
  json.update(method.local ? Json{{"neighbours", options.neighbours}}
                           : Json{{"pairing", name_of(pairing_names, options.pairing)}});
  if (!method.probabilistic) return json;
  json.update({{"beta", options.beta},
               {"pooling", name_of(pooling_names, options.pooling)},
               {"target-pooling", name_of(pooling_names, options.target_pooling)}});
  if (method.embedding != Embedding::point) json["propagate-mean"] = options.propagate_mean;
  return json;
}

Json configuration_of(const TrainOptions& options) {
  return {{"epochs", options.epochs},
          {"batch", options.batch},
          {"optimiser", name_of(optimiser_names, options.optimiser.kind)},
          {"learning-rate", options.optimiser.learning_rate},
          {"beta1", options.optimiser.beta1},
          {"beta2", options.optimiser.beta2},
          {"epsilon", options.optimiser.epsilon},
          {"clip", options.optimiser.clip},
          {"patience", options.patience},
          {"last", !options.select_best}};
}

Json configuration_of(const MlpOptions& options) {
  return {{"hidden", options.hidden},
          {"embedding-layer", options.embedding_layer},
          {"activation", name_of(activation_names, options.activation)}};
}

Json configuration_of(const Architecture& architecture) {
  Json json = {{"arch", name_of(architecture_names, architecture.kind)}};
  if (architecture.kind == ArchitectureKind::mlp) {
    json.update(configuration_of(architecture.mlp));
    return json;
  }
  if (architecture.kind == ArchitectureKind::lstm) {
    const LstmOptions& lstm = architecture.lstm;
    json.update({{"units", lstm.hidden},
                 {"lstm-layers", lstm.layers},
                 {"dropout", lstm.dropout},
                 {"forget-bias", lstm.forget_bias}});
  } else {
    const TransformerOptions& transformer = architecture.transformer;
    json.update({{"units", transformer.width},
                 {"heads", transformer.heads},
                 {"encoder-layers", transformer.encoder_layers},
                 {"decoder-layers", transformer.decoder_layers},
                 {"feedforward", transformer.feedforward},
                 {"dropout", transformer.dropout}});
  }
  json.update({{"embedding", architecture.head.embedding},
               {"hidden", architecture.head.hidden},
               {"activation", name_of(activation_names, architecture.head.activation)}});
  return json;
}

Json configuration_of(const WindowOptions& options) {
  return {{"window", options.window},
          {"horizon", options.horizon},
          {"features", options.features.empty() ? Json("all") : Json(options.features)},
          {"target", options.target}};
}

Json configuration_of(const WindowSplitOptions& options) {
  return {{"test", options.test},
          {"validation", options.validation},
          {"validation-windows", name_of(window_validation_names, options.validation_rows)},
          {"straddling", name_of(straddling_names, options.straddling)}};
}

Json configuration_of(const std::string& family, const FamilyOptions& options) {
  return {{"family", family},
          {"homoscedastic", options.homoscedastic},
          {"variance-link", name_of(Positive::kind_names, options.positive.kind)},
          {"variance-floor", options.positive.floor}};
}

std::vector<std::pair<std::string, std::string>> as_text(const Json& configuration) {
  const auto plain = [](const Json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
  };
  const auto text = [&](const Json& value) {
    if (!value.is_array()) return plain(value);
    std::vector<std::string> items;
    for (const Json& item : value) items.push_back(plain(item));
    return fmt::format("{}", fmt::join(items, ","));
  };
  std::vector<std::pair<std::string, std::string>> entries;
  for (const auto& [name, value] : configuration.items()) entries.emplace_back(name, text(value));
  return entries;
}

}  // namespace probmix
