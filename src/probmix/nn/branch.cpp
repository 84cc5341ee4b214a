#include "probmix/nn/branch.hpp"

#include "probmix/kernel/arithmetic.hpp"
#include "probmix/nn/each_step.hpp"
#include "probmix/nn/linear.hpp"
#include "probmix/nn/sequence.hpp"

namespace probmix {

template <class Real>
AttentionBranch<Real>::AttentionBranch(Index steps, Index width, Index heads, bool crossed,
                                       double dropout)
    : attention_(steps, width, heads, crossed, dropout) {
  if (dropout > 0) dropout_.emplace(steps * width, dropout);
}

template <class Real>
void AttentionBranch<Real>::declare(ParameterTable& table, const std::string& name) {
  attention_.declare(table, name);
  if (dropout_) dropout_->declare(table, name);
}

// Kept: what the dropout keeps, if there is one, then what the attention keeps.
template <class Real>
void AttentionBranch<Real>::forward(const Real* parameters, View<const Real> x, const Real* source,
                                    View<Real> y, Memory<Real> memory) const {
  const Memory<Real> first = memory;
  memory.keep += x.rows * dropped();
  attention_.forward(parameters, x, source, y, memory);
  if (dropout_) dropout_->forward(parameters, y, y, first);
}

template <class Real>
void AttentionBranch<Real>::backward(const Real* parameters, View<const Real> x, const Real* source,
                                     Memory<Real> memory, View<Real> d, Real* dsource,
                                     Real* gradient) const {
  View<Real> dy = d;
  if (dropout_) {
    dy.data = memory.scratch;
    dropout_->backward(parameters, d, d, memory, d, dy.data, gradient);
    memory.keep += x.rows * dropped();
    memory.scratch += dy.size();
  }
  attention_.backward(parameters, x, source, memory, dy, d.data, dsource, gradient);
}

// Matrices start by Xavier's rule, as in a transformer of PyTorch.
template <class Real>
FeedForwardBranch<Real>::FeedForwardBranch(Index steps, Index width, Index hidden,
                                           Activation activation, double dropout) {
  const auto layers = std::make_shared<Sequence<Real>>(width);
  const auto add = [&](Index inputs, Index outputs, Activation act) {
    layers->add(std::make_shared<Linear<Real>>(inputs, outputs, act, 0, Initial::xavier));
    if (dropout > 0) layers->add(std::make_shared<Dropout<Real>>(outputs, dropout));
  };
  add(width, hidden, activation);
  add(hidden, width, Activation::identity);
  layers_ = std::make_shared<EachStep<Real>>(layers, steps);
}

template <class Real>
void FeedForwardBranch<Real>::forward(const Real* parameters, View<const Real> x,
                                      const Real* /*source*/, View<Real> y,
                                      Memory<Real> memory) const {
  layers_->forward(parameters, x, y, memory);
}

template <class Real>
void FeedForwardBranch<Real>::backward(const Real* parameters, View<const Real> x,
                                       const Real* /*source*/, Memory<Real> memory, View<Real> d,
                                       Real* /*dsource*/, Real* gradient) const {
  Real* const dx = memory.scratch;
  memory.scratch += x.size();
  // The last layer, linear or a dropout, leaves d unchanged and does not read its output, so any
  // matrix will do.
  layers_->backward(parameters, x, d, memory, d, dx, gradient);
  kernel::add(d.data, dx, d.data, d.size());
}

template class AttentionBranch<float>;
template class AttentionBranch<double>;
template class FeedForwardBranch<float>;
template class FeedForwardBranch<double>;

}  // namespace probmix
