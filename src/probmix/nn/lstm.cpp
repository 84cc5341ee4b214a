#include "probmix/nn/lstm.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/lstm_cell.hpp"
#include "probmix/nn/initial.hpp"

namespace probmix {

// What is kept, gates and c: step by step, and within a step row by row, so that a step is a
// matrix.
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
    : channels_(channels),
      hidden_(hidden),
      steps_(steps),
      forget_bias_(forget_bias),
      weight_ih_{channels, 4 * hidden},
      weight_hh_{hidden, 4 * hidden} {
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
  weight_ih_.offset = table.add_weight(name + ".weight_ih", {4 * hidden_, channels_});
  weight_hh_.offset = table.add_weight(name + ".weight_hh", {4 * hidden_, hidden_});
  bias_ = table.add(name + ".bias", {4 * hidden_});
}

template <class Real>
void Lstm<Real>::initialise(Real* parameters, Stream& stream) const {
  const double bound = initial_bound(Initial::fan_in, 4 * hidden_, hidden_);
  fill_uniform(parameters + weight_ih_.offset, weight_ih_.size(), bound, stream);
  fill_uniform(parameters + weight_hh_.offset, weight_hh_.size(), bound, stream);
  fill_uniform(parameters + bias_, 4 * hidden_, bound, stream);
  Real* const forget = parameters + bias_ + hidden_;
  for (Index k = 0; k < hidden_; ++k) forget[k] += static_cast<Real>(forget_bias_);
}

template <class Real>
void Lstm<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                         Memory<Real> memory) const {
  const Kept kept(*this, x.rows, memory.keep);
  for (Index t = 0; t < steps_; ++t) {
    Real* const gates = kept.gates_at(t);
    auto input = weight_ih_.forward<Real>(parameters, x.rows, {x.data + t * channels_, x.cols},
                                          gates, 4 * hidden_);
    input.start = kernel::Start<Real>::from_row(parameters + bias_);
    kernel::product(input);
    if (t > 0) {
      const kernel::Strided<Real> h_before{y.data + (t - 1) * hidden_, y.cols};
      auto recurrent = weight_hh_.forward<Real>(parameters, x.rows, h_before, gates, 4 * hidden_);
      recurrent.start = kernel::Start<Real>::from_c();
      kernel::product(recurrent);
    }
    kernel::lstm_cell_forward({.rows = x.rows,
                               .hidden = hidden_,
                               .gates = {gates, 4 * hidden_},
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
    kernel::product(
        weight_ih_.gradient<Real>(x.rows, errors, {x.data + t * channels_, x.cols}, gradient));
    if (dx != nullptr) {
      kernel::product(
          weight_ih_.backward<Real>(parameters, x.rows, errors, dx + t * channels_, x.cols));
    }
    if (t == 0) break;
    const Index before = (t - 1) * hidden_;
    kernel::product(weight_hh_.gradient<Real>(x.rows, errors, {y.data + before, y.cols}, gradient));
    // The gradient of h_{t−1} through this step, beside what comes from above.
    auto through = weight_hh_.backward<Real>(parameters, x.rows, errors, dy.data + before, dy.cols);
    through.start = kernel::Start<Real>::from_c();
    kernel::product(through);
  }
}

template class Lstm<float>;
template class Lstm<double>;

}  // namespace probmix
