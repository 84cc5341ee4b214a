// Transformers of sequences, as PyTorch's nn.TransformerEncoder and nn.Transformer with the norm
// after the sum (norm_first = False) and without masks. A row holds steps × width numbers.
#pragma once

#include <memory>

#include "probmix/nn/residual_stack.hpp"

namespace probmix {

struct TransformerOptions {
  Index width = 64;
  Index heads = 2;
  Index encoder_layers = 2;
  Index decoder_layers = 2;  // 0: an encoder only
  Index feedforward = 64;    // hidden width of the feed-forward networks
  double dropout = 0;
  Activation activation = Activation::relu;  // of the feed-forward networks
};

template <class Real>
class TransformerEncoder final : public Layer<Real> {
 public:
  TransformerEncoder(const TransformerOptions& options, Index steps, bool last_norm = false);

  Index inputs() const override { return size_; }
  Index outputs() const override { return size_; }
  Index kept() const override { return stack_.kept(); }
  Index scratch() const override { return stack_.scratch(); }
  Index steps() const override { return steps_; }
  void declare(ParameterTable& table, const std::string& name) override {
    stack_.declare(table, name);
  }
  void initialise(Real* parameters, Stream& stream) const override {
    stack_.initialise(parameters, stream);
  }
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index steps_;
  Index size_;
  ResidualStack<Real> stack_;
};

// Encoder and decoder; x is both the source of the encoder and the target of the decoder.
template <class Real>
class Transformer final : public Layer<Real> {
 public:
  Transformer(const TransformerOptions& options, Index steps);

  Index inputs() const override { return size_; }
  Index outputs() const override { return size_; }
  Index kept() const override { return encoder_.kept() + decoder_.kept(); }
  Index scratch() const override;
  Index steps() const override { return steps_; }
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index steps_;
  Index size_;
  ResidualStack<Real> encoder_;
  ResidualStack<Real> decoder_;
};

// Rows of steps × channels numbers to rows of steps × width: embedding with positions (and
// dropout), then an encoder without a last norm or, with decoder layers, the whole transformer.
template <class Real>
std::shared_ptr<Layer<Real>> make_transformer(const TransformerOptions& options, Index steps,
                                              Index channels);

extern template class TransformerEncoder<float>;
extern template class TransformerEncoder<double>;
extern template class Transformer<float>;
extern template class Transformer<double>;

}  // namespace probmix
