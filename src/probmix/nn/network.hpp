// A network is an encoder and a decoder with the embedding z between them:
//   x → encoder → embedding → decoder → the family's outputs.
//
// Kinds of embedding: a point z; a diagonal Gaussian q(z|x), for which the encoder gives [mean,
// log-variance] side by side (2 d_z numbers); the same with the variance from a network of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "probmix/family/families.hpp"
#include "probmix/kernel/activation.hpp"
#include "probmix/nn/encoded_linear.hpp"
#include "probmix/nn/sequence.hpp"

namespace probmix {

enum class Embedding { point, gaussian, gaussian_separate };

template <class Real>
class Network {
 public:
  Network(std::shared_ptr<Sequence<Real>> encoder, std::shared_ptr<Sequence<Real>> decoder,
          Embedding embedding);

  const std::shared_ptr<Sequence<Real>>& encoder() const { return encoder_; }
  const std::shared_ptr<Sequence<Real>>& decoder() const { return decoder_; }
  Embedding embedding() const { return embedding_; }
  Index embedding_width() const { return decoder_->inputs(); }
  Index inputs() const { return encoder_->inputs(); }
  Index outputs() const { return decoder_->outputs(); }
  const ParameterTable& parameters() const { return table_; }

  AlignedVector<Real> initial_parameters(std::uint64_t seed) const;

 private:
  std::shared_ptr<Sequence<Real>> encoder_;
  std::shared_ptr<Sequence<Real>> decoder_;
  Embedding embedding_;
  ParameterTable table_;
};

// What the kinds of embedding are built from. A point embedding is an activated linear map of the
// features, and so is the mean of a random one, whose log-variance is a linear map of the same
// features. A separate variance network has its own features and one more layer; the embedding is
// then half as wide, so that the whole has about as many parameters (the paper's star variants).
template <class Real>
struct NetworkPlan {
  std::function<std::shared_ptr<Sequence<Real>>()> features;  // made anew by each call
  Index embedding;                                            // d_z
  Activation embedding_activation;                            // of z, or of its mean
  std::vector<Index> hidden;  // widths of the layers between embedding and outputs
  Activation activation;
  double dropout = 0;                     // of the embedding and of the hidden layers
  std::vector<NumberKnots> encoded = {};  // what `features` gives and the next layer encodes
};

// Appends act(x Wᵀ + b), with some of its inputs encoded.
template <class Real>
void add_linear(Sequence<Real>& layers, Index outputs, kernel::ColumnActivation activation,
                const std::vector<NumberKnots>& encoded = {});

// Appends dropout, unless its rate is 0.
template <class Real>
void add_dropout(Sequence<Real>& layers, double rate);

template <class Real>
Network<Real> make_network(const NetworkPlan<Real>& plan, Embedding embedding,
                           const Family& family);

extern template class Network<float>;
extern template class Network<double>;

}  // namespace probmix
