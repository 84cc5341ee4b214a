// An exponential family p(y) = h(y) exp(φ·T(y) − A(φ)) is a density whose parameters φ are natural:
// pooling log-linearly is a straight line in φ, and the gradient follows from A and T.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "probmix/family/density.hpp"

namespace probmix {

template <class F>
concept ExponentialFamily = Density<F> && NaturalForm<F>;

inline double dot(const double* a, const double* b, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += a[k] * b[k];
  return sum;
}

// log p(y) = φ·T(y) + log h(y) − A(φ). The definition, which allocates: every family's log_density
// is a closed form of it that is faster or more accurate, and the tests compare both.
template <ExponentialFamily F>
double generic_log_density(const F& family, const double* phi, double log_normaliser,
                           const double* y) {
  std::vector<double> t(static_cast<std::size_t>(family.parameters()));
  family.add_statistic(1, y, t.data());
  return dot(phi, t.data(), family.parameters()) + family.log_base(y) - log_normaliser;
}

// dphi += weight · ∂log p(y)/∂φ, for either kind of density; T(y) − ∇A(φ) for an exponential
// family. The training step gathers T over many y instead (mix/density.hpp).
template <Density F>
void add_gradient(const F& family, double weight, const double* phi, const double* y,
                  double* dphi) {
  if constexpr (DirectForm<F>) {
    family.add_gradient(weight, phi, y, dphi);
  } else {
    const auto n = static_cast<std::size_t>(family.parameters());
    std::array<double, 16> few{};
    std::vector<double> many(n <= few.size() ? 0 : n);
    double* const mean = many.empty() ? few.data() : many.data();
    family.mean_statistic(phi, mean);
    family.add_statistic(weight, y, dphi);
    for (std::size_t k = 0; k < n; ++k) dphi[k] -= weight * mean[k];
  }
}

}  // namespace probmix
