// From a real network output to a positive parameter (a variance, a mean, a shape):
// positive(x) = exp(x) + floor, or log(1 + e^x) + floor.
//
// The floor keeps a density from collapsing onto a training point. exp continues by its tangent
// above x = 40 (safe_exp), so neither kind overflows.
#pragma once

#include <array>
#include <string_view>

#include "probmix/base/error.hpp"
#include "probmix/math/special.hpp"

namespace probmix {

struct Positive {
  enum class Kind { exp, softplus };
  static constexpr std::array<std::string_view, 2> kind_names{"exp", "softplus"};  // as in Kind
  static constexpr double smallest_floor = 1e-12;

  Kind kind = Kind::exp;
  double floor = 1e-4;

  double value(double x) const { return floor + (kind == Kind::exp ? safe_exp(x) : softplus(x)); }

  double derivative(double x) const {
    return kind == Kind::exp ? safe_exp_derivative(x) : sigmoid(x);
  }
};

// Squares and reciprocals of what value() gives must stay finite.
inline void check_floor(const Positive& positive) {
  check_usage(positive.floor >= Positive::smallest_floor && std::isfinite(positive.floor),
              "the floor of variances and other positive parameters must be a finite number of at "
              "least {}, but it is {}",
              Positive::smallest_floor, positive.floor);
}

}  // namespace probmix
