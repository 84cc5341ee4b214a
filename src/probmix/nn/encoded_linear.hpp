// A linear layer whose number inputs are also encoded: y = act(x Wᵀ + b + Σ_c f_c(x_c)), where f_c
// is a piecewise-linear function of one input with knots at its quantiles (Gorishniy, Rubachev and
// Babenko 2022). A network of few layers can so follow sharp changes in single inputs.
//
// The parameters are the values of f_c at its knots; a row reads two of them. The optimiser trains
// their differences (ParameterTable::add_path), which is the same as training on the usual encoding
// with a one for every knot below x.
#pragma once

#include <vector>

#include "probmix/kernel/bias_activation.hpp"
#include "probmix/kernel/knots.hpp"
#include "probmix/nn/layer.hpp"
#include "probmix/nn/weight.hpp"

namespace probmix {

// The knots of an input, increasing.
struct NumberKnots {
  static constexpr Index most = 1 << 10;

  Index input = 0;
  std::vector<float> knots = {};

  bool operator==(const NumberKnots&) const = default;
};

// Throws a UsageError unless every input is there, has 2 to `most` finite and increasing knots, and
// is encoded once.
void check_knots(const std::vector<NumberKnots>& encoded, Index inputs);

template <class Real>
class EncodedLinear final : public Layer<Real> {
 public:
  // The activation may apply to the first outputs only, as in Linear.
  EncodedLinear(Index inputs, Index outputs, kernel::ColumnActivation activation,
                const std::vector<NumberKnots>& encoded);
  EncodedLinear(const EncodedLinear&) = delete;
  EncodedLinear& operator=(const EncodedLinear&) = delete;

  Index inputs() const override { return weight_.inputs; }
  Index outputs() const override { return weight_.outputs; }
  Index kept() const override;
  void declare(ParameterTable& table, const std::string& name) override;
  void initialise(Real* parameters, Stream& stream) const override;
  void forward(const Real* parameters, View<const Real> x, View<Real> y,
               Memory<Real> memory) const override;
  void backward(const Real* parameters, View<const Real> x, View<const Real> y, Memory<Real> memory,
                View<Real> dy, Real* dx, Real* gradient) const override;

 private:
  Index places() const { return 2 * std::ssize(columns_); }  // numbers per row
  void add_input_gradient(const Real* parameters, View<const Real> x, const Real* place,
                          View<const Real> dy, Real* dx) const;

  kernel::ColumnActivation activation_;
  Weight weight_;
  Index bias_ = 0;    // offset
  Index values_ = 0;  // offset of the values at knots [all knots but the first of each, outputs]
  std::vector<Real> knots_;  // of all columns, padded
  std::vector<kernel::KnotColumn<Real>> columns_;
};

extern template class EncodedLinear<float>;
extern template class EncodedLinear<double>;

}  // namespace probmix
