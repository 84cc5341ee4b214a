// The regularised incomplete gamma function for large shapes: Temme (1979), the uniform expansion
//
//   Q(a, x) = ½ erfc(η √(a/2)) + e^{−aη²/2} / √(2πa) · (c_0(η) + c_1(η)/a + ...),
//   ½ η² = λ − 1 − log λ,  sign η = sign(λ − 1),  λ = x/a.
//
// Boost 1.74 takes √a steps here (milliseconds from a = 1e10 on) and is wrong beyond 1e11, where it
// runs out of steps; networks do visit such shapes and rates. Two terms suffice for a >= 1e5.
#pragma once

#include <cmath>
#include <numbers>

namespace probmix {

inline constexpr double large_shape = 1e5;

struct LargeGamma {
  double a;  // shape, at least large_shape

  // P(a, x) and Q(a, x), each from its own small tail.
  double cdf(double x) const {
    const double eta = eta_of(x);
    return 0.5 * std::erfc(-eta * std::sqrt(a / 2)) - correction(eta);
  }
  double survival(double x) const {
    const double eta = eta_of(x);
    return 0.5 * std::erfc(eta * std::sqrt(a / 2)) + correction(eta);
  }

  // x^{a−1} e^{−x} / Γ(a), by Stirling's 1/Γ(a) ≈ (e/a)^a √(a/2π) (1 − 1/(12a)).
  double density(double x) const { return a / x * wave(eta_of(x)) * (1 - 1 / (12 * a)); }

  // Wilson & Hilferty's cube, polished by Newton; z is the standard normal quantile of u.
  double quantile(double u, double z) const {
    double x = a * std::pow(1 - 1 / (9 * a) + z / (3 * std::sqrt(a)), 3);
    for (int step = 0; step < 4; ++step) {
      const double slope = density(x);
      if (slope > 0) x -= (cdf(x) - u) / slope;
    }
    return x;
  }

 private:
  // λ − 1 − log λ = µ − log(1 + µ) = µ²/2 − µ³/3 + ..., by its series where the terms cancel.
  double eta_of(double x) const {
    const double mu = (x - a) / a;
    double half_square = mu - std::log1p(mu);
    if (std::abs(mu) < 0.1) {
      half_square = 0;
      for (int k = 18; k >= 2; --k) half_square = 1.0 / k - mu * half_square;
      half_square *= mu * mu;
    }
    return std::copysign(std::sqrt(2 * half_square), mu);
  }

  double wave(double eta) const {
    return std::exp(-0.5 * a * eta * eta) / std::sqrt(2 * std::numbers::pi * a);
  }

  double correction(double eta) const {
    const double c0 =
        -1.0 / 3 +
        eta * (1.0 / 12 +
               eta * (-2.0 / 135 + eta * (1.0 / 864 + eta * (1.0 / 2835 - eta * 139 / 777600))));
    const double c1 = -1.0 / 540 + eta * (-1.0 / 288 + eta / 378);
    const double w = wave(eta);
    return w > 0 ? w * (c0 + c1 / a) : 0;  // x = 0 has η = −∞
  }
};

}  // namespace probmix
