// Two layers on the same input, their outputs side by side: y = [left(x), right(x)].
// (The mean and the separate variance network of a random embedding.)
#pragma once

#include <algorithm>
#include <memory>

#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
class Fork final : public Layer<Real> {
 public:
  Fork(std::shared_ptr<Layer<Real>> left, std::shared_ptr<Layer<Real>> right);

  Index inputs() const override { return left_->inputs(); }
  Index outputs() const override { return left_->outputs() + right_->outputs(); }
  Index kept() const override;
  Index scratch() const override;
  Index steps() const override { return std::max(left_->steps(), right_->steps()); }
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index branch_scratch() const;

  std::shared_ptr<Layer<Real>> left_;
  std::shared_ptr<Layer<Real>> right_;
};

extern template class Fork<float>;
extern template class Fork<double>;

}  // namespace probmix
