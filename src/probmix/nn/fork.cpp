#include "probmix/nn/fork.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/arithmetic.hpp"

// Layout of what is kept: for each branch its output and what it keeps. Scratch: that of a branch,
// the gradient of its output, and its gradient of x.

namespace probmix {

template <class Real>
Fork<Real>::Fork(std::shared_ptr<Layer<Real>> left, std::shared_ptr<Layer<Real>> right)
    : left_(std::move(left)), right_(std::move(right)) {
  check(left_->inputs() == right_->inputs(), "the branches of a fork have {} and {} inputs",
        left_->inputs(), right_->inputs());
}

template <class Real>
Index Fork<Real>::kept() const {
  return outputs() + left_->kept() + right_->kept();
}

template <class Real>
Index Fork<Real>::scratch() const {
  return branch_scratch() + std::max(left_->outputs(), right_->outputs()) + inputs();
}

template <class Real>
Index Fork<Real>::branch_scratch() const {
  return std::max(left_->scratch(), right_->scratch());
}

template <class Real>
void Fork<Real>::declare(ParameterTable& table, const std::string& name) {
  left_->declare(table, name + ".left");
  right_->declare(table, name + ".right");
}

template <class Real>
void Fork<Real>::initialise(Real* parameters, Stream& stream) const {
  left_->initialise(parameters, stream);
  right_->initialise(parameters, stream);
}

template <class Real>
void Fork<Real>::forward(const Real* parameters, View<const Real> x, View<Real> y,
                         Memory<Real> memory) const {
  Index column = 0;
  for (const Layer<Real>* branch : {left_.get(), right_.get()}) {
    const View<Real> part{memory.keep, x.rows, branch->outputs()};
    memory.keep += part.size();
    branch->forward(parameters, x, part, memory);
    memory.keep += x.rows * branch->kept();
    for (Index r = 0; r < x.rows; ++r) std::copy_n(part.row(r), part.cols, y.row(r) + column);
    column += part.cols;
  }
}

template <class Real>
void Fork<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> /*y*/,
                          Memory<Real> memory, View<Real> dy, Real* dx, Real* gradient) const {
  if (dx != nullptr) std::fill_n(dx, x.size(), Real{0});
  Real* const dpart_data = memory.scratch + x.rows * branch_scratch();
  Index column = 0;
  for (const Layer<Real>* branch : {left_.get(), right_.get()}) {
    const View<Real> part{memory.keep, x.rows, branch->outputs()};
    const View<Real> dpart{dpart_data, x.rows, branch->outputs()};
    Real* const dx_part = dx == nullptr ? nullptr : dpart.data + dpart.size();
    for (Index r = 0; r < x.rows; ++r) std::copy_n(dy.row(r) + column, part.cols, dpart.row(r));
    memory.keep += part.size();
    branch->backward(parameters, x, part, memory, dpart, dx_part, gradient);
    memory.keep += x.rows * branch->kept();
    if (dx != nullptr) kernel::axpy(Real{1}, dx_part, dx, x.size());
    column += part.cols;
  }
}

template class Fork<float>;
template class Fork<double>;

}  // namespace probmix
