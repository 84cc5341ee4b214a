// y = act(x Wᵀ + b), W of shape [outputs, inputs] as in PyTorch. The activation may apply to the
// first outputs only: a random embedding has an activated mean and a linear log-variance.
//
// The last `free` outputs are learned constants that do not depend on x (they have a bias and no
// weights): a homoscedastic variance, for example.
#pragma once

#include "probmix/kernel/bias_activation.hpp"
#include "probmix/nn/initial.hpp"
#include "probmix/nn/layer.hpp"
#include "probmix/nn/weight.hpp"

namespace probmix {

template <class Real>
class Linear final : public Layer<Real> {
 public:
  // `initial`: of the weights; biases start as Initial::fan_in, constants at 0.
  Linear(Index inputs, Index outputs, Activation activation, Index free = 0,
         Initial initial = Initial::fan_in);
  // Some outputs are not activated.
  Linear(Index inputs, Index outputs, kernel::ColumnActivation activation);

  Index inputs() const override { return weight_.inputs; }
  Index outputs() const override { return outputs_; }
  Index kept() const override;
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index outputs_;
  kernel::ColumnActivation activation_;
  Initial initial_;
  Weight weight_;   // of the outputs that depend on x
  Index bias_ = 0;  // its offset
};

extern template class Linear<float>;
extern template class Linear<double>;

}  // namespace probmix
