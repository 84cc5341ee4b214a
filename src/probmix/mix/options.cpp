#include "probmix/mix/options.hpp"

#include "probmix/base/error.hpp"

namespace probmix {

void check_options(const MixOptions& options) {
  check_positive("alpha", options.alpha);
  check_non_negative("beta", options.beta);
  check_range("draws (K)", options.draws, 1, 1 << 16);
  check_usage(options.neighbours >= 1, "neighbours (K) must be at least 1, not {}",
              options.neighbours);
}

}  // namespace probmix
