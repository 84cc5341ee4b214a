#include "probmix/data/synthetic.hpp"

#include <cmath>
#include <numbers>

namespace probmix {

Sample toy_regression(Index rows, double low, double high, Stream& stream) {
  Sample table{Matrix<double>(rows, 1), Matrix<double>(rows, 1)};
  for (Index r = 0; r < rows; ++r) {
    table.x(r, 0) = low + (high - low) * stream.uniform();
    table.y(r, 0) = toy_regression_mean(table.x(r, 0)) + 3 * stream.normal();
  }
  return table;
}

Sample three_rings(Index rows, Stream& stream) {
  Sample table{Matrix<double>(rows, 2), Matrix<double>(rows, 1)};
  for (Index i = 0; i < rows; ++i) {
    const Index k = i % 3;
    const double omega = 2 * std::numbers::pi * stream.uniform();
    table.x(i, 0) = ring_radius[k] * std::cos(omega) + ring_noise * stream.normal();
    table.x(i, 1) = ring_radius[k] * std::sin(omega) + ring_noise * stream.normal();
    table.y(i, 0) = static_cast<double>(k);
  }
  return table;
}

}  // namespace probmix
