// Layers one after the other, themselves a layer. The empty sequence is the identity.
#pragma once

#include <memory>
#include <vector>

#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
class Sequence final : public Layer<Real> {
 public:
  explicit Sequence(Index inputs) : inputs_(inputs) {}

  // Appends a layer; its inputs must be the outputs so far. Layers are shared: the same encoder and
  // decoder are also run as one whole.
  void add(std::shared_ptr<Layer<Real>> layer);

  bool empty() const { return layers_.empty(); }
  Index inputs() const override { return inputs_; }
  Index outputs() const override { return empty() ? inputs_ : layers_.back()->outputs(); }
  Index kept() const override;
  Index scratch() const override;
  Index steps() const override;
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index inner_width() const;    // widest activation between two layers
  Index layer_scratch() const;  // most scratch of a layer

  Index inputs_;
  std::vector<std::shared_ptr<Layer<Real>>> layers_;
};

extern template class Sequence<float>;
extern template class Sequence<double>;

}  // namespace probmix
