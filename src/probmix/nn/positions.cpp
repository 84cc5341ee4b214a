#include "probmix/nn/positions.hpp"

#include <cmath>

#include "probmix/kernel/arithmetic.hpp"

namespace probmix {

double positional_encoding(Index step, Index column, Index width) {
  const auto exponent = static_cast<double>(column - column % 2) / static_cast<double>(width);
  const double angle = static_cast<double>(step) / std::pow(10000.0, exponent);
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

template <class Real>
PositionalEmbedding<Real>::PositionalEmbedding(Index steps, Index channels, Index width)
    : linear_(std::make_shared<Linear<Real>>(channels, width, Activation::identity), steps) {
  positions_.reserve(to_size(steps * width));
  for (Index t = 0; t < steps; ++t) {
    for (Index c = 0; c < width; ++c) {
      positions_.push_back(static_cast<Real>(positional_encoding(t, c, width)));
    }
  }
}

template <class Real>
void PositionalEmbedding<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                                        Memory<Real> memory) const {
  linear_.forward(parameters, x, y, memory);
  for (Index r = 0; r < y.rows; ++r) {
    kernel::add(y.row(r), positions_.data(), y.row(r), y.cols);
  }
}

template class PositionalEmbedding<float>;
template class PositionalEmbedding<double>;

}  // namespace probmix
