#include "probmix/nn/attention_head.hpp"

#include <algorithm>

#include "probmix/kernel/arithmetic.hpp"
#include "probmix/kernel/product.hpp"
#include "probmix/kernel/softmax.hpp"

namespace probmix {
namespace {

using kernel::Strided;

// The factors of the values: the weights, after dropout (in `dropped`) if there is any.
template <class Real>
Strided<Real> dropped_weights(const AttentionHead<Real>& head, Real* dropped) {
  if (head.factors == nullptr) return {head.weights, head.steps};
  kernel::multiply(head.weights, head.factors, dropped, head.steps * head.steps);
  return {dropped, head.steps};
}

// C (steps × steps) = A Bᵀ, for A and B of the width of the head.
template <class Real>
void compare_steps(const AttentionHead<Real>& head, Strided<Real> a, Strided<Real> b, Real* c) {
  kernel::product(kernel::Product<Real>{.m = head.steps,
                                        .n = head.steps,
                                        .k = head.width,
                                        .a = a,
                                        .b = b.transposed(),
                                        .c = c,
                                        .c_row = head.steps});
}

// C = A B, for A (steps × steps), B and C of the width of the head.
template <class Real>
void mix_steps(const AttentionHead<Real>& head, Strided<Real> a, Strided<Real> b, Real* c,
               Index c_row) {
  kernel::product(kernel::Product<Real>{
      .m = head.steps, .n = head.width, .k = head.steps, .a = a, .b = b, .c = c, .c_row = c_row});
}

}  // namespace

template <class Real>
void AttentionHead<Real>::forward(Real* mixed, Index mixed_row, Real* scratch) const {
  compare_steps<Real>(*this, {q, q_row}, {k, kv_row}, weights);
  kernel::softmax_forward(scale, View<Real>{weights, steps, steps});
  mix_steps<Real>(*this, dropped_weights(*this, scratch), {v, kv_row}, mixed, mixed_row);
}

// The order lets a gradient take the place of what is no longer needed.
template <class Real>
void AttentionHead<Real>::backward(const Real* dmixed, Index mixed_row, Real* scratch) const {
  const View<Real> dweights{scratch, steps, steps};
  Real* const dropped = scratch + dweights.size();
  const View<Real> dq{dropped + dweights.size(), steps, width};

  compare_steps<Real>(*this, {dmixed, mixed_row}, {v, kv_row}, dweights.data);
  mix_steps<Real>(*this, dropped_weights(*this, dropped).transposed(), {dmixed, mixed_row}, v,
                  kv_row);
  if (factors != nullptr) kernel::multiply(dweights.data, factors, dweights.data, dweights.size());
  kernel::softmax_backward(scale, View<const Real>{weights, steps, steps}, dweights);
  const Strided<Real> dscores{dweights.data, steps};
  mix_steps<Real>(*this, dscores, {k, kv_row}, dq.data, width);
  mix_steps<Real>(*this, dscores.transposed(), {q, q_row}, k, kv_row);
  for (Index t = 0; t < steps; ++t) std::copy_n(dq.row(t), width, q + t * q_row);
}

template struct AttentionHead<float>;
template struct AttentionHead<double>;

}  // namespace probmix
