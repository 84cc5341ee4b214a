// Layer normalisation with a gain and a bias for each number, as PyTorch's nn.LayerNorm.
#pragma once

#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
class LayerNorm final : public Layer<Real> {
 public:
  explicit LayerNorm(Index width);

  Index inputs() const override { return width_; }
  Index outputs() const override { return width_; }
  Index kept() const override { return width_ + 1; }  // the normalised row, and its scale
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override {
    forward_sum(parameters, x, nullptr, y.data, memory.keep);
  }
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

  // y = norm(x + residual); residual may be null, and y may be x or residual.
  void forward_sum(const Real* parameters, View<const Real> x, const Real* residual, Real* y,
                   Real* keep) const;
  // Recomputes y from what was kept, which is cheaper than keeping y as well.
  void restore(const Real* parameters, const Real* keep, View<Real> y) const;
  // dy becomes the gradient of the sum.
  void backward_in_place(const Real* parameters, const Real* keep, View<Real> dy,
                         Real* gradient) const;

 private:
  Index width_;
  Index gain_ = 0;  // offsets
  Index bias_ = 0;
};

extern template class LayerNorm<float>;
extern template class LayerNorm<double>;

}  // namespace probmix
