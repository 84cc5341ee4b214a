#include "probmix/nn/network.hpp"

#include <algorithm>

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

template <class Real>
std::shared_ptr<Layer<Real>> embedding_layer(const MlpOptions& options, Embedding embedding,
                                             Index inputs, Index width) {
  switch (embedding) {
    case Embedding::gaussian:
      return std::make_shared<Linear<Real>>(inputs, 2 * width, Activation::identity);
    case Embedding::gaussian_separate: {
      const auto variance = std::make_shared<Sequence<Real>>(inputs);
      variance->add(std::make_shared<Linear<Real>>(inputs, width, options.activation));
      variance->add(std::make_shared<Linear<Real>>(width, width, Activation::identity));
      return std::make_shared<Fork<Real>>(
          std::make_shared<Linear<Real>>(inputs, width, Activation::identity), variance);
    }
    case Embedding::point:
      break;
  }
  return std::make_shared<Linear<Real>>(inputs, width, options.activation);
}

}  // namespace

template <class Real>
Network<Real> make_mlp(const MlpOptions& options, Embedding embedding, Index inputs, Index outputs,
                       Index free) {
  const auto depth = static_cast<Index>(options.hidden.size());
  check_usage(depth >= 1, "an MLP needs at least one hidden layer");
  check_range("the embedding layer", options.embedding_layer, 1, depth);
  for (const Index width : options.hidden) {
    check_range("the width of a hidden layer", width, 1, 1 << 16);
  }

  const auto encoder = std::make_shared<Sequence<Real>>(inputs);
  Index width = inputs;
  for (Index l = 1; l < options.embedding_layer; ++l) {
    const Index next = options.hidden[static_cast<std::size_t>(l - 1)];
    encoder->add(std::make_shared<Linear<Real>>(width, next, options.activation));
    width = next;
  }
  Index z = options.hidden[static_cast<std::size_t>(options.embedding_layer - 1)];
  if (embedding == Embedding::gaussian_separate) z = std::max<Index>(1, z / 2);
  encoder->add(embedding_layer<Real>(options, embedding, width, z));

  const auto decoder = std::make_shared<Sequence<Real>>(z);
  width = z;
  for (Index l = options.embedding_layer + 1; l <= depth; ++l) {
    const Index next = options.hidden[static_cast<std::size_t>(l - 1)];
    decoder->add(std::make_shared<Linear<Real>>(width, next, options.activation));
    width = next;
  }
  decoder->add(std::make_shared<Linear<Real>>(width, outputs, Activation::identity, free));
  Network<Real> network(encoder, decoder, embedding);
  constexpr Index most = 1 << 28;  // 1 GB of floats, and training holds five such arrays
  check_usage(network.parameters().size() <= most,
              "these hidden layers have {} parameters, but at most {} are possible",
              network.parameters().size(), most);
  return network;
}

template class Network<float>;
template class Network<double>;
template Network<float> make_mlp(const MlpOptions&, Embedding, Index, Index, Index);
template Network<double> make_mlp(const MlpOptions&, Embedding, Index, Index, Index);

}  // namespace probmix
