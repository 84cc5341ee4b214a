// The first layer of a transformer: at each step a linear embedding of its channels, plus the
// sinusoidal encoding of the position of the step (Vaswani et al. 2017, section 3.5).
#pragma once

#include "probmix/nn/each_step.hpp"
#include "probmix/nn/linear.hpp"

namespace probmix {

template <class Real>
class PositionalEmbedding final : public Layer<Real> {
 public:
  PositionalEmbedding(Index steps, Index channels, Index width);

  Index inputs() const override { return linear_.inputs(); }
  Index outputs() const override { return linear_.outputs(); }
  Index kept() const override { return linear_.kept(); }
  Index scratch() const override { return linear_.scratch(); }
  Index steps() const override { return linear_.steps(); }
  void declare(ParameterTable& table, const std::string& name) override {
    linear_.declare(table, name);
  }
  void initialise(Real* parameters, Stream& stream) const override {
    linear_.initialise(parameters, stream);
  }
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override {
    linear_.backward(parameters, x, y, memory, dy, dx, gradient);
  }

 private:
  EachStep<Real> linear_;
  AlignedVector<Real> positions_;  // steps × width
};

// Number `column` of the encoding of a step: the sine (even columns) and cosine (odd) of
// step / 10000^(2 ⌊column / 2⌋ / width).
double positional_encoding(Index step, Index column, Index width);

extern template class PositionalEmbedding<float>;
extern template class PositionalEmbedding<double>;

}  // namespace probmix
