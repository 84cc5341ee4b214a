#include "probmix/nn/layer_norm.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/layer_norm.hpp"

// Layout of what is kept: the normalised rows, then one scale for each.

namespace probmix {

template <class Real>
LayerNorm<Real>::LayerNorm(Index width) : width_(width) {
  check_usage(width >= 1, "a layer normalisation needs at least one number, not {}", width);
}

template <class Real>
void LayerNorm<Real>::declare(ParameterTable& table, const std::string& name) {
  gain_ = table.add(name + ".weight", {width_});
  bias_ = table.add(name + ".bias", {width_});
}

template <class Real>
void LayerNorm<Real>::initialise(Real* parameters, Stream& /*stream*/) const {
  std::fill_n(parameters + gain_, width_, Real{1});
  std::fill_n(parameters + bias_, width_, Real{0});
}

template <class Real>
void LayerNorm<Real>::backward(const Real* parameters, View<const Real> /*x*/,
                               View<const Real> /*y*/, Memory<Real> memory, View<Real> dy, Real* dx,
                               Real* gradient) const {
  backward_in_place(parameters, memory.keep, dy, gradient);
  if (dx != nullptr) std::copy_n(dy.data, dy.size(), dx);
}

template <class Real>
void LayerNorm<Real>::forward_sum(const Real* parameters, View<const Real> x, const Real* residual,
                                  Real* y, Real* keep) const {
  kernel::layer_norm_forward(x, residual, parameters + gain_, parameters + bias_, keep,
                             keep + x.size(), y);
}

template <class Real>
void LayerNorm<Real>::restore(const Real* parameters, const Real* keep, View<Real> y) const {
  kernel::layer_norm_restore(View<const Real>{keep, y.rows, y.cols}, parameters + gain_,
                             parameters + bias_, y.data);
}

template <class Real>
void LayerNorm<Real>::backward_in_place(const Real* parameters, const Real* keep, View<Real> dy,
                                        Real* gradient) const {
  kernel::layer_norm_backward(View<const Real>{keep, dy.rows, dy.cols}, keep + dy.size(),
                              parameters + gain_, dy, gradient + gain_, gradient + bias_);
}

template class LayerNorm<float>;
template class LayerNorm<double>;

}  // namespace probmix
