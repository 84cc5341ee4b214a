#include "probmix/train/schedule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "probmix/base/error.hpp"

namespace probmix {
namespace {

// From `start` to `end` along half a cosine, as `share` goes from 0 to 1.
double half_cosine(double start, double end, double share) {
  return end + (start - end) * (1 + std::cos(std::numbers::pi * share)) / 2;
}

double one_cycle(double warm_up, double step, double steps) {
  constexpr double first = 1.0 / 25, last = first / 1e4;
  const double peak = std::max(0.0, warm_up * steps - 1);
  if (step < peak) return half_cosine(first, 1, step / peak);
  return half_cosine(1, last, (step - peak) / std::max(1.0, steps - 1 - peak));
}

}  // namespace

void check_options(const ScheduleOptions& options) {
  const double warm_up = options.warm_up_share();
  check_usage(warm_up >= 0 && warm_up < 1,
              "the warm-up must be a share of at least 0 and less than 1, not {}", warm_up);
}

double rate_factor(const ScheduleOptions& options, Index step, Index steps) {
  const auto at = static_cast<double>(step);
  const auto all = static_cast<double>(steps);
  if (options.kind == Schedule::one_cycle) return one_cycle(options.warm_up_share(), at, all);
  const double rise = std::round(options.warm_up_share() * all);
  if (at < rise) return (at + 1) / rise;
  return options.kind != Schedule::cosine ? 1 : half_cosine(1, 0, (at - rise) / (all - rise));
}

}  // namespace probmix
