// The paper's illustrative example: what mixup and ProbMix ask of a model that is already perfect.
//
// The truth is y = x³ + (½x² + 1) ε, and the model knows it. For two observations and a λ, Mix
// evaluates the density at the mixed input, ProbMix the pooled density of the two inputs, both at
// the target λ y_1 + (1−λ) y_2. The losses come from the training step itself.
#pragma once

#include <array>

namespace probmix {

struct JudgedDensity {
  double mean = 0;
  double variance = 0;
  double nll = 0;
};

struct Illustration {
  double lambda = 0.8;
  std::array<double, 2> x{5, -5};
  std::array<double, 2> y{130, -120};
  double target = 0;
  std::array<JudgedDensity, 2> points;  // the plain densities of the two observations
  JudgedDensity mix, probmix, probmix_linear;
};

// λ in [0, 1].
Illustration illustrate(double lambda = 0.8);

}  // namespace probmix
