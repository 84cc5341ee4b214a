// The library reports every failure by throwing; it never prints and never exits.
//
// A message is one line that names what is wrong, the value found and what is accepted.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace probmix {

// Any failure with data, files or numbers.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An argument or option that is not accepted; the command line tool exits with code 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// Training left the range of finite numbers because of its options (learning rate, seed), not
// because of the data or the machine. A sweep records it and continues.
class Diverged : public Error {
 public:
  using Error::Error;
};

template <class... Args>
void check(bool holds, fmt::format_string<Args...> message, Args&&... args) {
  if (!holds) [[unlikely]] {
    throw Error(fmt::format(message, std::forward<Args>(args)...));
  }
}

template <class... Args>
void check_usage(bool holds, fmt::format_string<Args...> message, Args&&... args) {
  if (!holds) [[unlikely]] {
    throw UsageError(fmt::format(message, std::forward<Args>(args)...));
  }
}

template <class... Args>
void check_converges(bool holds, fmt::format_string<Args...> message, Args&&... args) {
  if (!holds) [[unlikely]] {
    throw Diverged(fmt::format(message, std::forward<Args>(args)...));
  }
}

// value > 0; infinity is accepted (α → ∞ is a valid law of λ), NaN is not.
void check_positive(std::string_view what, double value);

// 0 <= value < infinity.
void check_non_negative(std::string_view what, double value);

// 0 <= value <= 1.
void check_probability(std::string_view what, double value);

// low <= value <= high, for counts and sizes.
void check_range(std::string_view what, long long value, long long low, long long high);

// The position of `name` in `accepted`; throws a UsageError that lists the accepted names.
std::size_t check_choice(std::string_view what, std::string_view name,
                         std::span<const std::string_view> accepted);

}  // namespace probmix
