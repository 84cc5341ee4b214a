// The interface of all layers. A layer owns no numbers: parameters, activations and gradients are
// passed in, so that many threads can share a network and a training step allocates nothing.
#pragma once

#include <cstdint>
#include <string>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix {

// The randomness inside layers during a training step (dropout): each number is a function of this,
// of the layer, and of the row and place where it is used.
struct Randomness {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
};

// A layer's memory for the rows of one call.
template <class Real>
struct Memory {
  Real* keep;     // rows × kept(): what forward leaves for the backward pass of the same rows
  Real* scratch;  // rows × scratch(): free to use within a call
  const Randomness* random = nullptr;  // null: prediction, in which nothing is random
  Index first = 0;                     // number of the first row in the whole batch

  // For a part of the rows, from `row` on, of a layer that keeps `kept` numbers a row.
  Memory from(Index row, Index kept) const {
    return {keep + row * kept, scratch, random, first + row};
  }
};

template <class Real>
class Layer {
 public:
  virtual ~Layer() = default;

  virtual Index inputs() const = 0;
  virtual Index outputs() const = 0;

  // Numbers per row that forward keeps for backward, besides x and y, and that a call uses as
  // scratch.
  virtual Index kept() const { return 0; }
  virtual Index scratch() const { return 0; }

  // How often a row passes through the parameters: the length of a sequence. Measures the work of a
  // row when rows are shared out.
  virtual Index steps() const { return 1; }

  // Enters the layer's parameters into the table and remembers their offsets.
  virtual void declare(ParameterTable& table, const std::string& name) = 0;

  virtual void initialise(Real* parameters, Stream& stream) const = 0;

  // Overwrites y (rows × outputs).
  virtual void forward(const Real* parameters, View<const Real> x, View<Real> y,
                       Memory<Real> memory) const = 0;

  // May overwrite dy and what was kept. Overwrites dx, unless it is null (not needed by the
  // caller); accumulates into `gradient`, which is laid out like the parameters.
  virtual void backward(const Real* parameters, View<const Real> x, View<const Real> y,
                        Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const = 0;
};

}  // namespace probmix
