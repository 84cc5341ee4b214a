// The CRPS of a mixture of members in closed form, where the family has one:
//   E|Y − y| − ½ E|Y − Y'|   from the mean distances of members, for any number of them,
//   crps()                   for a single member.
#pragma once

#include <optional>

#include "probmix/base/matrix.hpp"
#include "probmix/family/density.hpp"
#include "probmix/family/members.hpp"

namespace probmix {

// `phi` holds the parameters of a member in each row; no weights: all are equal.
template <Density F>
std::optional<double> closed_crps(const F& family, View<const double> phi,
                                  std::span<const double> weights, int column, double y) {
  if constexpr (requires { family.closed_crps(phi, weights, column, y); }) {
    return family.closed_crps(phi, weights, column, y);
  } else if constexpr (requires { family.mean_distance(phi.data, phi.data, column); }) {
    double from_y = 0;
    double apart = 0;  // over all pairs of members
    for (Index s = 0; s < phi.rows; ++s) {
      const double weight = relative_weight(weights, s);
      from_y += weight * family.mean_distance(phi.row(s), column, y);
      apart += weight * weight * family.mean_distance(phi.row(s), phi.row(s), column);
      for (Index t = 0; t < s; ++t) {
        apart += 2 * weight * relative_weight(weights, t) *
                 family.mean_distance(phi.row(s), phi.row(t), column);
      }
    }
    const auto count = static_cast<double>(phi.rows);
    return from_y / count - apart / (2 * count * count);
  } else if constexpr (requires { family.crps(phi.data, column, y); }) {
    if (phi.rows == 1) return family.crps(phi.data, column, y);
  }
  return std::nullopt;
}

}  // namespace probmix
