// Expectations by brute force: a sum over a discrete support; for a continuous one a Gauss rule on
// many short intervals of the kernel coordinate, split at the median, where a density may have a
// kink; and an atom, if there is one.
#pragma once

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "family/cases.hpp"

namespace probmix::test {

// Nodes and weights of ∫ dv from `low` to `high`.
inline void add_nodes(double low, double high, int pieces,
                      std::vector<std::pair<double, double>>& nodes) {
  using Rule = boost::math::quadrature::gauss<double, 10>;  // of [−1, 1], the nodes above 0
  const double half = (high - low) / (2 * pieces);
  for (int p = 0; p < pieces; ++p) {
    const double centre = low + (2 * p + 1) * half;
    for (std::size_t k = 0; k < Rule::abscissa().size(); ++k) {
      for (const double sign : {-1.0, 1.0}) {
        nodes.emplace_back(centre + sign * half * Rule::abscissa()[k], half * Rule::weights()[k]);
      }
    }
  }
}

// Calls visit(y, p(y) · volume) over the support.
template <class F>
void for_each_mass(const Placed<F>& at,
                   const std::function<void(const std::vector<double>&, double)>& visit) {
  const auto responses = static_cast<std::size_t>(at.family.responses());
  std::vector<double> y(responses);
  if (at.family.discrete) {
    double low = 0;
    double high = at.family.classes() - 1;
    if (at.family.classes() == 0) {  // the mean, 40 standard deviations and 60 counts around it
      double mean = 0;
      double variance = 0;
      at.family.mean(at.phi.data(), &mean);
      at.family.variance(at.phi.data(), &variance);
      const double reach = 40 * std::sqrt(variance) + 60;
      low = std::max(0.0, std::floor(mean - reach));
      high = std::ceil(mean + reach);
    }
    for (y[0] = low; y[0] <= high; ++y[0]) visit(y, std::exp(at.log_density(y.data())));
    return;
  }
  if constexpr (has_atom<F>) visit(y, std::exp(at.log_density(y.data())));
  if constexpr (requires { Cases<F>::jacobian(0.0); }) {
    const int pieces = responses == 1 ? 200 : 15;  // on either side of the median
    std::vector<std::vector<std::pair<double, double>>> nodes(responses);
    for (std::size_t k = 0; k < responses; ++k) {
      const auto place = [&](double u) {
        return kernel_coordinate(at.family, at.smooth_quantile(static_cast<int>(k), u));
      };
      add_nodes(place(1e-15), place(0.5), pieces, nodes[k]);
      add_nodes(place(0.5), place(1 - 1e-15), pieces, nodes[k]);
    }
    const std::function<void(std::size_t, double)> grid = [&](std::size_t k, double volume) {
      if (k == responses) return visit(y, std::exp(at.log_density(y.data())) * volume);
      for (const auto& [v, weight] : nodes[k]) {
        y[k] = from_kernel_coordinate(at.family, v);
        grid(k + 1, volume * weight * Cases<F>::jacobian(y[k]));
      }
    };
    grid(0, 1);
  }
}

}  // namespace probmix::test
