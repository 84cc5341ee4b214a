#include "probmix/nn/lstm.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/kernel/lstm_cell.hpp"
#include "probmix/kernel/product.hpp"

namespace probmix {

// What is kept, step by step and of a step row by row, so that a step is a matrix: gates and c.
template <class Real>
struct Lstm<Real>::Kept {
  Index rows, hidden;
  Real *gates, *c;

  Kept(const Lstm& layer, Index count, Real* keep)
      : rows(count),
        hidden(layer.hidden_),
        gates(keep),
        c(keep + layer.steps_ * rows * 4 * hidden) {}

  Real* gates_at(Index t) const { return gates + t * rows * 4 * hidden; }
  Real* c_at(Index t) const { return c + t * rows * hidden; }
  const Real* c_before(Index t) const { return t == 0 ? nullptr : c_at(t - 1); }
};

template <class Real>
Lstm<Real>::Lstm(Index channels, Index hidden, Index steps, double forget_bias)
    : channels_(channels), hidden_(hidden), steps_(steps), forget_bias_(forget_bias) {
  check_usage(channels >= 1 && hidden >= 1 && steps >= 1,
              "an LSTM needs at least one channel, one hidden unit and one step, not {}, {} and {}",
              channels, hidden, steps);
}

template <class Real>
Index Lstm<Real>::kept() const {
  return steps_ * (4 * hidden_ + hidden_);
}

template <class Real>
Index Lstm<Real>::scratch() const {
  return dgates_row() + hidden_;
}

template <class Real>
void Lstm<Real>::declare(ParameterTable& table, const std::string& name) {
  weight_ih_ = table.add(name + ".weight_ih", {4 * hidden_, channels_});
  weight_hh_ = table.add(name + ".weight_hh", {4 * hidden_, hidden_});
  bias_ = table.add(name + ".bias", {4 * hidden_});
}

template <class Real>
void Lstm<Real>::initialise(Real* parameters, Stream& stream) const {
  const double bound = 1 / std::sqrt(static_cast<double>(hidden_));
  const auto draw = [&] { return static_cast<Real>(bound * (2 * stream.uniform() - 1)); };
  std::generate_n(parameters + weight_ih_, 4 * hidden_ * channels_, draw);
  std::generate_n(parameters + weight_hh_, 4 * hidden_ * hidden_, draw);
  std::generate_n(parameters + bias_, 4 * hidden_, draw);
  Real* const forget = parameters + bias_ + hidden_;
  for (Index k = 0; k < hidden_; ++k) forget[k] += static_cast<Real>(forget_bias_);
}

template <class Real>
void Lstm<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                         Memory<Real> memory) const {
  const Kept kept(*this, x.rows, memory.keep);
  const kernel::Strided<Real> weight_ih{parameters + weight_ih_, channels_};
  const kernel::Strided<Real> weight_hh{parameters + weight_hh_, hidden_};
  for (Index t = 0; t < steps_; ++t) {
    kernel::Product<Real> product{.m = x.rows,
                                  .n = 4 * hidden_,
                                  .k = channels_,
                                  .a = {x.data + t * channels_, x.cols},
                                  .b = weight_ih.transposed(),
                                  .c = kept.gates_at(t),
                                  .c_row = 4 * hidden_,
                                  .start = kernel::Start<Real>::from_row(parameters + bias_)};
    kernel::product(product);
    if (t > 0) {
      product.k = hidden_;
      product.a = {y.data + (t - 1) * hidden_, y.cols};
      product.b = weight_hh.transposed();
      product.start = kernel::Start<Real>::from_c();
      kernel::product(product);
    }
    kernel::lstm_cell_forward({.rows = x.rows,
                               .hidden = hidden_,
                               .gates = {kept.gates_at(t), 4 * hidden_},
                               .c_before = kept.c_before(t),
                               .c = kept.c_at(t),
                               .h = {y.data + t * hidden_, y.cols}});
  }
}

template <class Real>
void Lstm<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> y,
                          Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const {
  const Kept kept(*this, x.rows, memory.keep);
  Real* const dgates = memory.scratch;
  Real* const dc = dgates + x.rows * dgates_row();
  const kernel::Strided<Real> errors{dgates, dgates_row()};
  std::fill_n(dc, x.rows * hidden_, Real{0});
  for (Index t = steps_; t-- > 0;) {
    kernel::lstm_cell_backward({.rows = x.rows,
                                .hidden = hidden_,
                                .gates = {kept.gates_at(t), 4 * hidden_},
                                .c_before = kept.c_before(t),
                                .h = {y.data + t * hidden_, y.cols},
                                .dh = {dy.data + t * hidden_, dy.cols},
                                .dgates = {dgates, dgates_row()},
                                .dc = dc,
                                .dbias = gradient + bias_});
    kernel::product(kernel::Product<Real>{.m = 4 * hidden_,
                                          .n = channels_,
                                          .k = x.rows,
                                          .a = errors.transposed(),
                                          .b = {x.data + t * channels_, x.cols},
                                          .c = gradient + weight_ih_,
                                          .c_row = channels_,
                                          .start = kernel::Start<Real>::from_c()});
    if (dx != nullptr) {
      kernel::product(kernel::Product<Real>{.m = x.rows,
                                            .n = channels_,
                                            .k = 4 * hidden_,
                                            .a = errors,
                                            .b = {parameters + weight_ih_, channels_},
                                            .c = dx + t * channels_,
                                            .c_row = x.cols});
    }
    if (t == 0) break;
    kernel::product(kernel::Product<Real>{.m = 4 * hidden_,
                                          .n = hidden_,
                                          .k = x.rows,
                                          .a = errors.transposed(),
                                          .b = {y.data + (t - 1) * hidden_, y.cols},
                                          .c = gradient + weight_hh_,
                                          .c_row = hidden_,
                                          .start = kernel::Start<Real>::from_c()});
    // The gradient of h_{t−1} through this step, beside what comes from above.
    kernel::product(kernel::Product<Real>{.m = x.rows,
                                          .n = hidden_,
                                          .k = 4 * hidden_,
                                          .a = errors,
                                          .b = {parameters + weight_hh_, hidden_},
                                          .c = dy.data + (t - 1) * hidden_,
                                          .c_row = dy.cols,
                                          .start = kernel::Start<Real>::from_c()});
  }
}

template class Lstm<float>;
template class Lstm<double>;

}  // namespace probmix
