// The branches of a transformer: a residual block adds the output of one, attention or a
// feed-forward network at each step, to its stream of sequences.
#pragma once

#include <memory>
#include <optional>

#include "probmix/kernel/activation.hpp"
#include "probmix/nn/attention.hpp"
#include "probmix/nn/dropout.hpp"

namespace probmix {

template <class Real>
class Branch {
 public:
  virtual ~Branch() = default;

  // As for a layer.
  virtual Index kept() const = 0;
  virtual Index scratch() const = 0;
  virtual void declare(ParameterTable& table, const std::string& name) = 0;
  virtual void initialise(Real* parameters, Stream& stream) const = 0;

  // Overwrites y. `source`: the other sequences that a cross-attention reads, of the shape of x.
  virtual void forward(const Real* parameters, View<const Real> x, const Real* source, View<Real> y,
                       Memory<Real> memory) const = 0;

  // d holds the gradient of the sum x + y and receives that of x. Accumulates into dsource and
  // `gradient`; may overwrite what was kept.
  virtual void backward(const Real* parameters, View<const Real> x, const Real* source,
                        Memory<Real> memory, View<Real> d, Real* dsource, Real* gradient) const = 0;
};

template <class Real>
class AttentionBranch final : public Branch<Real> {
 public:
  // `dropout`: of the weights and of the output.
  AttentionBranch(Index steps, Index width, Index heads, bool crossed, double dropout);

  Index kept() const override { return attention_.kept() + dropped(); }
  Index scratch() const override { return attention_.scratch() + dropped(); }
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override {
    attention_.initialise(parameters, stream);
  }
  void forward(const Real* parameters, View<const Real> x, const Real* source, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, const Real* source, Memory<Real> memory,
                View<Real> d, Real* dsource, Real* gradient) const override;

 private:
  Index dropped() const { return dropout_ ? dropout_->outputs() : 0; }

  Attention<Real> attention_;
  std::optional<Dropout<Real>> dropout_;  // of the output
};

template <class Real>
class FeedForwardBranch final : public Branch<Real> {
 public:
  FeedForwardBranch(Index steps, Index width, Index hidden, Activation activation, double dropout);

  Index kept() const override { return layers_->kept(); }
  Index scratch() const override { return layers_->scratch() + layers_->inputs(); }
  void declare(ParameterTable& table, const std::string& name) override {
    layers_->declare(table, name);
  }
  void initialise(Real* parameters, Stream& stream) const override {
    layers_->initialise(parameters, stream);
  }
  void forward(const Real* parameters, View<const Real> x, const Real* source, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, const Real* source, Memory<Real> memory,
                View<Real> d, Real* dsource, Real* gradient) const override;

 private:
  std::shared_ptr<Layer<Real>> layers_;
};

extern template class AttentionBranch<float>;
extern template class AttentionBranch<double>;
extern template class FeedForwardBranch<float>;
extern template class FeedForwardBranch<double>;

}  // namespace probmix
