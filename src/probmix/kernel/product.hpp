// The matrix products of layers: many rows times weights that fit the cache, where a general
// product spends its time on set-up and allocates. Float runs on Highway, double on the naive twin.
#pragma once

#include <limits>

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

// Element (r, c) is data[r * row + c * col].
template <class Real>
struct Strided {
  const Real* data;
  Index row;
  Index col = 1;

  Strided transposed() const { return {data, col, row}; }
};

// What the sums of a product start from: the same numbers in each row, zeros, or what C holds.
template <class Real>
struct Start {
  enum class Kind { row, zero, c };
  Kind kind = Kind::zero;
  const Real* row = nullptr;

  static Start from_row(const Real* values) { return {Kind::row, values}; }
  static Start from_zero() { return {Kind::zero, nullptr}; }
  static Start from_c() { return {Kind::c, nullptr}; }
};

// The rows or the columns of B must be contiguous (row or col 1).
//
// C (m × n, rows c_row apart) = max(floor, start + A (m × k) · B (k × n)); NaN stays NaN.
template <class Real>
struct Product {
  Index m, n, k;
  Strided<Real> a, b;
  Real* c;
  Index c_row;
  Start<Real> start = {};
  Real floor = -std::numeric_limits<Real>::infinity();  // 0: a rectifier
};

// Runs in the calling thread and allocates nothing. The bits of a row of C do not depend on which
// other rows are computed with it, unless the sums start from C and A is transposed (its row is 1).
void product(const Product<float>& p);
void product(const Product<double>& p);

}  // namespace probmix::kernel
