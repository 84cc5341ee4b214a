// Adam and plain gradient descent on the one array of parameters, with clipping by the norm and
// decoupled weight decay (Loshchilov & Hutter 2019). Along a path (ParameterPath) they train the
// differences of its rows.
#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "probmix/base/matrix.hpp"
#include "probmix/kernel/adam.hpp"
#include "probmix/nn/parameters.hpp"

namespace probmix {

enum class OptimiserKind { adam, gradient_descent };
inline constexpr std::array<std::string_view, 2> optimiser_names = {"adam", "gradient-descent"};

struct OptimiserOptions {
  OptimiserKind kind = OptimiserKind::adam;
  std::optional<double> learning_rate = 0.005;  // unset: chosen by the code that knows the network
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double clip = 0;  // largest norm of a gradient; 0: not clipped
  // Each step first multiplies the weights (Parameter::is_weight) by 1 − learning rate · this.
  double weight_decay = 0;
};

// Throws a UsageError that names the option, its value and what is accepted.
void check_options(const OptimiserOptions& options);

template <class Real>
class Optimiser {
 public:
  // What it has seen so far: the moments of Adam, which gradient descent does without.
  struct State {
    Index steps = 0;
    AlignedVector<Real> m = {}, v = {};
  };

  Optimiser(const OptimiserOptions& options, const ParameterTable& parameters);

  // Updates the parameters, with the learning rate times `rate_factor`. Returns the norm of the
  // gradient before clipping; when it is not finite nothing is changed, and the caller must not go
  // on. Overwrites the gradient along paths.
  double operator()(Real* gradient, Real* parameters, double rate_factor = 1);

  const State& state() const { return state_; }
  // Resumes from a state of the same optimiser; any other is an Error.
  void restore(const State& state);

 private:
  struct Range {
    Index first, count;
  };

  void decay(double rate, Real* parameters) const;
  kernel::AdamCoefficients coefficients(double rate, double scale) const;
  void update(Range range, const kernel::AdamCoefficients& c, const Real* gradient,
              Real* parameters);

  OptimiserOptions options_;
  Index size_;
  std::vector<ParameterPath> paths_;
  std::vector<Range> decaying_;  // empty without weight decay
  AlignedVector<Real>
      moved_;  // by how much a row of a path changes: the sum of all differences up to it
  State state_;
};

extern template class Optimiser<float>;
extern template class Optimiser<double>;

}  // namespace probmix
