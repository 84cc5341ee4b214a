// Data sets the project generates itself.
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

}  // namespace probmix
