// The residual blocks of a transformer, one after the other: s ← norm(s + branch(s)) for a stream s
// of sequences; the norm comes after the sum, as in Vaswani et al. (2017). Optionally a last norm.
//
// Forward and backward work on the stream, and on its gradient, in place. Only the normalised
// values of the stream are kept; the stream between two blocks is restored from them.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probmix/nn/branch.hpp"
#include "probmix/nn/layer_norm.hpp"

namespace probmix {

template <class Real>
class ResidualStack {
 public:
  ResidualStack(Index steps, Index width) : steps_(steps), width_(width) {}

  // Appends a block; `name` and `norm_name` are those of its parameters.
  void add(std::string name, std::unique_ptr<Branch<Real>> branch, std::string norm_name);
  void add_last_norm() { last_norm_.emplace(width_); }

  // As for a layer.
  Index kept() const;
  Index scratch() const;
  void declare(ParameterTable& table, const std::string& name);
  void initialise(Real* parameters, Stream& stream) const;

  // `source`: what cross-attention reads, of the shape of the stream, or null.
  void forward(const Real* parameters, View<Real> stream, const Real* source,
               Memory<Real> memory) const;

  // The stream at the end, again, from what forward kept.
  void restore(const Real* parameters, const Real* keep, View<Real> stream) const;

  // x: the stream at the beginning. The gradient d of the stream at the end becomes that at the
  // beginning. Accumulates into dsource and `gradient`; may overwrite what was kept.
  void backward(const Real* parameters, View<const Real> x, const Real* source, Memory<Real> memory,
                View<Real> d, Real* dsource, Real* gradient) const;

 private:
  struct Block {
    std::string name;
    std::unique_ptr<Branch<Real>> branch;
    std::string norm_name;
    LayerNorm<Real> norm;
  };

  Index norm_kept() const { return steps_ * (width_ + 1); }
  Index branch_scratch() const;  // of the branch that needs most
  View<Real> tokens(Real* stream, Index rows) const { return {stream, rows * steps_, width_}; }

  Index steps_;
  Index width_;
  std::vector<Block> blocks_;
  std::optional<LayerNorm<Real>> last_norm_;
};

extern template class ResidualStack<float>;
extern template class ResidualStack<double>;

}  // namespace probmix
