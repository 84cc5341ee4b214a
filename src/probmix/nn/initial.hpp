// How parameters start: uniform on ±bound.
#pragma once

#include <algorithm>
#include <cmath>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

// The bound for a matrix [outputs, inputs].
enum class Initial {
  fan_in,  // 1 / sqrt(inputs), PyTorch's default of a linear layer
  xavier,  // sqrt(6 / (inputs + outputs)), Glorot & Bengio 2010
};

inline double initial_bound(Initial initial, Index outputs, Index inputs) {
  return initial == Initial::xavier ? std::sqrt(6 / static_cast<double>(outputs + inputs))
                                    : 1 / std::sqrt(static_cast<double>(inputs));
}

template <class Real>
void fill_uniform(Real* out, Index count, double bound, Stream& stream) {
  std::generate_n(out, count,
                  [&] { return static_cast<Real>(bound * (2 * stream.uniform() - 1)); });
}

}  // namespace probmix
