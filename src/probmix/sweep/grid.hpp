// The values of α, β and the pooling that a study tries.
#pragma once

#include <vector>

#include "probmix/mix/options.hpp"

namespace probmix {

struct Grid {
  std::vector<double> alpha = {0.1};
  std::vector<double> beta = {0};
  std::vector<Pooling> pooling = {Pooling::log_linear};

  // All combinations, with the other options as given.
  std::vector<MixOptions> settings(MixOptions options) const {
    std::vector<MixOptions> all;
    for (const Pooling p : pooling) {
      for (const double b : beta) {
        for (const double a : alpha) {
          options.pooling = p;
          options.beta = b;
          options.alpha = a;
          all.push_back(options);
        }
      }
    }
    return all;
  }
};

}  // namespace probmix
