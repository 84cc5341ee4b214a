// The naive twin of knots.hpp: the plainest loops, for any Real (see naive.hpp).
#pragma once

#include <cmath>

#include "probmix/kernel/knots.hpp"

namespace probmix::kernel::naive {

// The share of the way from knot `left` to the next; beyond the outer knots 0 or 1, NaN for NaN.
template <class Real>
Real share_of(const KnotColumn<Real>& column, Index left, Real x) {
  const Real from = column.knots[left], to = column.knots[left + 1];
  if (x <= from) return 0;
  if (x >= to) return 1;
  return (x - from) / (to - from);
}

template <class Real>
void find_places(std::span<const KnotColumn<Real>> columns, View<const Real> x, Real* place) {
  for (Index r = 0; r < x.rows; ++r) {
    for (const KnotColumn<Real>& column : columns) {
      const Real at = x(r, column.input);
      Index left = 0;
      while (left < column.count - 2 && column.knots[left + 1] <= at) ++left;
      *place++ = static_cast<Real>(left);
      *place++ = share_of(column, left, at);
    }
  }
}

template <class Real>
void interpolate(std::span<const KnotColumn<Real>> columns, const Real* place, const Real* values,
                 View<Real> y) {
  for (Index r = 0; r < y.rows; ++r) {
    for (const KnotColumn<Real>& column : columns) {
      const auto left = static_cast<Index>(*place++);
      const Real share = *place++;
      const Real* const right = values + (column.first + left) * y.cols;
      for (Index c = 0; c < y.cols; ++c) {
        if (left > 0) y(r, c) += (1 - share) * right[c - y.cols];
        y(r, c) += share * right[c];
      }
    }
  }
}

template <class Real>
void interpolate_backward(std::span<const KnotColumn<Real>> columns, const Real* place,
                          View<const Real> dy, Real* dvalues) {
  for (Index r = 0; r < dy.rows; ++r) {
    for (const KnotColumn<Real>& column : columns) {
      const auto left = static_cast<Index>(*place++);
      const Real share = *place++;
      Real* const right = dvalues + (column.first + left) * dy.cols;
      for (Index c = 0; c < dy.cols; ++c) {
        if (left > 0) right[c - dy.cols] += (1 - share) * dy(r, c);
        right[c] += share * dy(r, c);
      }
    }
  }
}

}  // namespace probmix::kernel::naive
