// Expectations by brute force: a sum over a discrete support, the trapezoid rule in the kernel
// coordinate for a continuous one (a density that decays at both ends: errors fall exponentially).
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "family/cases.hpp"

namespace probmix::test {

// Calls visit(y, p(y) · volume) over the support.
template <class F>
void for_each_mass(const Placed<F>& at,
                   const std::function<void(const std::vector<double>&, double)>& visit) {
  const auto responses = static_cast<std::size_t>(at.family.responses());
  std::vector<double> y(responses);
  if constexpr (F::discrete) {
    double low = 0;
    double high = at.family.classes() - 1;
    if (at.family.classes() == 0) {  // the mean, 12 standard deviations and 60 counts around it
      double mean = 0;
      double variance = 0;
      at.family.mean(at.phi.data(), &mean);
      at.family.variance(at.phi.data(), &variance);
      const double reach = 12 * std::sqrt(variance) + 60;
      low = std::max(0.0, std::floor(mean - reach));
      high = std::ceil(mean + reach);
    }
    for (y[0] = low; y[0] <= high; ++y[0]) visit(y, std::exp(at.log_density(y.data())));
  } else {
    const int steps = responses == 1 ? 4000 : 300;
    std::vector<double> low(responses), width(responses);
    for (std::size_t k = 0; k < responses; ++k) {
      const int column = static_cast<int>(k);
      low[k] = at.family.kernel_coordinate(at.quantile(column, 1e-15));
      width[k] = (at.family.kernel_coordinate(at.quantile(column, 1 - 1e-15)) - low[k]) / steps;
    }
    const std::function<void(std::size_t, double)> grid = [&](std::size_t k, double volume) {
      if (k == responses) return visit(y, std::exp(at.log_density(y.data())) * volume);
      for (int i = 0; i <= steps; ++i) {
        y[k] = at.family.from_kernel_coordinate(low[k] + i * width[k]);
        grid(k + 1, volume * width[k] * Cases<F>::jacobian(y[k]));
      }
    };
    grid(0, 1);
  }
}

}  // namespace probmix::test
