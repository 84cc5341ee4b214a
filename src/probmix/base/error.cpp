#include "probmix/base/error.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace probmix {

void check_positive(std::string_view what, double value) {
  check_usage(value > 0, "{} must be greater than 0, but it is {}", what, value);
}

void check_non_negative(std::string_view what, double value) {
  check_usage(value >= 0 && std::isfinite(value),
              "{} must be a finite number of at least 0, but it is {}", what, value);
}

void check_probability(std::string_view what, double value) {
  check_usage(value >= 0 && value <= 1, "{} must lie in [0, 1], but it is {}", what, value);
}

void check_range(std::string_view what, long long value, long long low, long long high) {
  check_usage(value >= low && value <= high, "{} must lie in [{}, {}], but it is {}", what, low,
              high, value);
}

std::size_t check_choice(std::string_view what, std::string_view name,
                         std::span<const std::string_view> accepted) {
  const auto found = std::ranges::find(accepted, name);
  check_usage(found != accepted.end(), "unknown {} '{}'; accepted: {}", what, name,
              fmt::join(accepted, ", "));
  return static_cast<std::size_t>(found - accepted.begin());
}

}  // namespace probmix
