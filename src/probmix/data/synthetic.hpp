// Synthetic data sets.
#pragma once

#include "probmix/base/matrix.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

struct Sample {
  Matrix<double> x;
  Matrix<double> y;
};

// The paper's toy regression: x ~ U(low, high), y = x³ + ε, ε ~ N(0, 9).
Sample toy_regression(Index rows, double low, double high, Stream& stream);

// Its mean.
inline double toy_regression_mean(double x) { return x * x * x; }

// The paper's toy classification: three rings around the origin. x = r_k (cos ω, sin ω) + ε with
// ω ~ U(0, 2π) and ε ~ N(0, 0.09 I); y is the class k; row i has class i mod 3.
inline constexpr double ring_radius[] = {0.5, 1.5, 2.5};
inline constexpr double ring_noise = 0.3;  // standard deviation of a coordinate of ε
Sample three_rings(Index rows, Stream& stream);

}  // namespace probmix
