// Special functions in double: thread-safe, they never throw, and a NaN argument gives NaN.
//
// Where a maximum error is stated, tests/family/special_test.cpp reads the same constant.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace probmix {

// The open ends of (0, infinity) and (0, 1) in double: results that round to a bound move here.
inline constexpr double smallest_positive = std::numeric_limits<double>::min();
inline constexpr double largest_below_one = 1 - std::numeric_limits<double>::epsilon() / 2;

// log(1 + e^x), every real x.
inline double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

// 1 / (1 + e^-x), every real x. For the right tail take 1 − sigmoid(x) = sigmoid(−x).
inline double sigmoid(double x) {
  const double e = std::exp(-std::abs(x));
  return (x < 0 ? e : 1) / (1 + e);
}

// e^x up to x = 40 and its tangent beyond: values and slopes stay finite however far a network
// strays, and the slope never vanishes. e^40 = 2.4e17 exceeds all integers that a double holds.
inline constexpr double exp_tangent_from = 40;
inline double safe_exp(double x) {
  return std::exp(std::min(x, exp_tangent_from)) * (1 + std::max(x - exp_tangent_from, 0.0));
}
inline double safe_exp_derivative(double x) { return std::exp(std::min(x, exp_tangent_from)); }

// log Σ_k e^{x_k}, n >= 1.
inline double log_sum_exp(const double* x, int n) {
  const double largest = *std::max_element(x, x + n);
  if (std::isinf(largest)) return largest;
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += std::exp(x[k] - largest);
  return largest + std::log(sum);
}

// log Γ(x), x > 0. Error relative to max(1, |log Γ(x)|). Unlike std::lgamma, no global sign.
inline constexpr double log_gamma_max_error = 1e-14;
double log_gamma(double x);

// ψ(x) = d log Γ(x) / dx, x > 0. Error relative to max(1, |ψ(x)|).
inline constexpr double digamma_max_error = 1e-14;
double digamma(double x);

// log B(a, b), a, b > 0, free of the cancellation in log Γ(a) + log Γ(b) − log Γ(a + b). Error
// relative to max(1, |log B|).
inline constexpr double log_beta_max_error = 1e-14;
double log_beta(double a, double b);

// log n!, n >= 0: log Γ(n + 1), from a table where n is a small whole number.
double log_factorial(double n);

// log Γ(x + n) − log Γ(x), x > 0, n >= 0, and its derivative in x: free of the cancellation for
// large x, and cheap for small whole n. Errors relative to max(1, |value|).
inline constexpr double log_rising_max_error = 1e-14;
double log_rising(double x, double n);
double log_rising_derivative(double x, double n);

// Standard normal.
double normal_cdf(double z);
double normal_quantile(double u);
double normal_mean_distance(double mean, double deviation);  // E|X| for X ~ N(mean, deviation²)

// Gamma with unit rate: P(shape, x), 1 − P(shape, x), and the inverse of P in x.
double gamma_cdf(double shape, double x);
double gamma_survival(double shape, double x);
double gamma_quantile(double shape, double u);

// Beta: I_y(a, b), 1 − I_y(a, b), and the inverse of I in y. Digits fade for a + b > 1e10, a
// density of width 1e-5.
double beta_cdf(double a, double b, double y);
double beta_survival(double a, double b, double y);
double beta_quantile(double a, double b, double u);

// Student's t with location 0, scale 1 and ν degrees of freedom. c(ν) is its log-density at 0:
// log Γ((ν + 1)/2) − log Γ(ν/2) − ½ log(νπ).
double student_t_log_constant(double freedom);
double student_t_log_constant_derivative(double freedom);
double student_t_cdf(double freedom, double z);
double student_t_quantile(double freedom, double u);

}  // namespace probmix
