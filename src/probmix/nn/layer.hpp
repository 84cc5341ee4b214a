// What every layer does. A layer owns no numbers: parameters, activations and gradients are handed
// in, so one network serves many threads, and a training step allocates nothing.
#pragma once

#include <string>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix {

// What a layer works in, for the rows of one call.
template <class Real>
struct Memory {
  Real* keep;     // rows × kept(): what forward leaves for the backward pass of the same rows
  Real* scratch;  // rows × scratch(): of any use within a call
};

template <class Real>
class Layer {
 public:
  virtual ~Layer() = default;

  virtual Index inputs() const = 0;
  virtual Index outputs() const = 0;

  // Numbers a row that forward keeps for backward, besides x and y, and that a call works with.
  virtual Index kept() const { return 0; }
  virtual Index scratch() const { return 0; }

  // Enters the layer's parameters into the table and remembers their offsets.
  virtual void declare(ParameterTable& table, const std::string& name) = 0;

  virtual void initialise(Real* parameters, Stream& stream) const = 0;

  // Overwrites y (rows × outputs).
  virtual void forward(const Real* parameters, View<const Real> x, View<Real> y,
                       Memory<Real> memory) const = 0;

  // dy may be overwritten, and what was kept. Overwrites dx, unless dx is null (the caller has no
  // use for it); accumulates into `gradient`, which is laid out as the parameters are.
  virtual void backward(const Real* parameters, View<const Real> x, View<const Real> y,
                        Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const = 0;
};

}  // namespace probmix
