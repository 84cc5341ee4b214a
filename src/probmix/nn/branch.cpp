#include "probmix/nn/branch.hpp"

#include <algorithm>

#include "probmix/kernel/elementwise.hpp"
#include "probmix/nn/dropout.hpp"
#include "probmix/nn/each_step.hpp"
#include "probmix/nn/linear.hpp"
#include "probmix/nn/sequence.hpp"
#include "probmix/nn/xavier.hpp"

namespace probmix {

template <class Real>
AttentionBranch<Real>::AttentionBranch(Index steps, Index width, Index heads, bool crossed,
                                       double dropout)
    : size_(steps * width), dropout_(dropout), attention_(steps, width, heads, crossed, dropout) {}

template <class Real>
void AttentionBranch<Real>::declare(ParameterTable& table, const std::string& name) {
  attention_.declare(table, name);
  if (dropout_ > 0) stream_ = table.add_stream();
}

// Kept: the factors of the dropout, if there is one, then what the attention keeps.
template <class Real>
void AttentionBranch<Real>::forward(const Real* parameters, View<const Real> x, const Real* source,
                                    View<Real> y, Memory<Real> memory) const {
  const View<Real> factors{memory.keep, x.rows, dropped()};
  memory.keep += factors.size();
  attention_.forward(parameters, x, source, y, memory);
  if (dropout_ == 0) return;
  dropout_factors(dropout_, memory.random, stream_, memory.first, factors);
  for (Index k = 0; k < y.size(); ++k) y.data[k] *= factors.data[k];
}

template <class Real>
void AttentionBranch<Real>::backward(const Real* parameters, View<const Real> x, const Real* source,
                                     Memory<Real> memory, View<Real> d, Real* dsource,
                                     Real* gradient) const {
  const View<Real> factors{memory.keep, x.rows, dropped()};
  memory.keep += factors.size();
  View<Real> dy = d;
  if (dropout_ > 0) {
    dy.data = memory.scratch;
    memory.scratch += dy.size();
    for (Index k = 0; k < d.size(); ++k) dy.data[k] = d.data[k] * factors.data[k];
  }
  attention_.backward(parameters, x, source, memory, dy, d.data, dsource, gradient);
}

template <class Real>
FeedForwardBranch<Real>::FeedForwardBranch(Index steps, Index width, Index hidden,
                                           Activation activation, double dropout) {
  const auto layers = std::make_shared<Sequence<Real>>(width);
  layers->add(std::make_shared<Linear<Real>>(width, hidden, activation));
  if (dropout > 0) layers->add(std::make_shared<Dropout<Real>>(hidden, dropout));
  layers->add(std::make_shared<Linear<Real>>(hidden, width, Activation::identity));
  if (dropout > 0) layers->add(std::make_shared<Dropout<Real>>(width, dropout));
  layers_ = std::make_shared<EachStep<Real>>(layers, steps);
}

template <class Real>
void FeedForwardBranch<Real>::declare(ParameterTable& table, const std::string& name) {
  const std::size_t before = table.entries().size();
  layers_->declare(table, name);
  matrices_.clear();
  for (const Parameter& parameter : table.entries().subspan(before)) {
    if (parameter.shape.size() == 2) matrices_.push_back(parameter);
  }
}

// Biases as a linear layer's; matrices by Xavier's rule, as in a transformer of PyTorch.
template <class Real>
void FeedForwardBranch<Real>::initialise(Real* parameters, Stream& stream) const {
  layers_->initialise(parameters, stream);
  for (const Parameter& matrix : matrices_) {
    xavier_uniform(parameters + matrix.offset, matrix.shape[0], matrix.shape[1], stream);
  }
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
  // The last layer, linear or a dropout, leaves d as it is and makes no use of its output: any will
  // do.
  layers_->backward(parameters, x, d, memory, d, dx, gradient);
  kernel::add(d.data, dx, d.data, d.size());
}

template class AttentionBranch<float>;
template class AttentionBranch<double>;
template class FeedForwardBranch<float>;
template class FeedForwardBranch<double>;

}  // namespace probmix
