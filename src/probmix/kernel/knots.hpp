// Sums of piecewise-linear functions of single inputs: each has knots, a value at every knot (0 at
// the first), straight lines between them, and is constant beyond the outer ones.
//
// float runs on Highway with run-time dispatch, double on the naive twin (naive_knots.hpp). Same
// input, same bits.
#pragma once

#include <span>

#include "probmix/base/matrix.hpp"

namespace probmix::kernel {

inline constexpr Index knot_padding = 16;

// The knots of one input. Its values are rows of a matrix: knot k > 0 has row first + k − 1.
template <class Real>
struct KnotColumn {
  Index input;
  Index count;        // knots, at least 2
  const Real* knots;  // increasing; infinity up to a multiple of knot_padding
  Index first;
};

// Where the inputs of each row lie: for each column the number of the knot on the left and the
// share of the way to the next, two numbers in `place`. A NaN has the share NaN.
void find_places(std::span<const KnotColumn<float>> columns, View<const float> x, float* place);
void find_places(std::span<const KnotColumn<double>> columns, View<const double> x, double* place);

// y += the sum of all functions at these places; the values have a column for each of y.
void interpolate(std::span<const KnotColumn<float>> columns, const float* place,
                 const float* values, View<float> y);
void interpolate(std::span<const KnotColumn<double>> columns, const double* place,
                 const double* values, View<double> y);

// dvalues += the gradient for dy.
void interpolate_backward(std::span<const KnotColumn<float>> columns, const float* place,
                          View<const float> dy, float* dvalues);
void interpolate_backward(std::span<const KnotColumn<double>> columns, const double* place,
                          View<const double> dy, double* dvalues);

}  // namespace probmix::kernel
