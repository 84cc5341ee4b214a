#include "probmix/nn/sequence.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"

// Layout of what is kept: for each layer what it keeps and then (except for the last, whose output
// is y) its output. Scratch: that of the layers, and two buffers for the gradients passed from
// layer to layer.

namespace probmix {

template <class Real>
void Sequence<Real>::add(std::shared_ptr<Layer<Real>> layer) {
  check(layer->inputs() == outputs(), "a layer with {} inputs cannot follow one with {} outputs",
        layer->inputs(), outputs());
  layers_.push_back(std::move(layer));
}

template <class Real>
Index Sequence<Real>::inner_width() const {
  Index widest = 0;
  for (std::size_t l = 0; l + 1 < layers_.size(); ++l) {
    widest = std::max(widest, layers_[l]->outputs());
  }
  return widest;
}

template <class Real>
Index Sequence<Real>::layer_scratch() const {
  Index most = 0;
  for (const auto& layer : layers_) most = std::max(most, layer->scratch());
  return most;
}

template <class Real>
Index Sequence<Real>::kept() const {
  Index total = empty() ? 0 : -outputs();
  for (const auto& layer : layers_) total += layer->kept() + layer->outputs();
  return total;
}

template <class Real>
Index Sequence<Real>::scratch() const {
  return layer_scratch() + 2 * inner_width();
}

template <class Real>
Index Sequence<Real>::steps() const {
  Index most = 1;
  for (const auto& layer : layers_) most = std::max(most, layer->steps());
  return most;
}

template <class Real>
void Sequence<Real>::declare(ParameterTable& table, const std::string& name) {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    layers_[l]->declare(table, name + "." + std::to_string(l));
  }
}

template <class Real>
void Sequence<Real>::initialise(Real* parameters, Stream& stream) const {
  for (const auto& layer : layers_) layer->initialise(parameters, stream);
}

template <class Real>
void Sequence<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                             Memory<Real> memory) const {
  if (empty()) {
    std::copy_n(x.data, x.size(), y.data);
    return;
  }
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer<Real>& layer = *layers_[l];
    Real* const after = memory.keep + x.rows * layer.kept();
    const bool last = l + 1 == layers_.size();
    const View<Real> out{last ? y.data : after, x.rows, layer.outputs()};
    layer.forward(parameters, x, out, memory);
    if (!last) memory.keep = after + out.size();
    x = out;
  }
}

template <class Real>
void Sequence<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> y,
                              Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const {
  if (empty()) {
    if (dx != nullptr) std::copy_n(dy.data, dy.size(), dx);
    return;
  }
  const Index rows = x.rows;
  Real* const first_spare = memory.scratch + rows * layer_scratch();
  Real* const spare[2] = {first_spare, first_spare + rows * inner_width()};
  Real* const keep = memory.keep;
  Index end = rows * (kept() + outputs());  // in it, where the last layer's output would end

  View<const Real> out = y;
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const Layer<Real>& layer = *layers_[l];
    end -= rows * (layer.kept() + layer.outputs());
    memory.keep = keep + end;
    const View<const Real> in =
        l == 0 ? x : View<const Real>{memory.keep - rows * layer.inputs(), rows, layer.inputs()};
    Real* const din = l == 0 ? dx : spare[l % 2];
    layer.backward(parameters, in, out, memory, dy, din, gradient);
    out = in;
    dy = {din, rows, layer.inputs()};
  }
}

template class Sequence<float>;
template class Sequence<double>;

}  // namespace probmix
