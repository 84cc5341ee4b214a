#include "probmix/nn/transformer.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/nn/dropout.hpp"
#include "probmix/nn/limits.hpp"
#include "probmix/nn/positions.hpp"
#include "probmix/nn/sequence.hpp"
#include "probmix/nn/tiles.hpp"

namespace probmix {
namespace {

// About how many steps, over all rows, are computed at a time: enough to repay packing the weights,
// few enough that the working memory of a block stays in the cache. (At 42 steps and the default
// widths, 2 to 16 rows at a time are equally fast, and one is slower by a tenth.)
constexpr Index tile_steps = 192;

void check_options(const TransformerOptions& options, Index steps, Index decoder_layers) {
  constexpr Index most = 1 << 26;  // numbers per row within a layer: 256 MB of floats
  check_range("the width of a transformer", options.width, 1, limits::units);
  check_range("the number of heads", options.heads, 1, options.width);
  check_usage(options.width % options.heads == 0,
              "the width of a transformer must be a multiple of its heads, not {} for {} heads",
              options.width, options.heads);
  check_range("the number of encoder layers", options.encoder_layers, 1, limits::layers);
  check_range("the number of decoder layers", options.decoder_layers, decoder_layers,
              limits::layers);
  check_range("the width of the feed-forward networks", options.feedforward, 1, limits::width);
  check_dropout_rate(options.dropout);
  check_range("the number of steps", steps, 1, most / std::max(options.width, options.feedforward));
  check_usage(steps <= most / steps / options.heads,
              "attention between {} steps with {} heads has more than {} weights per row", steps,
              options.heads, most);
}

template <class Real>
std::unique_ptr<Branch<Real>> make_attention(const TransformerOptions& options, Index steps,
                                             bool crossed) {
  return std::make_unique<AttentionBranch<Real>>(steps, options.width, options.heads, crossed,
                                                 options.dropout);
}

template <class Real>
std::unique_ptr<Branch<Real>> make_feedforward(const TransformerOptions& options, Index steps) {
  return std::make_unique<FeedForwardBranch<Real>>(steps, options.width, options.feedforward,
                                                   options.activation, options.dropout);
}

template <class Real>
ResidualStack<Real> make_encoder(const TransformerOptions& options, Index steps, bool last_norm) {
  check_options(options, steps, 0);
  ResidualStack<Real> stack(steps, options.width);
  for (Index l = 0; l < options.encoder_layers; ++l) {
    const std::string layer = "layers." + std::to_string(l);
    stack.add(layer + ".self_attn", make_attention<Real>(options, steps, false), layer + ".norm1");
    stack.add(layer + ".linear", make_feedforward<Real>(options, steps), layer + ".norm2");
  }
  if (last_norm) stack.add_last_norm();
  return stack;
}

template <class Real>
ResidualStack<Real> make_decoder(const TransformerOptions& options, Index steps) {
  check_options(options, steps, 1);
  ResidualStack<Real> stack(steps, options.width);
  for (Index l = 0; l < options.decoder_layers; ++l) {
    const std::string layer = "layers." + std::to_string(l);
    stack.add(layer + ".self_attn", make_attention<Real>(options, steps, false), layer + ".norm1");
    stack.add(layer + ".multihead_attn", make_attention<Real>(options, steps, true),
              layer + ".norm2");
    stack.add(layer + ".linear", make_feedforward<Real>(options, steps), layer + ".norm3");
  }
  stack.add_last_norm();
  return stack;
}

}  // namespace

template <class Real>
TransformerEncoder<Real>::TransformerEncoder(const TransformerOptions& options, Index steps,
                                             bool last_norm)
    : steps_(steps),
      size_(steps * options.width),
      stack_(make_encoder<Real>(options, steps, last_norm)) {}

template <class Real>
void TransformerEncoder<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                                       Memory<Real> memory) const {
  std::copy_n(x.data, x.size(), y.data);
  stack_.forward(parameters, y, nullptr, memory);
}

template <class Real>
void TransformerEncoder<Real>::backward(const Real* parameters, View<const Real> x,
                                        View<const Real> /*y*/, Memory<Real> memory, View<Real> dy,
                                        Real* dx, Real* gradient) const {
  stack_.backward(parameters, x, nullptr, memory, dy, nullptr, gradient);
  if (dx != nullptr) std::copy_n(dy.data, dy.size(), dx);
}

template <class Real>
Transformer<Real>::Transformer(const TransformerOptions& options, Index steps)
    : steps_(steps),
      size_(steps * options.width),
      encoder_(make_encoder<Real>(options, steps, true)),
      decoder_(make_decoder<Real>(options, steps)) {}

// In addition to the scratch of the stacks: the encoder's output and its gradient.
template <class Real>
Index Transformer<Real>::scratch() const {
  return std::max(encoder_.scratch(), decoder_.scratch()) + 2 * size_;
}

template <class Real>
void Transformer<Real>::declare(ParameterTable& table, const std::string& name) {
  encoder_.declare(table, name + ".encoder");
  decoder_.declare(table, name + ".decoder");
}

template <class Real>
void Transformer<Real>::initialise(Real* parameters, Stream& stream) const {
  encoder_.initialise(parameters, stream);
  decoder_.initialise(parameters, stream);
}

template <class Real>
void Transformer<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                                Memory<Real> memory) const {
  const View<Real> encoded{memory.scratch, x.rows, x.cols};
  memory.scratch += encoded.size();
  std::copy_n(x.data, x.size(), encoded.data);
  encoder_.forward(parameters, encoded, nullptr, memory);
  memory.keep += x.rows * encoder_.kept();
  std::copy_n(x.data, x.size(), y.data);
  decoder_.forward(parameters, y, encoded.data, memory);
}

template <class Real>
void Transformer<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> /*y*/,
                                 Memory<Real> memory, View<Real> dy, Real* dx,
                                 Real* gradient) const {
  const View<Real> encoded{memory.scratch, x.rows, x.cols};
  const View<Real> dencoded{encoded.data + encoded.size(), x.rows, x.cols};
  memory.scratch = dencoded.data + dencoded.size();
  Memory<Real> of_decoder = memory;
  of_decoder.keep += x.rows * encoder_.kept();

  encoder_.restore(parameters, memory.keep, encoded);
  std::fill_n(dencoded.data, dencoded.size(), Real{0});
  decoder_.backward(parameters, x, encoded.data, of_decoder, dy, dencoded.data, gradient);
  encoder_.backward(parameters, x, nullptr, memory, dencoded, nullptr, gradient);
  if (dx != nullptr) kernel::add(dy.data, dencoded.data, dx, x.size());
}

template <class Real>
std::shared_ptr<Layer<Real>> make_transformer(const TransformerOptions& options, Index steps,
                                              Index channels) {
  check_options(options, steps, 0);
  check_range("the number of channels", channels, 1, 1 << 20);
  const auto layers = std::make_shared<Sequence<Real>>(steps * channels);
  layers->add(std::make_shared<PositionalEmbedding<Real>>(steps, channels, options.width));
  if (options.dropout > 0) {
    layers->add(std::make_shared<Dropout<Real>>(steps * options.width, options.dropout));
  }
  if (options.decoder_layers > 0) {
    layers->add(std::make_shared<Transformer<Real>>(options, steps));
  } else {
    layers->add(std::make_shared<TransformerEncoder<Real>>(options, steps));
  }
  const Index tile = std::max<Index>(1, tile_steps / steps);
  return std::make_shared<Tiles<Real>>(layers, tile);
}

template class TransformerEncoder<float>;
template class TransformerEncoder<double>;
template class Transformer<float>;
template class Transformer<double>;
template std::shared_ptr<Layer<float>> make_transformer(const TransformerOptions&, Index, Index);
template std::shared_ptr<Layer<double>> make_transformer(const TransformerOptions&, Index, Index);

}  // namespace probmix
