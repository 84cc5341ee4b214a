#include "dump.hpp"

#include <span>

#include "probmix/base/json.hpp"

namespace probmix::bench {

namespace {

template <class T>
Json flat(const Matrix<T>& matrix) {
  return std::span(matrix.data(), to_size(matrix.rows() * matrix.cols()));
}

Json parameters_of(const TrainingStep& training) {
  Json list = Json::array();
  for (const Parameter& entry : training.network().parameters().entries()) {
    const float* const first = training.parameters().data() + entry.offset;
    list.push_back({{"name", entry.name},
                    {"shape", entry.shape},
                    {"values", std::span(first, to_size(entry.size()))}});
  }
  return list;
}

// The options of the network that are in use.
Json network_of(const Architecture& network) {
  const auto name_of = [](Activation a) { return activation_names[static_cast<std::size_t>(a)]; };
  if (network.kind == ArchitectureKind::mlp) {
    return {{"hidden", network.mlp.hidden},
            {"embedding_layer", network.mlp.embedding_layer},
            {"activation", name_of(network.mlp.activation)}};
  }
  Json json = {{"embedding", network.head.embedding},
               {"hidden", network.head.hidden},
               {"activation", name_of(network.head.activation)}};
  if (network.kind == ArchitectureKind::lstm) {
    const LstmOptions& lstm = network.lstm;
    json.update({{"layers", lstm.layers}, {"units", lstm.hidden}, {"dropout", lstm.dropout}});
  } else {
    const TransformerOptions& transformer = network.transformer;
    json.update({{"units", transformer.width},
                 {"heads", transformer.heads},
                 {"encoder_layers", transformer.encoder_layers},
                 {"decoder_layers", transformer.decoder_layers},
                 {"feedforward", transformer.feedforward},
                 {"feedforward_activation", name_of(transformer.activation)},
                 {"dropout", transformer.dropout}});
  }
  return json;
}

void add_draw(const Draw<float>& draw, Index noise_numbers, Json& json) {
  std::vector<float> noise(to_size(noise_numbers));
  draw.noise.fill(0, noise_numbers, noise.data());
  const Targets& targets = draw.targets;
  json["rows_in_play"] = draw.rows;
  json["partner"] = draw.partner;
  json["weight"] = draw.weight;
  json["lambda"] = draw.lambda;
  json["site_lambda"] = draw.site_lambda;
  json["noise"] = noise;
  json["atoms"] = targets.atoms();
  json["target"] = flat(targets.y);
  if (targets.atoms() > 1) json["target_weight"] = flat(targets.weight);
}

}  // namespace

std::string dump_first_step(TrainingStep& training) {
  const StepSettings& s = training.settings();
  const Positive& positive = s.family_options.positive;
  Json json = {
      {"arch", architecture_names[static_cast<std::size_t>(s.network.kind)]},
      {"method", s.method},
      {"rows", s.rows},
      {"steps", s.steps},
      {"features", s.features},
      {"batch", s.batch},
      {"family", s.family},
      {"homoscedastic", s.family_options.homoscedastic},
      {"positive",
       {{"kind", Positive::kind_names[static_cast<std::size_t>(positive.kind)]},
        {"floor", positive.floor}}},
      {"pooling", pooling_names[static_cast<std::size_t>(s.mix.pooling)]},
      {"criterion", criterion_names[static_cast<std::size_t>(s.mix.criterion)]},
      {"draws", s.mix.draws},
      {"x", flat(training.data().x)},
      {"y", flat(training.data().y)},
      {"parameters", parameters_of(training)},
  };
  json.update(network_of(s.network));
  const double loss = training.run();
  const Index noise = training.network().embedding() == Embedding::point
                          ? 0
                          : training.draw().pairs * training.settings().mix.draws *
                                training.network().embedding_width();
  add_draw(training.draw(), noise, json);
  json["loss"] = loss;
  json["gradient"] = training.gradient();
  json["adam"] = {{"learning_rate", s.optimiser.learning_rate.value()},
                  {"beta1", s.optimiser.beta1},
                  {"beta2", s.optimiser.beta2},
                  {"epsilon", s.optimiser.epsilon}};
  return exact_json_text(json) + "\n";
}

}  // namespace probmix::bench
