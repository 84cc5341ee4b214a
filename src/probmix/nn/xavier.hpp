// Xavier's uniform initialisation of a matrix [outputs, inputs] (Glorot & Bengio 2010).
#pragma once

#include <algorithm>
#include <cmath>

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

template <class Real>
void xavier_uniform(Real* weight, Index outputs, Index inputs, Stream& stream) {
  const double bound = std::sqrt(6 / static_cast<double>(outputs + inputs));
  std::generate_n(weight, outputs * inputs,
                  [&] { return static_cast<Real>(bound * (2 * stream.uniform() - 1)); });
}

}  // namespace probmix
