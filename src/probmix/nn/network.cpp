#include "probmix/nn/network.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/nn/dropout.hpp"
#include "probmix/nn/fork.hpp"
#include "probmix/nn/limits.hpp"
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

template <class Real>
void add_linear(Sequence<Real>& layers, Index outputs, kernel::ColumnActivation activation,
                const std::vector<NumberKnots>& encoded) {
  const Index inputs = layers.outputs();
  if (encoded.empty()) {
    layers.add(std::make_shared<Linear<Real>>(inputs, outputs, activation));
  } else {
    layers.add(std::make_shared<EncodedLinear<Real>>(inputs, outputs, activation, encoded));
  }
}

template <class Real>
void add_dropout(Sequence<Real>& layers, double rate) {
  if (rate > 0) layers.add(std::make_shared<Dropout<Real>>(layers.outputs(), rate));
}

template <class Real>
Network<Real> make_network(const NetworkPlan<Real>& plan, Embedding embedding,
                           const Family& family) {
  for (const Index width : plan.hidden) {
    check_range("the width of a hidden layer", width, 1, limits::width);
  }
  check_range("the width of the embedding", plan.embedding, 1, limits::width);
  check_dropout_rate(plan.dropout);
  Index z = plan.embedding;
  auto encoder = plan.features();
  if (embedding == Embedding::point) {
    add_linear(*encoder, z, {plan.embedding_activation, z}, plan.encoded);
  } else if (embedding == Embedding::gaussian) {
    add_linear(*encoder, 2 * z, {plan.embedding_activation, z}, plan.encoded);
  } else {
    z = std::max<Index>(1, z / 2);
    const auto mean = encoder;
    add_linear(*mean, z, {plan.embedding_activation, z}, plan.encoded);
    const auto variance = plan.features();
    add_linear(*variance, z, {plan.activation, z}, plan.encoded);
    add_linear(*variance, z, {Activation::identity, z});
    encoder = std::make_shared<Sequence<Real>>(mean->inputs());
    encoder->add(std::make_shared<Fork<Real>>(mean, variance));
  }

  const auto decoder = std::make_shared<Sequence<Real>>(z);
  add_dropout(*decoder, plan.dropout);  // after mixing
  for (const Index width : plan.hidden) {
    add_linear(*decoder, width, {plan.activation, width});
    add_dropout(*decoder, plan.dropout);
  }
  std::visit(
      [&](const auto& f) {
        decoder->add(std::make_shared<Linear<Real>>(decoder->outputs(), f.outputs(),
                                                    Activation::identity, f.free_outputs()));
      },
      family);
  Network<Real> network(encoder, decoder, embedding);
  constexpr Index most = 1 << 28;  // 1 GB of floats, and training holds five such arrays
  check_usage(network.parameters().size() <= most,
              "the network would have {} parameters, more than {}; use narrower hidden layers",
              network.parameters().size(), most);
  return network;
}

template void add_linear(Sequence<float>&, Index, kernel::ColumnActivation,
                         const std::vector<NumberKnots>&);
template void add_linear(Sequence<double>&, Index, kernel::ColumnActivation,
                         const std::vector<NumberKnots>&);
template void add_dropout(Sequence<float>&, double);
template void add_dropout(Sequence<double>&, double);
template class Network<float>;
template class Network<double>;
template Network<float> make_network(const NetworkPlan<float>&, Embedding, const Family&);
template Network<double> make_network(const NetworkPlan<double>&, Embedding, const Family&);

}  // namespace probmix
