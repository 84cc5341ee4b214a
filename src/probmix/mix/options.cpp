#include "probmix/mix/options.hpp"

#include "probmix/base/error.hpp"

namespace probmix {

void check_options(const MixOptions& options) {
  check_positive("alpha", options.alpha);
  check_non_negative("beta", options.beta);
  check_range("draws (K)", options.draws, 1, MixOptions::most_draws);
  check_range("neighbours (K)", options.neighbours, 1, MixOptions::most_neighbours);
}

}  // namespace probmix
