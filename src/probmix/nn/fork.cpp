#include "probmix/nn/fork.hpp"

#include <algorithm>

#include "probmix/base/error.hpp"
#include "probmix/kernel/elementwise.hpp"

// Layout of `keep`, for each branch: its output, its gradient, the gradient of x, what it keeps.

namespace probmix {

namespace {

template <class Real>
Index branch_size(const Layer<Real>& branch, Index rows) {
  return rows * (2 * branch.outputs() + branch.inputs()) + branch.kept(rows);
}

}  // namespace

template <class Real>
Fork<Real>::Fork(std::shared_ptr<Layer<Real>> left, std::shared_ptr<Layer<Real>> right)
    : left_(std::move(left)), right_(std::move(right)) {
  check(left_->inputs() == right_->inputs(), "the branches of a fork have {} and {} inputs",
        left_->inputs(), right_->inputs());
}

template <class Real>
Index Fork<Real>::kept(Index rows) const {
  return branch_size(*left_, rows) + branch_size(*right_, rows);
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
                         Real* keep) const {
  Index column = 0;
  for (const Layer<Real>* branch : {left_.get(), right_.get()}) {
    const View<Real> part{keep, x.rows, branch->outputs()};
    branch->forward(parameters, x, part, keep + 2 * part.size() + x.size());
    for (Index r = 0; r < x.rows; ++r) std::copy_n(part.row(r), part.cols, y.row(r) + column);
    column += part.cols;
    keep += branch_size(*branch, x.rows);
  }
}

template <class Real>
void Fork<Real>::backward(const Real* parameters, View<const Real> x, View<const Real> /*y*/,
                          Real* keep, View<Real> dy, Real* dx, Real* gradient) const {
  if (dx != nullptr) std::fill_n(dx, x.size(), Real{0});
  Index column = 0;
  for (const Layer<Real>* branch : {left_.get(), right_.get()}) {
    const View<Real> part{keep, x.rows, branch->outputs()};
    const View<Real> dpart{part.data + part.size(), x.rows, branch->outputs()};
    Real* const dx_part = dx == nullptr ? nullptr : dpart.data + dpart.size();
    for (Index r = 0; r < x.rows; ++r) std::copy_n(dy.row(r) + column, part.cols, dpart.row(r));
    branch->backward(parameters, x, part, dpart.data + dpart.size() + x.size(), dpart, dx_part,
                     gradient);
    if (dx != nullptr) kernel::axpy(Real{1}, dx_part, dx, x.size());
    column += part.cols;
    keep += branch_size(*branch, x.rows);
  }
}

template class Fork<float>;
template class Fork<double>;

}  // namespace probmix
