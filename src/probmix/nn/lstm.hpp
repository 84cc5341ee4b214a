// One LSTM layer over a sequence (Hochreiter & Schmidhuber 1997, with forget gates), PyTorch's
// nn.LSTM:
//   i, f, o = σ(·), g = tanh(·) of W_ih x_t + W_hh h_{t−1} + b,
//   c_t = f c_{t−1} + i g,  h_t = o tanh c_t,  h_0 = c_0 = 0.
// A row of x holds the channels of all steps, step by step, and a row of y the h of all steps.
#pragma once

#include "probmix/nn/layer.hpp"
#include "probmix/nn/weight.hpp"

namespace probmix {

template <class Real>
class Lstm final : public Layer<Real> {
 public:
  // `forget_bias` is added to the initial bias of the forget gates, so that a cell remembers at
  // first (Jozefowicz et al. 2015). At 0 everything starts uniform on ±1/sqrt(hidden), as in
  // PyTorch, except for the bias: PyTorch has two of them, and the sum of two uniforms is not
  // uniform.
  Lstm(Index channels, Index hidden, Index steps, double forget_bias = 1);

  Index inputs() const override { return steps_ * channels_; }
  Index outputs() const override { return steps_ * hidden_; }
  Index kept() const override;
  Index scratch() const override;
  Index steps() const override { return steps_; }
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  struct Kept;

  // Not a power of two apart: the products go down columns, which would share a few cache sets.
  Index dgates_row() const { return 4 * hidden_ + 16; }

  Index channels_;
  Index hidden_;
  Index steps_;
  double forget_bias_;
  Weight weight_ih_;
  Weight weight_hh_;
  Index bias_ = 0;  // its offset
};

extern template class Lstm<float>;
extern template class Lstm<double>;

}  // namespace probmix
