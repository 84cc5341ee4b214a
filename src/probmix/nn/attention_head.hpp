// One head of attention, on one sequence: mixed = dropout(softmax(scale · Q Kᵀ)) V.
#pragma once

#include "probmix/base/matrix.hpp"

namespace probmix {

template <class Real>
struct AttentionHead {
  Index steps;
  Index width;          // of the head: of q, k, v and mixed
  Real *q, *k, *v;      // a block of columns each, of rows that are wider
  Index q_row;          // from row to row of q
  Index kv_row;         // and of k and v
  Real* weights;        // steps × steps: the softmax, kept for backward
  const Real* factors;  // of the dropout of the weights, or null
  Real scale;

  // Size of the working memory of a call.
  static Index scratch(Index steps, Index width) { return steps * (2 * steps + width); }

  // Overwrites the weights and mixed, whose rows are mixed_row apart.
  void forward(Real* mixed, Index mixed_row, Real* scratch) const;

  // Replaces q, k and v by their gradients.
  void backward(const Real* dmixed, Index mixed_row, Real* scratch) const;
};

extern template struct AttentionHead<float>;
extern template struct AttentionHead<double>;

}  // namespace probmix
