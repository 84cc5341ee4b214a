// The available networks by name: a multi-layer perceptron, and for sequences an LSTM and a
// transformer.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "probmix/nn/category_embeddings.hpp"
#include "probmix/nn/network.hpp"
#include "probmix/nn/transformer.hpp"

namespace probmix {

enum class ArchitectureKind { mlp, lstm, transformer };
inline constexpr std::array<std::string_view, 3> architecture_names = {"mlp", "lstm",
                                                                       "transformer"};

// Whether the embedding (its mean, if it is random) is activated like a hidden layer.
enum class EmbeddingMean { activated, linear };
inline constexpr std::array<std::string_view, 2> embedding_mean_names = {"activated", "linear"};

struct MlpOptions {
  std::vector<Index> hidden = {128, 64};  // widths of the hidden layers
  Index embedding_layer = 1;              // the hidden layer (1, 2, ...) whose output is z
  Activation activation = Activation::relu;
  std::optional<double> dropout = {};  // after each hidden layer; unset: none
};

struct LstmOptions {
  Index layers = 1;
  Index hidden = 64;
  double dropout = 0;      // between layers
  double forget_bias = 1;  // added to the initial bias of the forget gates
};

// The head of networks for sequences: the features at all steps are flattened and linearly
// compressed to the embedding.
struct HeadOptions {
  Index embedding = 64;              // d_z
  std::vector<Index> hidden = {64};  // widths of the layers between embedding and outputs
  Activation activation = Activation::relu;
};

struct Architecture {
  ArchitectureKind kind = ArchitectureKind::mlp;
  MlpOptions mlp = {};
  LstmOptions lstm = {};
  TransformerOptions transformer = {};
  HeadOptions head = {};                             // of lstm and transformer
  std::optional<EmbeddingMean> embedding_mean = {};  // none: activated for mlp, else linear
  // Inputs (of a step) that are levels of categories and first get learned embeddings.
  std::vector<CategoryBlock> categories = {};
  // Inputs (of a step) that the first layer of an MLP encodes.
  std::vector<NumberKnots> encoded = {};
};

EmbeddingMean embedding_mean_of(const Architecture& architecture);
bool has_dropout(const Architecture& architecture);

// With the outputs that the family needs.
template <class Real>
Network<Real> make_mlp(const MlpOptions& options, Embedding embedding, Index inputs,
                       const Family& family);

// A row holds `steps` times `channels` numbers, step by step; an MLP takes them as they are.
template <class Real>
Network<Real> make_network(const Architecture& architecture, Embedding embedding, Index steps,
                           Index channels, const Family& family);

}  // namespace probmix
