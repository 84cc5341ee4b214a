// A network is an encoder and a decoder with the embedding z between them:
//   x → encoder → embedding → decoder → the family's outputs.
//
// Kinds of embedding: a point z; a diagonal Gaussian q(z|x), for which the encoder gives [mean,
// log-variance] side by side (2 d_z numbers); the same with the variance from a network of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "probmix/family/families.hpp"
#include "probmix/kernel/activation.hpp"
#include "probmix/nn/sequence.hpp"

namespace probmix {

enum class Embedding { point, gaussian, gaussian_separate };

struct MlpOptions {
  std::vector<Index> hidden = {128, 64};  // widths of the hidden layers
  Index embedding_layer = 1;              // the hidden layer (1, 2, ...) whose output is z
  Activation activation = Activation::relu;
};

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

// A multi-layer perceptron with the outputs that the family needs. A point embedding is the
// activated output of its hidden layer; a random one has a linear mean, and a linear log-variance
// on the same input. The separate variance network has hidden layers of its own and one more, and
// the embedding is then half as wide, so that the whole has about as many parameters (the paper's
// star variants).
template <class Real>
Network<Real> make_mlp(const MlpOptions& options, Embedding embedding, Index inputs,
                       const Family& family);

extern template class Network<float>;
extern template class Network<double>;

}  // namespace probmix
