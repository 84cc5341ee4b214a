#include "probmix/nn/encoded_linear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"
#include "probmix/nn/initial.hpp"

namespace probmix {

void check_knots(const std::vector<NumberKnots>& encoded, Index inputs) {
  Index after = 0;
  for (const NumberKnots& number : encoded) {
    check_usage(number.input >= after && number.input < inputs,
                "knots of input {} do not fit {} inputs, each encoded once and in their order",
                number.input, inputs);
    const std::vector<float>& knots = number.knots;
    const auto count = std::ssize(knots);
    check_range("the number of knots", count, 2, NumberKnots::most);
    check_usage(std::ranges::all_of(knots, [](float k) { return std::isfinite(k); }) &&
                    std::ranges::adjacent_find(knots, std::greater_equal()) == knots.end(),
                "the knots of input {} do not increase", number.input);
    after = number.input + 1;
  }
}

template <class Real>
EncodedLinear<Real>::EncodedLinear(Index inputs, Index outputs, kernel::ColumnActivation activation,
                                   const std::vector<NumberKnots>& encoded)
    : activation_(activation), weight_{inputs, outputs} {
  check_usage(inputs >= 1 && outputs >= 1,
              "a linear layer needs at least one input and one output, not {} and {}", inputs,
              outputs);
  check(activation.columns >= 0 && activation.columns <= outputs,
        "a linear layer of {} outputs cannot activate {} of them", outputs, activation.columns);
  check_knots(encoded, inputs);
  for (const NumberKnots& number : encoded) {
    knots_.insert(knots_.end(), number.knots.begin(), number.knots.end());
    while (knots_.size() % to_size(kernel::knot_padding) != 0) {
      knots_.push_back(std::numeric_limits<Real>::infinity());
    }
  }
  const Real* knots = knots_.data();
  Index first = 0;
  for (const NumberKnots& number : encoded) {
    const auto count = std::ssize(number.knots);
    columns_.push_back({number.input, count, knots, first});
    knots += (count + kernel::knot_padding - 1) / kernel::knot_padding * kernel::knot_padding;
    first += count - 1;
  }
}

template <class Real>
Index EncodedLinear<Real>::kept() const {
  return places() + (kernel::needs_pre(activation_.kind) ? outputs() : 0);
}

template <class Real>
void EncodedLinear<Real>::declare(ParameterTable& table, const std::string& name) {
  weight_.offset = table.add_weight(name + ".weight", {outputs(), inputs()});
  bias_ = table.add(name + ".bias", {outputs()});
  Index knots = 0;
  for (const auto& column : columns_) knots += column.count - 1;
  values_ = table.add_weight(name + ".knots", {knots, outputs()});
  for (const auto& column : columns_) {
    table.add_path({values_ + column.first * outputs(), column.count - 1, outputs()});
  }
}

// As a linear layer of all inputs of the usual encoding.
template <class Real>
void EncodedLinear<Real>::initialise(Real* parameters, Stream& stream) const {
  const Index knots = columns_.empty() ? 0 : columns_.back().first + columns_.back().count - 1;
  const double bound = initial_bound(Initial::fan_in, outputs(), inputs() + knots);
  fill_uniform(parameters + weight_.offset, weight_.size(), bound, stream);
  fill_uniform(parameters + bias_, outputs(), bound, stream);
  fill_uniform(parameters + values_, knots * outputs(), bound, stream);
  for (const auto& column : columns_) {
    Real* const values = parameters + values_ + column.first * outputs();
    for (Index k = 1; k < column.count - 1; ++k) {
      kernel::add(values + (k - 1) * outputs(), values + k * outputs(), values + k * outputs(),
                  outputs());
    }
  }
}

template <class Real>
void EncodedLinear<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                                  Memory<Real> memory) const {
  Real* const place = memory.keep;
  Real* const pre = place + x.rows * places();
  kernel::product(weight_.forward<Real>(parameters, x.rows, {x.data, x.cols}, y.data, outputs()));
  const std::span<const kernel::KnotColumn<Real>> columns = columns_;
  kernel::find_places(columns, x, place);
  kernel::interpolate(columns, place, parameters + values_, y);
  kernel::bias_activation_forward(activation_, y, parameters + bias_,
                                  kernel::needs_pre(activation_.kind) ? pre : nullptr);
}

template <class Real>
void EncodedLinear<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> y,
                                   Memory<Real> memory, View<Real> dy, Real* dx,
                                   Real* gradient) const {
  const Real* const place = memory.keep;
  const Real* const pre = place + x.rows * places();
  kernel::bias_activation_backward(activation_, y, pre, dy, gradient + bias_);
  const kernel::Strided<Real> errors{dy.data, outputs()};
  kernel::product(weight_.gradient<Real>(x.rows, errors, {x.data, x.cols}, gradient));
  kernel::interpolate_backward(std::span<const kernel::KnotColumn<Real>>(columns_), place,
                               View<const Real>(dy), gradient + values_);
  if (dx == nullptr) return;
  kernel::product(weight_.backward<Real>(parameters, x.rows, errors, dx, x.cols));
  add_input_gradient(parameters, x, place, dy, dx);
}

// The slopes of the functions, which nothing before the first layer of a network needs.
template <class Real>
void EncodedLinear<Real>::add_input_gradient(const Real* parameters, View<const Real> x,
                                             const Real* place, View<const Real> dy,
                                             Real* dx) const {
  for (Index r = 0; r < x.rows; ++r) {
    for (const auto& column : columns_) {
      const auto left = static_cast<Index>(*place++);
      const Real share = *place++;
      if (share <= 0 || share >= 1) continue;
      const Real* const right = parameters + values_ + (column.first + left) * outputs();
      Real slope = 0;
      for (Index c = 0; c < outputs(); ++c) {
        slope += (right[c] - (left > 0 ? right[c - outputs()] : 0)) * dy(r, c);
      }
      dx[r * x.cols + column.input] += slope / (column.knots[left + 1] - column.knots[left]);
    }
  }
}

template class EncodedLinear<float>;
template class EncodedLinear<double>;

}  // namespace probmix
