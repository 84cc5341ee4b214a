#include "probmix/nn/residual_stack.hpp"

#include <algorithm>

// Layout of what is kept: for each block what its branch keeps and what its norm keeps; then that
// of the last norm. Scratch: that of a branch, and one more stream.

namespace probmix {

template <class Real>
void ResidualStack<Real>::add(std::string name, std::unique_ptr<Branch<Real>> branch,
                              std::string norm_name) {
  blocks_.push_back(
      {std::move(name), std::move(branch), std::move(norm_name), LayerNorm<Real>(width_)});
}

template <class Real>
Index ResidualStack<Real>::branch_scratch() const {
  Index most = 0;
  for (const Block& block : blocks_) most = std::max(most, block.branch->scratch());
  return most;
}

template <class Real>
Index ResidualStack<Real>::kept() const {
  Index total = last_norm_ ? norm_kept() : 0;
  for (const Block& block : blocks_) total += block.branch->kept() + norm_kept();
  return total;
}

template <class Real>
Index ResidualStack<Real>::scratch() const {
  return branch_scratch() + steps_ * width_;
}

template <class Real>
void ResidualStack<Real>::declare(ParameterTable& table, const std::string& name) {
  for (Block& block : blocks_) {
    block.branch->declare(table, name + "." + block.name);
    block.norm.declare(table, name + "." + block.norm_name);
  }
  if (last_norm_) last_norm_->declare(table, name + ".norm");
}

template <class Real>
void ResidualStack<Real>::initialise(Real* parameters, Stream& stream) const {
  for (const Block& block : blocks_) {
    block.branch->initialise(parameters, stream);
    block.norm.initialise(parameters, stream);
  }
  if (last_norm_) last_norm_->initialise(parameters, stream);
}

template <class Real>
void ResidualStack<Real>::forward(const Real* parameters, View<Real> stream, const Real* source,
                                  Memory<Real> memory) const {
  const Index rows = stream.rows;
  const View<Real> at_steps = tokens(stream.data, rows);
  const View<Real> added{memory.scratch, rows, stream.cols};
  memory.scratch += added.size();
  for (const Block& block : blocks_) {
    block.branch->forward(parameters, stream, source, added, memory);
    memory.keep += rows * block.branch->kept();
    block.norm.forward_sum(parameters, at_steps, added.data, stream.data, memory.keep);
    memory.keep += rows * norm_kept();
  }
  if (last_norm_) last_norm_->forward_sum(parameters, at_steps, nullptr, stream.data, memory.keep);
}

template <class Real>
void ResidualStack<Real>::restore(const Real* parameters, const Real* keep,
                                  View<Real> stream) const {
  const LayerNorm<Real>& norm = last_norm_ ? *last_norm_ : blocks_.back().norm;
  norm.restore(parameters, keep + stream.rows * (kept() - norm_kept()),
               tokens(stream.data, stream.rows));
}

template <class Real>
void ResidualStack<Real>::backward(const Real* parameters, View<const Real> x, const Real* source,
                                   Memory<Real> memory, View<Real> d, Real* dsource,
                                   Real* gradient) const {
  const Index rows = x.rows;
  const View<Real> d_at_steps = tokens(d.data, rows);
  const View<Real> between{memory.scratch, rows, x.cols};
  memory.scratch += between.size();
  memory.keep += rows * kept();
  if (last_norm_) {
    memory.keep -= rows * norm_kept();
    last_norm_->backward_in_place(parameters, memory.keep, d_at_steps, gradient);
  }
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    const Block& block = blocks_[b];
    memory.keep -= rows * norm_kept();
    block.norm.backward_in_place(parameters, memory.keep, d_at_steps, gradient);
    memory.keep -= rows * block.branch->kept();
    if (b > 0) {
      blocks_[b - 1].norm.restore(parameters, memory.keep - rows * norm_kept(),
                                  tokens(between.data, rows));
    }
    const View<const Real> before = b == 0 ? x : View<const Real>(between);
    block.branch->backward(parameters, before, source, memory, d, dsource, gradient);
  }
}

template class ResidualStack<float>;
template class ResidualStack<double>;

}  // namespace probmix
