#include "probmix/metric/mixing_weights.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "probmix/base/error.hpp"
#include "probmix/base/matrix.hpp"

namespace probmix {
namespace {

void normalise(std::vector<double>& weights) {
  double sum = 0;
  for (const double w : weights) sum += w;
  for (double& w : weights) w /= sum;
}

}  // namespace

std::vector<double> mixing_weights(std::span<const std::vector<double>> log_density,
                                   std::span<const double> row_weight) {
  const std::size_t components = log_density.size();
  check(components > 0, "a mixture needs a component");
  const std::size_t rows = log_density.front().size();
  for (const auto& of_one : log_density) check(of_one.size() == rows, "components differ in rows");
  check(row_weight.empty() || row_weight.size() == rows, "{} weights for {} rows",
        row_weight.size(), rows);
  std::vector<double> weights(components, 1 / static_cast<double>(components));
  if (components == 1 || rows == 0) return weights;

  // Densities relative to the largest of the row.
  Matrix<double> density(static_cast<Index>(rows), static_cast<Index>(components));
  for (std::size_t r = 0; r < rows; ++r) {
    double largest = -std::numeric_limits<double>::infinity();
    for (const auto& of_one : log_density) largest = std::max(largest, of_one[r]);
    for (std::size_t c = 0; c < components; ++c) {
      density(static_cast<Index>(r), static_cast<Index>(c)) = std::exp(log_density[c][r] - largest);
    }
  }
  constexpr int most_rounds = 2000;
  constexpr double settled = 1e-7;
  std::vector<double> next(components);
  for (int round = 0; round < most_rounds; ++round) {
    std::ranges::fill(next, 0.0);
    for (std::size_t r = 0; r < rows; ++r) {
      const double* const p = density.row(static_cast<Index>(r));
      double mixed = 0;
      for (std::size_t c = 0; c < components; ++c) mixed += weights[c] * p[c];
      const double v = row_weight.empty() ? 1 : row_weight[r];
      for (std::size_t c = 0; c < components; ++c) next[c] += v * weights[c] * p[c] / mixed;
    }
    normalise(next);
    double moved = 0;
    for (std::size_t c = 0; c < components; ++c) {
      moved = std::max(moved, std::abs(next[c] - weights[c]));
    }
    weights.swap(next);
    if (moved < settled) break;
  }
  return weights;
}

std::vector<double> without_negligible(std::vector<double> weights, double negligible) {
  normalise(weights);
  // Of very many components none may have much.
  const double least = std::min(negligible, 0.5 * std::ranges::max(weights));
  for (double& w : weights) {
    if (w < least) w = 0;
  }
  normalise(weights);
  return weights;
}

}  // namespace probmix
