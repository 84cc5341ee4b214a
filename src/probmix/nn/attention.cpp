#include "probmix/nn/attention.hpp"

#include <algorithm>
#include <cmath>

#include "probmix/base/error.hpp"
#include "probmix/nn/dropout.hpp"
#include "probmix/nn/initial.hpp"

// A head is a block of columns of the queries, keys, values and of `mixed`, the weighted values.
// Backward replaces what is kept of queries, keys and values by their gradients.

namespace probmix {

template <class Real>
struct Attention<Real>::Kept {
  Real* queries;      // self-attention: one matrix [queries, keys, values] of 3 width columns
  Real* keys_values;  // cross-attention: a matrix [keys, values] of its own
  Real* weights;      // each row: heads × steps × steps
  Real* factors;      // of the dropout of the weights, if there is one
  Real* mixed;        // tokens × width
};

template <class Real>
Attention<Real>::Attention(Index steps, Index width, Index heads, bool crossed, double dropout)
    : steps_(steps),
      width_(width),
      heads_(heads),
      head_width_(heads >= 1 ? width / heads : 0),
      crossed_(crossed),
      dropout_(dropout),
      scale_(static_cast<Real>(1 / std::sqrt(static_cast<double>(head_width_)))),
      in_{{width, 3 * width}},
      out_{{width, width}} {
  check_usage(steps >= 1, "attention needs at least one step, not {}", steps);
  check_usage(heads >= 1 && width >= 1 && width % heads == 0,
              "the width of attention must be a multiple of its heads, not {} for {} heads", width,
              heads);
  check_dropout_rate(dropout);
}

template <class Real>
Index Attention<Real>::kept() const {
  return steps_ * (4 * width_ + heads_ * steps_ * (dropout_ > 0 ? 2 : 1));
}

template <class Real>
Index Attention<Real>::scratch() const {
  return steps_ * width_ + AttentionHead<Real>::scratch(steps_, head_width_);
}

template <class Real>
void Attention<Real>::declare(ParameterTable& table, const std::string& name) {
  in_.weight.offset = table.add_weight(name + ".in_proj_weight", {3 * width_, width_});
  in_.bias = table.add(name + ".in_proj_bias", {3 * width_});
  out_.weight.offset = table.add_weight(name + ".out_proj.weight", {width_, width_});
  out_.bias = table.add(name + ".out_proj.bias", {width_});
  if (dropout_ > 0) stream_ = table.add_stream();
}

template <class Real>
void Attention<Real>::initialise(Real* parameters, Stream& stream) const {
  for (const Affine& map : {in_, out_}) {
    const Weight& weight = map.weight;
    fill_uniform(parameters + weight.offset, weight.size(),
                 initial_bound(Initial::xavier, weight.outputs, weight.inputs), stream);
    std::fill_n(parameters + map.bias, weight.outputs, Real{0});
  }
}

template <class Real>
auto Attention<Real>::kept_at(Real* keep, Index rows) const -> Kept {
  const Index tokens = rows * steps_;
  const Index weights = rows * heads_ * steps_ * steps_;
  Kept kept{};
  kept.queries = keep;
  kept.keys_values = keep + tokens * width_;
  kept.weights = keep + 3 * tokens * width_;
  kept.factors = dropout_ > 0 ? kept.weights + weights : nullptr;
  kept.mixed = kept.weights + weights * (dropout_ > 0 ? 2 : 1);
  return kept;
}

template <class Real>
AttentionHead<Real> Attention<Real>::head_at(const Kept& kept, Index row, Index head) const {
  const Index q_row = crossed_ ? width_ : 3 * width_;
  const Index kv_row = crossed_ ? 2 * width_ : 3 * width_;
  const Index column = head * head_width_;
  const Index square = (row * heads_ + head) * steps_ * steps_;
  Real* const keys = (crossed_ ? kept.keys_values : kept.queries + width_) + row * steps_ * kv_row;
  return {.steps = steps_,
          .width = head_width_,
          .q = kept.queries + row * steps_ * q_row + column,
          .k = keys + column,
          .v = keys + width_ + column,
          .q_row = q_row,
          .kv_row = kv_row,
          .weights = kept.weights + square,
          .factors = kept.factors == nullptr ? nullptr : kept.factors + square,
          .scale = scale_};
}

template <class Real>
void Attention<Real>::forward(const Real* parameters, View<const Real> x, const Real* source,
                              View<Real> y, Memory<Real> memory) const {
  const Index tokens = x.rows * steps_;
  const View<const Real> x_tokens{x.data, tokens, width_};
  const Kept kept = kept_at(memory.keep, x.rows);
  if (crossed_) {
    in_.part(0, width_).forward(parameters, x_tokens, kept.queries);
    in_.part(width_, 2 * width_)
        .forward(parameters, View<const Real>{source, tokens, width_}, kept.keys_values);
  } else {
    in_.forward(parameters, x_tokens, kept.queries);
  }
  if (kept.factors != nullptr) {
    dropout_factors(dropout_, memory.random, stream_, memory.first,
                    View<Real>{kept.factors, x.rows, heads_ * steps_ * steps_});
  }
  for (Index row = 0; row < x.rows; ++row) {
    for (Index head = 0; head < heads_; ++head) {
      Real* const mixed = kept.mixed + row * steps_ * width_ + head * head_width_;
      head_at(kept, row, head).forward(mixed, width_, memory.scratch);
    }
  }
  out_.forward(parameters, View<const Real>{kept.mixed, tokens, width_}, y.data);
}

template <class Real>
void Attention<Real>::backward(const Real* parameters, View<const Real> x, const Real* source,
                               Memory<Real> memory, View<Real> dy, Real* dx, Real* dsource,
                               Real* gradient) const {
  const Index tokens = x.rows * steps_;
  const View<const Real> x_tokens{x.data, tokens, width_};
  const View<Real> dy_tokens{dy.data, tokens, width_};
  const Kept kept = kept_at(memory.keep, x.rows);
  Real* const dmixed = memory.scratch;
  Real* const head_scratch = dmixed + tokens * width_;
  const auto zero = kernel::Start<Real>::from_zero();
  const auto added = kernel::Start<Real>::from_c();

  out_.backward_parameters(View<const Real>{kept.mixed, tokens, width_}, dy_tokens, gradient);
  out_.backward_input(parameters, View<const Real>(dy_tokens), dmixed, zero);
  for (Index row = 0; row < x.rows; ++row) {
    for (Index head = 0; head < heads_; ++head) {
      const Real* const dhead = dmixed + row * steps_ * width_ + head * head_width_;
      head_at(kept, row, head).backward(dhead, width_, head_scratch);
    }
  }
  if (!crossed_) {
    const View<Real> din{kept.queries, tokens, 3 * width_};
    in_.backward_parameters(x_tokens, din, gradient);
    in_.backward_input(parameters, View<const Real>(din), dx, added);
    return;
  }
  const Affine in_q = in_.part(0, width_);
  const Affine in_kv = in_.part(width_, 2 * width_);
  const View<Real> dq{kept.queries, tokens, width_};
  const View<Real> dkv{kept.keys_values, tokens, 2 * width_};
  in_q.backward_parameters(x_tokens, dq, gradient);
  in_q.backward_input(parameters, View<const Real>(dq), dx, added);
  in_kv.backward_parameters(View<const Real>{source, tokens, width_}, dkv, gradient);
  in_kv.backward_input(parameters, View<const Real>(dkv), dsource, added);
}

template class Attention<float>;
template class Attention<double>;

}  // namespace probmix
