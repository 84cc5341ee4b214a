#include "probmix/data/synthetic.hpp"

namespace probmix {

Sample toy_regression(Index rows, double low, double high, Stream& stream) {
  Sample table{Matrix<double>(rows, 1), Matrix<double>(rows, 1)};
  for (Index r = 0; r < rows; ++r) {
    table.x(r, 0) = low + (high - low) * stream.uniform();
    table.y(r, 0) = toy_regression_mean(table.x(r, 0)) + 3 * stream.normal();
  }
  return table;
}

}  // namespace probmix
