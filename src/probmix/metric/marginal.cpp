#include "probmix/metric/marginal.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "probmix/metric/scores.hpp"

namespace probmix {
namespace {

constexpr Index most_rows = 4000;

// dφ += ∂ log p(y) / ∂φ.
template <Density F>
void add_gradient_of(const F& family, const double* phi, const double* y,
                     std::vector<double>& expected, double* dphi) {
  if constexpr (NaturalForm<F>) {
    family.mean_statistic(phi, expected.data());
    family.add_statistic(1.0, y, dphi);
    for (std::size_t k = 0; k < expected.size(); ++k) dphi[k] -= expected[k];
  } else {
    family.add_gradient(1.0, phi, y, dphi);
  }
}

// By Adam with a falling rate, from outputs of zero: responses are scaled to about one.
template <Density F>
std::vector<double> maximum_likelihood(const F& family, View<const double> y) {
  constexpr int steps = 400;
  const Index stride = (y.rows + most_rows - 1) / most_rows;
  std::vector<double> out(to_size(family.outputs())), gradient(out.size());
  std::vector<double> m(out.size()), v(out.size());
  std::vector<double> phi(to_size(family.parameters())), dphi(phi.size()), expected(phi.size());
  for (int step = 1; step <= steps; ++step) {
    family.link(out.data(), phi.data());
    std::ranges::fill(dphi, 0.0);
    Index rows = 0;
    for (Index r = 0; r < y.rows; r += stride, ++rows) {
      add_gradient_of(family, phi.data(), y.row(r), expected, dphi.data());
    }
    for (double& d : dphi) d /= static_cast<double>(rows);
    family.link_backward(out.data(), dphi.data(), gradient.data());
    const double rate = 0.1 * (1 - static_cast<double>(step - 1) / steps);
    for (std::size_t k = 0; k < out.size(); ++k) {
      m[k] = 0.9 * m[k] + 0.1 * gradient[k];
      v[k] = 0.99 * v[k] + 0.01 * gradient[k] * gradient[k];
      const double unbiased_m = m[k] / (1 - std::pow(0.9, step));
      const double unbiased_v = v[k] / (1 - std::pow(0.99, step));
      out[k] += rate * unbiased_m / (std::sqrt(unbiased_v) + 1e-12);
    }
  }
  return out;
}

// Frequencies, with half an observation more of each class.
std::vector<double> class_outputs(Index classes, int outputs, View<const double> y) {
  std::vector<double> count(to_size(classes), 0.5);
  for (Index r = 0; r < y.rows; ++r) count[to_size(static_cast<Index>(y(r, 0)))] += 1;
  if (outputs == 1) return {std::log(count[1] / count[0])};
  for (double& c : count) c = std::log(c);
  return count;
}

}  // namespace

std::vector<double> fit_marginal(const Family& family, View<const double> y) {
  return std::visit(
      [&](const auto& f) {
        return f.classes() > 0 ? class_outputs(f.classes(), f.outputs(), y)
                               : maximum_likelihood(f, y);
      },
      family);
}

double marginal_nll(const Family& family, const std::vector<double>& outputs,
                    View<const double> y) {
  Matrix<double> out(y.rows, std::ssize(outputs));
  for (Index r = 0; r < y.rows; ++r) std::ranges::copy(outputs, out.row(r));
  return score(family, std::as_const(out).view(), 1, y).nll;
}

}  // namespace probmix
