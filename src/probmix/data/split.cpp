#include "probmix/data/split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "probmix/base/error.hpp"
#include "probmix/base/random.hpp"

namespace probmix {

Split random_split(Index n, double fraction, std::uint64_t seed) {
  check_usage(fraction >= 0 && fraction < 1, "the validation fraction must lie in [0, 1), not {}",
              fraction);
  check(n >= 1 && (fraction == 0 || n >= 2), "{} rows cannot be split into two parts", n);
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  Stream stream(seed, Purpose::split);
  shuffle(order.begin(), static_cast<std::uint32_t>(n), stream);

  auto held_out = static_cast<Index>(std::llround(fraction * static_cast<double>(n)));
  if (fraction > 0) held_out = std::clamp<Index>(held_out, 1, n - 1);
  Split split;
  split.validation.assign(order.begin(), order.begin() + held_out);
  split.train.assign(order.begin() + held_out, order.end());
  std::ranges::sort(split.validation);
  std::ranges::sort(split.train);
  return split;
}

}  // namespace probmix
