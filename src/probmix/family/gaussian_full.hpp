// Gaussian with a full covariance, d dependent responses: φ = (Λµ, −½Λ_kk, −Λ_kj for j < k) with
// the precision Λ = Σ⁻¹, T = (y, y_k², y_k y_j), h = (2π)^{-d/2}.
//
// Outputs (µ_1..µ_d, s_1..s_d, o_21, o_31, o_32, ..) give the Cholesky factor of the precision,
// Λ = L Lᵀ with L_kj = −c_kj/σ_k and L_kk = 1/σ_k: σ_j² = positive(s_j) is the variance of y_j when
// all later responses are known, and y_j/σ_j then depends on y_k/σ_k by c_kj. c = o up to a limit:
// like the floor of a variance, it keeps a density from collapsing, onto a line. Homoscedastic: one
// covariance for all rows.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "probmix/base/random.hpp"
#include "probmix/family/gaussian.hpp"
#include "probmix/family/options.hpp"
#include "probmix/family/response.hpp"

namespace probmix {

struct GaussianFull {
  static constexpr std::string_view name = "gaussian-full";
  static constexpr bool discrete = false;
  static constexpr bool outputs_begin_with_mean = true;
  static constexpr bool responses_depend = true;
  // Every row costs d³ operations, and scratch is on the stack.
  static constexpr int most_responses = 16;

  int d = 1;
  bool homoscedastic = false;
  Positive positive{};

  static GaussianFull make(const FamilyOptions& options) {
    check_usage(options.responses >= 1 && options.responses <= most_responses,
                "the {} family models 1 to {} response columns, not {}; take gaussian, for which "
                "they are independent",
                name, most_responses, options.responses);
    check_floor(options.positive);
    return {options.responses, options.homoscedastic, options.positive};
  }

  std::string support_text() const { return "real numbers"; }
  int outputs() const { return 2 * d + d * (d - 1) / 2; }
  int free_outputs() const { return homoscedastic ? outputs() - d : 0; }
  int parameters() const { return outputs(); }
  int responses() const { return d; }
  int classes() const { return 0; }
  int moments() const { return d; }

  static Scaling scaling(const Spread& spread) { return standardised(spread); }

  bool in_support(const double* y) const {
    return std::all_of(y, y + d, [](double v) { return std::isfinite(v); });
  }

  void link(const double* out, double* phi) const {
    const Factor factor = factor_of_outputs(out);
    for (int k = 0; k < d; ++k) phi[k] = 0;
    for (int k = 0; k < d; ++k) {
      for (int j = 0; j <= k; ++j) {
        const double precision = product(factor, k, j);
        phi[at(k, j)] = k == j ? -0.5 * precision : -precision;
        phi[k] += precision * out[j];
        if (j < k) phi[j] += precision * out[k];
      }
    }
  }

  void link_backward(const double* out, const double* dphi, double* dout) const {
    const Factor factor = factor_of_outputs(out);
    Square dprecision;  // 2 ∂/∂Λ_kk, and ∂/∂Λ_kj at (k, j) and (j, k)
    std::fill_n(dout, d, 0.0);
    for (int k = 0; k < d; ++k) {
      for (int j = 0; j <= k; ++j) {
        const double precision = product(factor, k, j);
        dprecision[k][j] = dprecision[j][k] = out[j] * dphi[k] + out[k] * dphi[j] - dphi[at(k, j)];
        dout[k] += precision * dphi[j];
        if (j < k) dout[j] += precision * dphi[k];
      }
    }
    for (int k = 0; k < d; ++k) {
      const double root = factor[k][k];  // 1/σ_k, which scales row k of L
      double droot = 0;
      for (int j = 0; j <= k; ++j) {
        double dfactor = 0;
        for (int i = j; i < d; ++i) dfactor += dprecision[k][i] * factor[i][j];
        droot += dfactor * factor[k][j] / root;
        if (j < k) dout[at(k, j)] = -dfactor * root * limited_derivative(out[at(k, j)]);
      }
      dout[at(k, k)] = -0.5 * root * root * root * droot * positive.derivative(out[at(k, k)]);
    }
  }

  // A = ½ µᵀΛµ − ½ log |Λ|.
  double log_normaliser(const double* phi) const {
    const Factor factor = factor_of(phi);
    Row x;
    std::copy_n(phi, d, x.values);
    solve(factor, x);
    double a = 0;
    for (int k = 0; k < d; ++k) a += 0.5 * x[k] * x[k] - std::log(factor[k][k]);
    return a;
  }

  void mean_statistic(const double* phi, double* t) const {
    const Factor factor = factor_of(phi);
    const Row mu = mean_of(factor, phi);
    Square columns;  // of L⁻¹, whose products make up Σ
    for (int k = 0; k < d; ++k) columns[k] = inverse_column(factor, k);
    for (int k = 0; k < d; ++k) {
      t[k] = mu[k];
      for (int j = 0; j <= k; ++j) {
        t[at(k, j)] = mu[k] * mu[j] + product_from(columns[k], columns[j], k);
      }
    }
  }

  void add_statistic(double weight, const double* y, double* t) const {
    for (int k = 0; k < d; ++k) {
      t[k] += weight * y[k];
      for (int j = 0; j <= k; ++j) t[at(k, j)] += weight * y[k] * y[j];
    }
  }

  double log_base(const double*) const { return -d * half_log_2pi; }

  // By residuals: φ·T − A would cancel terms of size µᵀΛµ.
  double log_density(const double* phi, double, const double* y) const {
    const Factor factor = factor_of(phi);
    Row residual = mean_of(factor, phi);
    for (int k = 0; k < d; ++k) residual[k] = y[k] - residual[k];
    double sum = 0;
    for (int j = 0; j < d; ++j) {
      double z = 0;  // of Lᵀ (y − µ)
      for (int k = j; k < d; ++k) z += factor[k][j] * residual[k];
      sum += std::log(factor[j][j]) - 0.5 * z * z;
    }
    return sum - d * half_log_2pi;
  }

  // y = µ + L⁻ᵀ z has the covariance (L Lᵀ)⁻¹.
  void sample(const double* phi, Stream& stream, double* y) const {
    const Factor factor = factor_of(phi);
    Row x;
    for (int k = 0; k < d; ++k) x[k] = stream.normal();
    solve_transposed(factor, x);
    const Row mu = mean_of(factor, phi);
    for (int k = 0; k < d; ++k) y[k] = mu[k] + x[k];
  }

  void mean(const double* phi, double* m) const {
    const Row mu = mean_of(factor_of(phi), phi);
    std::copy_n(mu.values, d, m);
  }

  void variance(const double* phi, double* v) const {
    const Factor factor = factor_of(phi);
    for (int k = 0; k < d; ++k) {
      const Row column = inverse_column(factor, k);
      v[k] = product_from(column, column, k);
    }
  }

  double covariance(const double* phi, int k, int j) const {
    const Factor factor = factor_of(phi);
    return product_from(inverse_column(factor, k), inverse_column(factor, j), std::max(k, j));
  }

  // A single response is Gaussian, and its functions are that family's.
  double log_marginal(const double* phi, int column, double y) const {
    return Gaussian{}.log_marginal(marginal(phi, column).data(), 0, y);
  }
  double mean_distance(const double* phi, int column, double y) const {
    return Gaussian{}.mean_distance(marginal(phi, column).data(), 0, y);
  }
  double mean_distance(const double* phi, const double* other, int column) const {
    return Gaussian{}.mean_distance(marginal(phi, column).data(), marginal(other, column).data(),
                                    0);
  }
  double cdf(const double* phi, int column, double y) const {
    return Gaussian{}.cdf(marginal(phi, column).data(), 0, y);
  }
  double quantile(const double* phi, int column, double u) const {
    return Gaussian{}.quantile(marginal(phi, column).data(), 0, u);
  }

 private:
  static constexpr double half_log_2pi = 0.91893853320467274178;
  static constexpr double largest_dependence = 32;  // of two responses: a correlation of 0.9995
  static constexpr double smallest_pivot = 1e-14;   // in diagonal entries of Λ

  struct Row {
    double values[most_responses];
    double& operator[](int k) { return values[k]; }
    double operator[](int k) const { return values[k]; }
  };
  struct Square {
    Row rows[most_responses];
    Row& operator[](int k) { return rows[k]; }
    const Row& operator[](int k) const { return rows[k]; }
  };
  using Factor = Square;  // the lower triangle of L

  // The place of output and parameter (k, j), j <= k, behind the d means.
  int at(int k, int j) const { return k == j ? d + k : 2 * d + k * (k - 1) / 2 + j; }

  static double limited(double o) {
    const double share = o / largest_dependence;
    return o / std::sqrt(1 + share * share);
  }
  static double limited_derivative(double o) {
    const double share = o / largest_dependence;
    const double root = std::sqrt(1 + share * share);
    return 1 / (root * root * root);
  }

  Factor factor_of_outputs(const double* out) const {
    Factor factor;
    for (int k = 0; k < d; ++k) {
      factor[k][k] = 1 / std::sqrt(positive.value(out[at(k, k)]));
      for (int j = 0; j < k; ++j) factor[k][j] = -limited(out[at(k, j)]) * factor[k][k];
    }
    return factor;
  }

  // (L Lᵀ)_kj, j <= k.
  static double product(const Factor& factor, int k, int j) {
    double sum = 0;
    for (int i = 0; i <= j; ++i) sum += factor[k][i] * factor[j][i];
    return sum;
  }

  // The limits hold by themselves for a positive definite Λ, but for rounding.
  Factor factor_of(const double* phi) const {
    Factor factor;
    for (int k = 0; k < d; ++k) {
      const double diagonal = -2 * phi[at(k, k)];
      const double largest = std::sqrt(diagonal);
      for (int j = 0; j < k; ++j) {
        double rest = -phi[at(k, j)];
        for (int i = 0; i < j; ++i) rest -= factor[k][i] * factor[j][i];
        factor[k][j] = std::clamp(rest / factor[j][j], -largest, largest);
      }
      double pivot = diagonal;
      for (int i = 0; i < k; ++i) pivot -= factor[k][i] * factor[k][i];
      factor[k][k] = std::sqrt(std::max(pivot, smallest_pivot * diagonal));
    }
    return factor;
  }

  // x becomes L⁻¹ x; from row `first` on, where all entries of x before are 0.
  void solve(const Factor& factor, Row& x, int first = 0) const {
    for (int k = first; k < d; ++k) {
      for (int j = first; j < k; ++j) x[k] -= factor[k][j] * x[j];
      x[k] /= factor[k][k];
    }
  }

  // x becomes L⁻ᵀ x.
  void solve_transposed(const Factor& factor, Row& x) const {
    for (int k = d - 1; k >= 0; --k) {
      for (int j = k + 1; j < d; ++j) x[k] -= factor[j][k] * x[j];
      x[k] /= factor[k][k];
    }
  }

  Row mean_of(const Factor& factor, const double* phi) const {
    Row x;
    std::copy_n(phi, d, x.values);
    solve(factor, x);
    solve_transposed(factor, x);
    return x;
  }

  // Column k of L⁻¹, whose entries before k are 0.
  Row inverse_column(const Factor& factor, int k) const {
    Row x{};
    x[k] = 1;
    solve(factor, x, k);
    return x;
  }

  double product_from(const Row& a, const Row& b, int first) const {
    double sum = 0;
    for (int i = first; i < d; ++i) sum += a[i] * b[i];
    return sum;
  }

  // The natural parameters of one response's Gaussian.
  std::array<double, 2> marginal(const double* phi, int column) const {
    const Factor factor = factor_of(phi);
    const Row x = inverse_column(factor, column);
    const double precision = 1 / product_from(x, x, column);
    return {mean_of(factor, phi)[column] * precision, -0.5 * precision};
  }
};

}  // namespace probmix
