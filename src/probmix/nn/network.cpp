#include "probmix/nn/network.hpp"

#include <algorithm>
#include <span>

#include "probmix/base/error.hpp"
#include "probmix/nn/fork.hpp"
#include "probmix/nn/linear.hpp"

namespace probmix {

template <class Real>
Network<Real>::Network(std::shared_ptr<Sequence<Real>> encoder,
                       std::shared_ptr<Sequence<Real>> decoder, Embedding embedding)
    : encoder_(std::move(encoder)), decoder_(std::move(decoder)), embedding_(embedding) {
  const Index parts = embedding == Embedding::point ? 1 : 2;
  check(encoder_->outputs() == parts * decoder_->inputs(),
        "an encoder with {} outputs does not fit a decoder with {} inputs", encoder_->outputs(),
        decoder_->inputs());
  encoder_->declare(table_, "encoder");
  decoder_->declare(table_, "decoder");
}

template <class Real>
AlignedVector<Real> Network<Real>::initial_parameters(std::uint64_t seed) const {
  AlignedVector<Real> parameters(static_cast<std::size_t>(table_.size()));
  Stream stream(seed, Purpose::weights);
  encoder_->initialise(parameters.data(), stream);
  decoder_->initialise(parameters.data(), stream);
  return parameters;
}

namespace {

// Activated layers of the given widths.
template <class Real>
std::shared_ptr<Sequence<Real>> hidden_layers(Index inputs, std::span<const Index> widths,
                                              Activation activation) {
  auto layers = std::make_shared<Sequence<Real>>(inputs);
  for (const Index width : widths) {
    layers->add(std::make_shared<Linear<Real>>(layers->outputs(), width, activation));
  }
  return layers;
}

template <class Real>
void add_linear(Sequence<Real>& layers, Index outputs, Index free = 0) {
  layers.add(std::make_shared<Linear<Real>>(layers.outputs(), outputs, Activation::identity, free));
}

}  // namespace

template <class Real>
Network<Real> make_mlp(const MlpOptions& options, Embedding embedding, Index inputs,
                       const Family& family) {
  const std::span<const Index> hidden = options.hidden;
  check_usage(!hidden.empty(), "an MLP needs at least one hidden layer");
  check_range("the embedding layer", options.embedding_layer, 1, std::ssize(hidden));
  for (const Index width : hidden) {
    check_range("the width of a hidden layer", width, 1, 1 << 16);
  }
  const std::size_t depth = to_size(options.embedding_layer);
  const std::span<const Index> trunk = hidden.first(depth - 1);
  const Activation activation = options.activation;

  Index z = hidden[depth - 1];
  auto encoder = hidden_layers<Real>(inputs, trunk, activation);
  if (embedding == Embedding::point) {
    encoder->add(std::make_shared<Linear<Real>>(encoder->outputs(), z, activation));
  } else if (embedding == Embedding::gaussian) {
    add_linear(*encoder, 2 * z);
  } else {
    z = std::max<Index>(1, z / 2);
    const auto mean = encoder;
    add_linear(*mean, z);
    const auto variance = hidden_layers<Real>(inputs, trunk, activation);
    variance->add(std::make_shared<Linear<Real>>(variance->outputs(), z, activation));
    add_linear(*variance, z);
    encoder = std::make_shared<Sequence<Real>>(inputs);
    encoder->add(std::make_shared<Fork<Real>>(mean, variance));
  }

  const auto decoder = hidden_layers<Real>(z, hidden.subspan(depth), activation);
  std::visit([&](const auto& f) { add_linear(*decoder, f.outputs(), f.free_outputs()); }, family);
  Network<Real> network(encoder, decoder, embedding);
  constexpr Index most = 1 << 28;  // 1 GB of floats, and training holds five such arrays
  check_usage(network.parameters().size() <= most,
              "the network would have {} parameters, more than {}; make its hidden layers narrower",
              network.parameters().size(), most);
  return network;
}

template class Network<float>;
template class Network<double>;
template Network<float> make_mlp(const MlpOptions&, Embedding, Index, const Family&);
template Network<double> make_mlp(const MlpOptions&, Embedding, Index, const Family&);

}  // namespace probmix
