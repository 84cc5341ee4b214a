// How many densities a prediction mixes for each row, and their weights.
#pragma once

#include <span>

#include "probmix/base/matrix.hpp"

namespace probmix {

// The weight of a member as a multiple of an equal share. Weights sum to 1; empty: all are equal.
inline double relative_weight(std::span<const double> weights, Index member) {
  return weights.empty() ? 1 : weights[to_size(member)] * static_cast<double>(std::ssize(weights));
}

struct Members {
  Index count = 1;
  std::span<const double> weights = {};

  Members(Index equal) : count(equal) {}  // NOLINT(google-explicit-constructor): a plain number
  explicit Members(std::span<const double> weighted)
      : count(std::ssize(weighted)), weights(weighted) {}
};

}  // namespace probmix
