// Dropout: in training a number is set to 0 with probability `rate` and otherwise divided by 1 −
// rate; in prediction it is unchanged.
#pragma once

#include "probmix/nn/layer.hpp"

namespace probmix {

// Throws a UsageError unless 0 <= rate < 1.
void check_dropout_rate(double rate);

// The factors (0 or 1 / (1 − rate)) of rows × width numbers in a training step: they depend on a
// row's number in the batch, not on which rows are computed together. All 1 if `random` is null.
// `stream` is the layer's own (ParameterTable::add_stream).
template <class Real>
void dropout_factors(double rate, const Randomness* random, std::uint32_t stream, Index first_row,
                     View<Real> factors);

template <class Real>
class Dropout final : public Layer<Real> {
 public:
  Dropout(Index width, double rate);

  Index inputs() const override { return width_; }
  Index outputs() const override { return width_; }
  Index kept() const override { return width_; }
  void declare(ParameterTable& table, const std::string& /*name*/) override {
    stream_ = table.add_stream();
  }
  void initialise(Real* /*parameters*/, Stream& /*stream*/) const override {}
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index width_;
  double rate_;
  std::uint32_t stream_ = 0;
};

extern template class Dropout<float>;
extern template class Dropout<double>;

}  // namespace probmix
