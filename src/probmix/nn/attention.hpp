// Multi-head attention between the steps of sequences, as PyTorch's nn.MultiheadAttention: queries
// from x, keys and values from a source, which is x itself (self-attention) or another sequence of
// as many steps (cross-attention).
//   weights = softmax(Q Kᵀ / sqrt(width of a head)),  y = [weights V of each head] Wᵀ + b.
#pragma once

#include "probmix/nn/affine.hpp"
#include "probmix/nn/attention_head.hpp"
#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
class Attention {
 public:
  // `crossed`: keys and values come from a separate source. `dropout`: of the weights, in training.
  Attention(Index steps, Index width, Index heads, bool crossed, double dropout = 0);

  // Numbers per row, as for a layer.
  Index kept() const;
  Index scratch() const;

  void declare(ParameterTable& table, const std::string& name);
  void initialise(Real* parameters, Stream& stream) const;

  // x, source, y: rows × (steps · width). Overwrites y; source is not read unless crossed.
  void forward(const Real* parameters, View<const Real> x, const Real* source, View<Real> y,
               Memory<Real> memory) const;

  // Accumulates into dx, which may be dy, and dsource (if crossed), and `gradient`. Overwrites what
  // was kept.
  void backward(const Real* parameters, View<const Real> x, const Real* source, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* dsource, Real* gradient) const;

 private:
  struct Kept;
  Kept kept_at(Real* keep, Index rows) const;
  AttentionHead<Real> head_at(const Kept& kept, Index row, Index head) const;

  Index steps_;
  Index width_;
  Index heads_;
  Index head_width_;
  bool crossed_;
  double dropout_;
  Real scale_;
  Affine in_;  // queries, keys and values, one below the other
  Affine out_;
  std::uint32_t stream_ = 0;
};

extern template class Attention<float>;
extern template class Attention<double>;

}  // namespace probmix
