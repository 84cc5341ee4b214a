// A matrix W [outputs, inputs] among the parameters, and the three products that layers are made
// of. Rows of x and y may be part of wider rows, so they come with the distance between them. The
// products are returned, not computed, so that the caller can change what they start from.
#pragma once

#include "probmix/kernel/product.hpp"

namespace probmix {

struct Weight {
  Index inputs;
  Index outputs;
  Index offset = 0;  // in the parameters

  Index size() const { return inputs * outputs; }

  // y = x Wᵀ.
  template <class Real>
  kernel::Product<Real> forward(const Real* parameters, Index rows, kernel::Strided<Real> x,
                                Real* y, Index y_row) const {
    const kernel::Strided<Real> w{parameters + offset, inputs};
    return {
        .m = rows, .n = outputs, .k = inputs, .a = x, .b = w.transposed(), .c = y, .c_row = y_row};
  }

  // dx = dy W.
  template <class Real>
  kernel::Product<Real> backward(const Real* parameters, Index rows, kernel::Strided<Real> dy,
                                 Real* dx, Index dx_row) const {
    return {.m = rows,
            .n = inputs,
            .k = outputs,
            .a = dy,
            .b = {parameters + offset, inputs},
            .c = dx,
            .c_row = dx_row};
  }

  // dW += dyᵀ x, in the gradient of all parameters.
  template <class Real>
  kernel::Product<Real> gradient(Index rows, kernel::Strided<Real> dy, kernel::Strided<Real> x,
                                 Real* of_all) const {
    return {.m = outputs,
            .n = inputs,
            .k = rows,
            .a = dy.transposed(),
            .b = x,
            .c = of_all + offset,
            .c_row = inputs,
            .start = kernel::Start<Real>::from_c()};
  }
};

}  // namespace probmix
