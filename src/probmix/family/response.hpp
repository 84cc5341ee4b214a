// What a family learns about a column of responses, and what it decides: how to scale it, and
// whether the column suits it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace probmix {

// Responses of at most some number, or greater than it (tails.hpp).
enum class Tail { below, above };

// Mean and deviation of the training rows.
struct Spread {
  double mean = 0;
  double deviation = 1;  // 1 for a constant
};

// response = shift + scale · what the network models. A fault says in words that follow the name of
// the column why it cannot be scaled: "has a mean of -2; ...".
struct Scaling {
  double shift = 0;
  double scale = 1;
  std::string fault = {};
};

inline Scaling standardised(const Spread& spread) { return {spread.mean, spread.deviation}; }

// Facts about the values of a column, without missing ones.
struct ColumnFacts {
  static constexpr std::size_t most_distinct = 11;  // counting stops there

  std::span<const std::string> levels =
      {};  // of categories; empty for numbers, which the other members describe

  std::size_t count = 0;
  double mean = 0, variance = 0, skewness = 0;
  double low = 0, high = 0;
  bool whole = true;  // all of them are integers
  std::size_t distinct = 0;
  std::size_t zeros = 0;

  bool has_categories() const { return !levels.empty(); }
};

// The family of the highest rank is proposed: the one for the most special values. The reason
// follows the name of the column: "has real numbers".
struct Proposal {
  int rank = 0;
  std::string reason = {};
};

}  // namespace probmix
