// The same layer at each step of a sequence. A row holds the steps one after the other, so the
// layer simply sees more, shorter rows.
#pragma once

#include <memory>
#include <utility>

#include "probmix/base/error.hpp"
#include "probmix/nn/layer.hpp"

namespace probmix {

template <class Real>
class EachStep final : public Layer<Real> {
 public:
  EachStep(std::shared_ptr<Layer<Real>> layer, Index steps)
      : layer_(std::move(layer)), steps_(steps) {
    check_usage(steps >= 1, "a sequence needs at least one step, not {}", steps);
  }

  Index inputs() const override { return steps_ * layer_->inputs(); }
  Index outputs() const override { return steps_ * layer_->outputs(); }
  Index kept() const override { return steps_ * layer_->kept(); }
  Index scratch() const override { return steps_ * layer_->scratch(); }
  Index steps() const override { return steps_ * layer_->steps(); }
  void declare(ParameterTable& table, const std::string& name) override {
    layer_->declare(table, name);
  }
  void initialise(Real* parameters, Stream& stream) const override {
    layer_->initialise(parameters, stream);
  }
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override {
    memory.first *= steps_;
    layer_->forward(parameters, {x.data, x.rows * steps_, layer_->inputs()},
                    {y.data, y.rows * steps_, layer_->outputs()}, memory);
  }
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override {
    memory.first *= steps_;
    layer_->backward(parameters, {x.data, x.rows * steps_, layer_->inputs()},
                     {y.data, y.rows * steps_, layer_->outputs()}, memory,
                     {dy.data, dy.rows * steps_, layer_->outputs()}, dx, gradient);
  }

 private:
  std::shared_ptr<Layer<Real>> layer_;
  Index steps_;
};

}  // namespace probmix
