#include "probmix/nn/architecture.hpp"

#include <cmath>
#include <functional>
#include <span>

#include "probmix/base/error.hpp"
#include "probmix/nn/dropout.hpp"
#include "probmix/nn/each_step.hpp"
#include "probmix/nn/limits.hpp"
#include "probmix/nn/linear.hpp"
#include "probmix/nn/lstm.hpp"

namespace probmix {

namespace {

template <class Real>
using Layers = std::shared_ptr<Sequence<Real>>;

// The first layers of every network.
template <class Real>
Layers<Real> first_layers(const std::vector<CategoryBlock>& categories, Index steps,
                          Index channels) {
  auto layers = std::make_shared<Sequence<Real>>(steps * channels);
  if (!categories.empty()) {
    layers->add(std::make_shared<EachStep<Real>>(
        std::make_shared<CategoryEmbeddings<Real>>(channels, categories), steps));
  }
  return layers;
}

// The encoded inputs of all steps, as numbered after the embeddings of categories.
std::vector<NumberKnots> encoded_after(const Architecture& architecture, Index steps,
                                       Index channels) {
  check_knots(architecture.encoded, channels);
  Index width = channels;  // of a step, after the embeddings
  for (const CategoryBlock& block : architecture.categories) width += block.outputs - block.inputs;
  std::vector<NumberKnots> all;
  for (Index step = 0; step < steps; ++step) {
    for (const NumberKnots& number : architecture.encoded) {
      Index moved = 0;
      for (const CategoryBlock& block : architecture.categories) {
        const bool is_inside =
            number.input >= block.first && number.input < block.first + block.inputs;
        check_usage(!is_inside, "input {} is a level of a category and has no knots", number.input);
        if (block.first < number.input) moved += block.outputs - block.inputs;
      }
      all.push_back({step * width + number.input + moved, number.knots});
    }
  }
  return all;
}

template <class Real>
void add_lstm(const LstmOptions& options, Index steps, Sequence<Real>& layers) {
  for (Index l = 0; l < options.layers; ++l) {
    if (l > 0) add_dropout(layers, options.dropout);
    layers.add(std::make_shared<Lstm<Real>>(layers.outputs() / steps, options.hidden, steps,
                                            options.forget_bias));
  }
}

Activation embedding_activation(const Architecture& architecture, Activation activation) {
  const bool is_linear = embedding_mean_of(architecture) == EmbeddingMean::linear;
  return is_linear ? Activation::identity : activation;
}

template <class Real>
Network<Real> mlp_network(const Architecture& architecture, Embedding embedding,
                          const std::function<Layers<Real>()>& first,
                          const std::vector<NumberKnots>& encoded, const Family& family) {
  const MlpOptions& options = architecture.mlp;
  check_usage(!options.hidden.empty(), "an MLP needs at least one hidden layer");
  check_range("the embedding layer", options.embedding_layer, 1, std::ssize(options.hidden));
  const std::span<const Index> hidden = options.hidden;
  for (const Index width : hidden)
    check_range("the width of a hidden layer", width, 1, limits::width);
  const std::size_t depth = to_size(options.embedding_layer);
  const double dropout = options.dropout.value_or(0);
  const auto features = [&] {
    Layers<Real> layers = first();
    for (std::size_t k = 0; k + 1 < depth; ++k) {
      add_linear(*layers, hidden[k], {options.activation, hidden[k]},
                 k == 0 ? encoded : std::vector<NumberKnots>());
      add_dropout(*layers, dropout);
    }
    return layers;
  };
  return make_network<Real>(
      {.features = features,
       .embedding = hidden[depth - 1],
       .embedding_activation = embedding_activation(architecture, options.activation),
       .hidden = {hidden.begin() + options.embedding_layer, hidden.end()},
       .activation = options.activation,
       .dropout = dropout,
       .encoded = depth == 1 ? encoded : std::vector<NumberKnots>()},
      embedding, family);
}

void check_lstm(const LstmOptions& options) {
  check_range("the number of LSTM layers", options.layers, 1, limits::layers);
  check_range("the hidden units of an LSTM", options.hidden, 1, limits::units);
  check_dropout_rate(options.dropout);
  check_usage(std::abs(options.forget_bias) <= limits::forget_bias,
              "the forget bias must be in [{}, {}], not {}", -limits::forget_bias,
              limits::forget_bias, options.forget_bias);
}

}  // namespace

EmbeddingMean embedding_mean_of(const Architecture& architecture) {
  const bool is_mlp = architecture.kind == ArchitectureKind::mlp;
  return architecture.embedding_mean.value_or(is_mlp ? EmbeddingMean::activated
                                                     : EmbeddingMean::linear);
}

bool has_dropout(const Architecture& architecture) {
  switch (architecture.kind) {
    case ArchitectureKind::mlp:
      return architecture.mlp.dropout.value_or(0) > 0;
    case ArchitectureKind::lstm:
      return architecture.lstm.layers > 1 && architecture.lstm.dropout > 0;
    case ArchitectureKind::transformer:
      return architecture.transformer.dropout > 0;
  }
  return false;
}

template <class Real>
Network<Real> make_mlp(const MlpOptions& options, Embedding embedding, Index inputs,
                       const Family& family) {
  return make_network<Real>(Architecture{.mlp = options}, embedding, 1, inputs, family);
}

template <class Real>
Network<Real> make_network(const Architecture& architecture, Embedding embedding, Index steps,
                           Index channels, const Family& family) {
  constexpr Index most = 1 << 24;  // numbers per row
  check_range("the number of steps", steps, 1, most);
  check_range("the number of channels", channels, 1, most / steps);
  const ArchitectureKind kind = architecture.kind;
  const auto first = [&] { return first_layers<Real>(architecture.categories, steps, channels); };
  if (kind == ArchitectureKind::mlp) {
    return mlp_network<Real>(architecture, embedding, first,
                             encoded_after(architecture, steps, channels), family);
  }
  check_usage(architecture.encoded.empty(), "only an mlp encodes its inputs");
  if (kind == ArchitectureKind::lstm) check_lstm(architecture.lstm);
  const auto features = [&] {
    Layers<Real> layers = first();
    if (kind == ArchitectureKind::lstm) {
      add_lstm(architecture.lstm, steps, *layers);
    } else {
      layers->add(
          make_transformer<Real>(architecture.transformer, steps, layers->outputs() / steps));
    }
    return layers;
  };
  const HeadOptions& head = architecture.head;
  return make_network<Real>(
      {.features = features,
       .embedding = head.embedding,
       .embedding_activation = embedding_activation(architecture, head.activation),
       .hidden = head.hidden,
       .activation = head.activation},
      embedding, family);
}

template Network<float> make_mlp(const MlpOptions&, Embedding, Index, const Family&);
template Network<double> make_mlp(const MlpOptions&, Embedding, Index, const Family&);
template Network<float> make_network(const Architecture&, Embedding, Index, Index, const Family&);
template Network<double> make_network(const Architecture&, Embedding, Index, Index, const Family&);

}  // namespace probmix
