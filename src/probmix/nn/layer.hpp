// What every layer does. A layer owns no numbers: parameters, activations and gradients are handed
// in, so one network serves many threads, and a training step allocates nothing.
#pragma once

#include <string>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix {

template <class Real>
class Layer {
 public:
  virtual ~Layer() = default;

  virtual Index inputs() const = 0;
  virtual Index outputs() const = 0;

  // How many numbers forward keeps for backward, besides x and y.
  virtual Index kept(Index /*rows*/) const { return 0; }

  // Enters the layer's parameters into the table and remembers their offsets.
  virtual void declare(ParameterTable& table, const std::string& name) = 0;

  virtual void initialise(Real* parameters, Stream& stream) const = 0;

  // Overwrites y (rows × outputs) and `keep` (kept(rows) numbers).
  virtual void forward(const Real* parameters, View<const Real> x, View<Real> y,
                       Real* keep) const = 0;

  // `keep` is what forward kept; it and dy may be overwritten. Overwrites dx, unless dx is null
  // (the caller has no use for it); accumulates into `gradient`, which is laid out as the
  // parameters are.
  virtual void backward(const Real* parameters, View<const Real> x, View<const Real> y, Real* keep,
                        View<Real> dy, Real* dx, Real* gradient) const = 0;
};

}  // namespace probmix
